import { getUserData } from "./api";

export async function showProfile(name: string): Promise<string> {
  const user = await getUserData(name);
  return `<h1>${user.name}</h1>`;
}
