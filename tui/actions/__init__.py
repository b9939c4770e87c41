"""What the keys do, one idea a module. Each is a mix-in of the app; `base` holds the state that they share."""
