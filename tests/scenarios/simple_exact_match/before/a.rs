fn foo() {
    bar();
}
