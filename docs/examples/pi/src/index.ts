const foo = 1;
version: 1
// old comment
