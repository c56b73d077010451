from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from sorites.seeds import random_for, ranked


@pytest.mark.parametrize(
    ("options", "drawn"),
    [
        ({}, 3171316921),
        ({"digest_bytes": 16}, 1277353120),
        ({"separator": "\0"}, 3857665840),
    ],
)
def test_draws_never_change(options: dict[str, Any], drawn: int) -> None:
    """Releases that are published depend on them."""
    assert random_for(7, "order", "a", **options).getrandbits(32) == drawn


def test_the_order_of_items_depends_on_their_identity_alone() -> None:
    items = [(name, name) for name in "abcde"]
    order = ranked(items, 3, "purpose")
    assert order == [*"bedac"]
    assert {tuple(ranked(some, 3, "purpose")) for some in permutations(items)} == {tuple(order)}
    assert ranked(items[1:], 3, "purpose") == [name for name in order if name != "a"]
    assert ranked(items, 4, "purpose") != order
