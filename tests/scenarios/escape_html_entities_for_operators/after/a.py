if a <= b and c:
    go()
