version: 2
// new comment
