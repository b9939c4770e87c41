function newName() {
}
