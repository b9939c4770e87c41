def f():
    go()
    a = 1


def g():
    stop()
    b = 2
