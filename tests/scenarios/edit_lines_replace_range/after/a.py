import os


def f(x):
    if not x:
        return 2
    return 0
