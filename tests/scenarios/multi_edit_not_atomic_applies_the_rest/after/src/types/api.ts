type F = typeof fetchUserProfile;
