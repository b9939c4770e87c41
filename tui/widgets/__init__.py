"""The widgets of the review: each paints what it is given and posts what the person did."""
