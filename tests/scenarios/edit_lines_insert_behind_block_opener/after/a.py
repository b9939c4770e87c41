import os


def f(x):
    print(x)
    if x:
        return 1
    return 0
