"""What a person sees: the command line, and later the review app. Calls what `engine` exports."""
