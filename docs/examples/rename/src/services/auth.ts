import { getUserData } from "../api/users";

export const login = (id: string) => check(getUserData(id));
