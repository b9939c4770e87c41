function oldName() {
  return 1;
}
