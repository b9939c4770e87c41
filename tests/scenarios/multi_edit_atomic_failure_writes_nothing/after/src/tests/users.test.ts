getUserData(1);
getUserData(2);
getUserData(3);
getUserData(4);
