def f():
    print("hi")
    return 1
