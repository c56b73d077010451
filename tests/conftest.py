"""What all tests share: where the real data lies, if it is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

collect_ignore = ["bench"]
"""The bench is run by `make bench`; parts of it need an environment of their own."""

ROOT = Path(__file__).resolve().parent.parent


def _shared_data() -> Path | None:
    candidates = [Path(entry) for entry in os.environ.get("SORITES_SOURCES", "").split(os.pathsep)]
    candidates.append(ROOT.parent / "shared" / "data")
    for candidate in candidates:
        if (candidate / "reactome").is_dir():
            return candidate.resolve()
    return None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real Reactome, WordNet and SICK files; skips where there is none."""
    found = _shared_data()
    if found is None:
        pytest.skip("no folder with the real sources: set SORITES_SOURCES to one to run this")
    return found


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT
