from shop.cart import Cart, Item
from shop.users import getUserData


def test_total():
    cart = Cart("ada")
    cart.add(Item("tea", 300))
    assert cart.total() == 300


def test_owner_is_known():
    assert getUserData("ada")["name"] == "Ada"
