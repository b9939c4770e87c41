func New() {}
