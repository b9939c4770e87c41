import { fetchUserProfile } from '../api/users';
fetchUserProfile();
