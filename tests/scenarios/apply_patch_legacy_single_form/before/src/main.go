func Old() {}
