func New() {}

var X = 2
