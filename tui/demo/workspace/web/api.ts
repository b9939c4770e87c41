export type User = { name: string; vip: boolean };

export async function getUserData(name: string): Promise<User> {
  const answer = await fetch(`/users/${name}`);
  return answer.json();
}
