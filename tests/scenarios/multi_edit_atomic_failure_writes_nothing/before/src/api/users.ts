export function getUserData() {}
getUserData();
const a = getUserData;
