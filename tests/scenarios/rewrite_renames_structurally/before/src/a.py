def old_name(a, b):
    return a + b


print(old_name(1, 2))
