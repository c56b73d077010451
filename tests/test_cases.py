"""Every small file that went wrong once is read by some test; skips where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize("kind", ["ontologies", "lexicons", "veridicality"])
def test_every_case_has_a_test(kind: str, shared_data: Path, root: Path) -> None:
    folder = shared_data.parent / "cases" / kind
    if not folder.is_dir():
        pytest.skip("no folder with what went wrong")
    tests = "".join(
        path.read_text(encoding="utf-8")
        for path in (root / "tests" / "compiler").rglob("test_*.py")
    )
    files = [path.name for path in folder.iterdir()]
    assert files
    assert [name for name in files if name not in tests] == []
