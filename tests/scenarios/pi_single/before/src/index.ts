const foo = 1;
