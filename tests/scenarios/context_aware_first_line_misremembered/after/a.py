def total_of(items):
    result = 0
    for item in items:
        result += item.price * item.amount
    log.debug(result)
    return result
