from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sorites.errors import SoritesError
from sorites.release.compare.diff import Weight
from sorites.release.compare.versions import previous_release, recorded_releases, smallest_version
from sorites.release.content import Content
from sorites.release.write import write_release
from sorites.specfile.model import Spec
from sorites_eval.contract.identity import parse_version
from tests.compiler.release.sample import (
    ITEM_COLUMNS,
    items,
    sample_content,
    sample_spec,
    split_of,
    tree_hashes,
)


@pytest.mark.parametrize(
    ("old", "weight", "new"),
    [
        ("1.2.3", Weight.NONE, "1.2.4"),
        ("1.2.3", Weight.PATCH, "1.2.4"),
        ("1.2.3", Weight.MINOR, "1.3.0"),
        ("1.2.3", Weight.MAJOR, "2.0.0"),
        ("0.9.3", Weight.MAJOR, "0.10.0"),
        ("0.9.3", Weight.PATCH, "0.9.4"),
    ],
)
def test_the_step_follows_from_the_change(old: str, weight: Weight, new: str) -> None:
    assert smallest_version(parse_version(old), weight) == parse_version(new)


def test_the_version_before_is_found_by_its_numbers(release: Path) -> None:
    ledger = release.parents[1]
    for version in ("1.9.0", "1.10.0", "2.0.0"):
        shutil.copytree(release, release.parent / version)
    for name in ("1.99.0", "draft", ".1.98.0.partial"):
        (release.parent / name).mkdir()
    assert (
        previous_release(ledger, "cafe-menu", parse_version("2.0.0")) == release.parent / "1.10.0"
    )
    assert (
        previous_release(ledger, "cafe-menu", parse_version("1.10.0")) == release.parent / "1.9.0"
    )
    assert previous_release(ledger, "cafe-menu", parse_version("1.0.0")) is None
    assert previous_release(ledger, "tea-menu", parse_version("1.0.0")) is None
    shutil.copytree(release, ledger / "a-menu" / "3.0.0")
    assert [f"{path.parent.name} {path.name}" for path in recorded_releases(ledger)] == [
        "a-menu 3.0.0",
        "cafe-menu 1.0.0",
        "cafe-menu 1.9.0",
        "cafe-menu 1.10.0",
        "cafe-menu 2.0.0",
    ]


def more_rows() -> Content:
    content = sample_content()
    rows = [*items("t", 40), *items("new", 4)]
    return replace(
        content, splits=(split_of("items", "test", ITEM_COLUMNS, rows), *content.splits[1:])
    )


def relabelled() -> Content:
    content = sample_content()
    rows = items("t", 40)
    rows[5]["label"] = True
    return replace(
        content, splits=(split_of("items", "test", ITEM_COLUMNS, rows), *content.splits[1:])
    )


def test_too_small_a_step_is_refused(release: Path, spec: Spec) -> None:
    ledger = release.parents[1]
    with pytest.raises(SoritesError) as caught:
        write_release(replace(spec, version=parse_version("1.0.1")), more_rows(), ledger)
    assert str(caught.value) == (
        "version 1.0.1 of cafe-menu is too small a step from 1.0.0: it must be 1.1.0 or later:\n"
        "    `items/test`: 4 rows added."
    )
    with pytest.raises(SoritesError) as caught:
        write_release(replace(spec, version=parse_version("1.1.0")), relabelled(), ledger)
    assert str(caught.value) == (
        "version 1.1.0 of cafe-menu is too small a step from 1.0.0: it must be 2.0.0 or later:\n"
        "    `items/test`: 1 row with another label."
    )
    assert [path.name for path in release.parent.iterdir()] == ["1.0.0"]


def test_rows_that_cannot_be_seen_may_have_changed(release: Path, spec: Spec) -> None:
    ledger = release.parents[1]
    shutil.rmtree(release / "data")
    with pytest.raises(SoritesError) as caught:
        write_release(replace(spec, version=parse_version("1.1.0")), more_rows(), ledger)
    assert str(caught.value) == (
        "version 1.1.0 of cafe-menu is too small a step from 1.0.0: it must be 2.0.0 or later\n"
        "    `items/test`: the rows differ, and those of 1.0.0 are not at hand to tell whether "
        "rows were only added: compile or download that version first"
    )
    made = write_release(replace(spec, version=parse_version("2.0.0")), more_rows(), ledger)
    assert "- `items/test`: the rows differ (40 before, 44 now)." in (
        made / "CHANGELOG.md"
    ).read_text(encoding="utf-8")


def test_a_changelog_tells_the_whole_story(release: Path, spec: Spec, tmp_path: Path) -> None:
    ledger = release.parents[1]
    write_release(replace(spec, version=parse_version("1.1.0")), more_rows(), ledger)
    later = sample_spec(tmp_path / "later", version="2.0.0")
    made = write_release(later, relabelled(), ledger)
    assert (made / "CHANGELOG.md").read_text(encoding="utf-8") == (
        "# Changes to Café menu, a \\*small\\* test\n\n"
        "## 2.0.0\n\n### Changed\n\n"
        "- `items/test`: 1 row with another label.\n"
        "- `items/test`: 4 rows removed.\n\n"
        "## 1.1.0\n\n### Added\n\n- `items/test`: 4 rows added.\n\n"
        "## 1.0.0\n\nFirst release.\n\n"
        "- `items/test`: 40 rows\n- `exemplars/train`: 8 rows\n- `pairs/test`: 9 rows\n"
    )


def test_a_later_entry_gets_its_data_back_without_the_one_before(release: Path, spec: Spec) -> None:
    ledger = release.parents[1]
    later = replace(spec, version=parse_version("1.1.0"))
    made = write_release(later, more_rows(), ledger)
    before = tree_hashes(made)
    for entry in (release, made):
        shutil.rmtree(entry / "data")
    write_release(later, more_rows(), ledger)
    assert tree_hashes(made) == before


def test_the_same_rows_again_may_be_a_patch(release: Path, spec: Spec, content: Content) -> None:
    made = write_release(replace(spec, version=parse_version("1.0.1")), content, release.parents[1])
    text = (made / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## 1.0.1\n\n### Described anew\n\n- The card or the description" in text
