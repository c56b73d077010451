from __future__ import annotations

from pathlib import Path

import pytest

from sorites.logic.grammar.fragment import Fragment, read_fragment
from sorites.specfile.reader import read


@pytest.fixture(scope="session")
def grammar_text(root: Path) -> str:
    data = read(root / "specs" / "veridicality" / "fragment.yaml").data
    assert isinstance(data, dict)
    return str(data["grammar"])


@pytest.fixture(scope="session")
def fragment(grammar_text: str) -> Fragment:
    return read_fragment(grammar_text)
