"""Who our customers are."""

_USERS = {"ada": {"name": "Ada", "vip": True}, "bob": {"name": "Bob", "vip": False}}


def getUserData(name):
    """Look a user up by name."""
    return _USERS[name]


def is_vip(name):
    return getUserData(name)["vip"]
