export const useUser = (id: string) => useQuery(() => getUserData(id));
