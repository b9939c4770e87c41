func Old() {}

var X = 1
