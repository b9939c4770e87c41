function oldName() {
}
