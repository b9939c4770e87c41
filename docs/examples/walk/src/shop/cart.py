"""The shopping cart: what a customer is about to buy."""

from dataclasses import dataclass, field


@dataclass
class Item:
    name: str
    price: int
    amount: int = 1


@dataclass
class Cart:
    owner: str
    items: list[Item] = field(default_factory=list)

    def add(self, item: Item) -> None:
        self.items.append(item)

    def total(self) -> int:
        return sum(item.price for item in self.items)

    def is_empty(self) -> bool:
        return len(self.items) == 0


def receipt(cart: Cart) -> str:
    lines = []
    for item in cart.items:
        lines.append(f"{item.amount} x {item.name}")
    lines.append(f"total: {cart.total()}")
    return "\n".join(lines)
