from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import InvalidRelease
from sorites.release.hub.check_card import check_card
from sorites.release.manifest.recorded import read_manifest

FAULTS = {
    "another licence": (
        "license: cc-by-4.0",
        "license: mit",
        "the licence is mit, but release.json says cc-by-4.0",
    ),
    "other rows": (
        "num_examples: 40",
        "num_examples: 41",
        "items/test: 41 rows, but release.json says 40",
    ),
    "other files": (
        "path: data/items/test-*.parquet",
        "path: data/*/t*-*.parquet",
        "items/test: data/*/t*-*.parquet does not name the files of the split",
    ),
    "another split": (
        "  - split: train\n",
        "  - split: dev\n",
        "exemplars/dev is missing in release.json",
    ),
    "no YAML": ("license: cc-by-4.0", "license: [", "its metadata cannot be read: "),
    "a config twice": (
        "- config_name: exemplars\n  data_files",
        "- config_name: items\n  data_files",
        "exemplars/train is missing in configs",
    ),
}


def test_the_card_of_a_release_is_right(release: Path) -> None:
    check_card(read_manifest(release))


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_card_that_is_wrong(fault: str, release: Path) -> None:
    right, wrong, message = FAULTS[fault]
    path = release / "README.md"
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(InvalidRelease) as caught:
        check_card(read_manifest(release))
    assert str(caught.value).startswith(f"{path}: {message}")
