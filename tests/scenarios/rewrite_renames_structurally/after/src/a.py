def old_name(a, b):
    return a + b


print(new_name(1, 2))
