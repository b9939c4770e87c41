fn foo() {
    baz();
}
