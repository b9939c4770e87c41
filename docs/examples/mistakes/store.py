class Store:
    def load(self):
        # one item per line
        with open(self.path) as source:
            for line in source:
                self.add(line)
        return len(self.items)

    def add(self, line):
        key, value = line.split("=")
        self.items[key] = value
