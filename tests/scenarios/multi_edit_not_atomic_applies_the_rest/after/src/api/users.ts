export function fetchUserProfile() {}
fetchUserProfile();
const a = fetchUserProfile;
