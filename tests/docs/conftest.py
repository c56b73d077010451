"""A loopback Hub on which the account of the documentation may write."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hub.repository import Account
from tests.hub.server import Hub, serving

TOKEN = "hf_of_the_reader"
NAME = "your-name"


@pytest.fixture
def hub() -> Iterator[Hub]:
    """An empty Hub; its one account is called as in the documentation."""
    with serving(Hub({TOKEN: Account(NAME, frozenset({NAME}))})) as running:
        yield running
