def parse_v2(x):
    return x
