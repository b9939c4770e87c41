type F = typeof getUserData;
