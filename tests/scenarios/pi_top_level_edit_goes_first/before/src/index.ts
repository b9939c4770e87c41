version: 1
// old comment
