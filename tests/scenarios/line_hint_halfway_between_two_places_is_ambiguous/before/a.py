def f():
    go()
    a = 1


def g():
    go()
    b = 2
