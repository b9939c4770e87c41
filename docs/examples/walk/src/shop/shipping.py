"""What it costs to send a parcel."""

FREE_FROM = 5000


def cost(weight, total):
    if total > FREE_FROM:
        return 0
    if weight > 30:
        raise ValueError("too heavy")
    return 490


def label(name, street):
    return name + ", " + street
