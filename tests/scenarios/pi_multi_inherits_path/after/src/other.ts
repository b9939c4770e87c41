const bar = 42;
