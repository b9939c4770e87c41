export type Load = typeof getUserData;
