export function getUserData(id: string) {
  return cache.get(id) ?? load(id);
}

export const me = () => getUserData("me");
export default getUserData;
