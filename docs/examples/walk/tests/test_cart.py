from shop.cart import Cart, Item


def test_total():
    cart = Cart("ada")
    cart.add(Item("tea", 300))
    assert cart.total() == 300


def test_empty():
    assert Cart("bob").is_empty()
