"""ReviewState → rows and labels, as plain data: nothing here knows the terminal toolkit."""
