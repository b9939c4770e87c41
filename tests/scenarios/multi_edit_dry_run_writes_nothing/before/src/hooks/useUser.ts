getUserData();
