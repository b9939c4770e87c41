import os
import sys


class Store:
    def __init__(self, path):
        self.path = path
        self.items = {}

    def load(self):
        # read everything
        with open(self.path) as source:
            for line in source:
                self.add(line)
        return self.items

    def add(self, line):
        key, value = line.split("=")
        self.items[key] = value
