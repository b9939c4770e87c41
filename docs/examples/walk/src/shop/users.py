"""Who our customers are."""

USERS = {"ada": {"name": "Ada", "vip": True}, "bob": {"name": "Bob", "vip": False}}


def get_user(name):
    return USERS[name]


def is_vip(name):
    return get_user(name)["vip"]
