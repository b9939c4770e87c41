import os


def f(x):
    if x:
        return 2
    return 0
