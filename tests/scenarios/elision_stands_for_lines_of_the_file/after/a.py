def f(x):
    a = first(x)
    b = second(a)
    c = third(b)
    d = fourth(c)
    return d + 1
