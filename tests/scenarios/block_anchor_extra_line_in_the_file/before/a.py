def total(items):
    # sums the prices
    result = 0
    for item in items:
        result += item.price
    return result
