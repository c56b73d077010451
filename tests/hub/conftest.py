"""A loopback Hub, a client with a good token, and releases to publish."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sorites.release.write import write_release
from tests.compiler.release.sample import (
    ITEM_COLUMNS,
    items,
    sample_content,
    sample_spec,
    split_of,
)
from tests.hub.client import Client, client
from tests.hub.repository import Account
from tests.hub.server import Hub, serving

TOKEN = "hf_goodtoken"


@pytest.fixture(scope="session")
def running_hub() -> Iterator[Hub]:
    """A Hub with two accounts: one may write to cafe, the other to itself only."""
    accounts = {
        TOKEN: Account("barista", frozenset({"barista", "cafe"})),
        "hf_stranger": Account("stranger", frozenset({"stranger"})),
    }
    with serving(Hub(accounts)) as hub:
        yield hub


@pytest.fixture
def hub(running_hub: Hub) -> Hub:
    """The Hub, empty."""
    running_hub.clear()
    return running_hub


@pytest.fixture(scope="session")
def barista(running_hub: Hub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A process with a token that may write to cafe."""
    with client(tmp_path_factory.mktemp("barista"), running_hub.url, TOKEN) as running:
        yield running


@pytest.fixture(scope="session")
def reader(running_hub: Hub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A process without a token."""
    with client(tmp_path_factory.mktemp("reader"), running_hub.url, token=None) as running:
        yield running


@pytest.fixture(scope="session")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Versions of one data set: 1.1.0 adds rows; 1.1.1 and 2.0.0 change a label of 1.0.0."""
    folder = tmp_path_factory.mktemp("releases")
    first = items("t", 40)
    changed = [{**row, "label": not row["label"]} if row["id"] == "t0005" else row for row in first]
    rows = {
        "1.0.0": first,
        "1.1.0": [*first, *items("new", 4)],
        "1.1.1": changed,
        "2.0.0": changed,
    }
    return {version: _release(folder, version, rows[version]) for version in rows}


def _release(folder: Path, version: str, rows: list[dict[str, Any]]) -> Path:
    content = sample_content()
    split = split_of("items", "test", ITEM_COLUMNS, rows)
    return write_release(
        sample_spec(folder / "specs", version=version),
        replace(content, splits=(split, *content.splits[1:])),
        # Each in a folder of its own: a ledger would refuse 1.1.1.
        folder / f"of-{version}",
    )
