from __future__ import annotations

from pathlib import Path

from sorites.sources.lexicons.lexicon import file_name, ili_order


def test_ilis_sort_by_number() -> None:
    assert sorted(["i200", "i19", "i3"], key=ili_order) == ["i3", "i19", "i200"]


def test_the_checksum_of_the_cache_is_not_shown() -> None:
    assert file_name(Path("a", "f" * 64 + "-x.db")) == "x.db"
    assert file_name(Path("a", "f" * 63 + "-x.db")) == "f" * 63 + "-x.db"
