def load(path):
    handle = open(path)
    data = handle.read()
    handle.close()
    return parse(data)
