fetchUserProfile(1);
fetchUserProfile(2);
fetchUserProfile(3);
fetchUserProfile(4);
