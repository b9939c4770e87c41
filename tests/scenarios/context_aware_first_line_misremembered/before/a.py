def total_of(items):
    result = 0
    for item in items:
        result += item.price
    log.debug(result)
    return result
