def f():
    print("ho")
    return 1
