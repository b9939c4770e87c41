const bar = 0;
