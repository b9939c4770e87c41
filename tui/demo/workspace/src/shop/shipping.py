"""What it costs to send a parcel."""

FREE_FROM = 5000


def cost(weight, total):
    if total >= FREE_FROM:
        return 0
    if weight > 30:
        raise ValueError("too heavy")
    return 490


def cost_express(weight, total):
    if total >= 2 * FREE_FROM:
        return 0
    if weight > 30:
        raise ValueError("too heavy")
    return 1290
