import os


def f(x):
    return 0
