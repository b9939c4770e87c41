import { getUserData } from '../api/users';
getUserData();
