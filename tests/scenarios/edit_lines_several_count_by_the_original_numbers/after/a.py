import os
import sys


def f(x):
    if x:
        return 10
