fetchUserProfile();
