const foo = 2;
