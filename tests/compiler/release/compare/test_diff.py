from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sorites.errors import InvalidRelease
from sorites.release.compare.diff import Difference, Weight, diff_releases
from sorites.release.content import Column, Content
from sorites.release.write import write_release
from tests.compiler.release.sample import (
    ITEM_COLUMNS,
    SPEC,
    items,
    pairs,
    sample_content,
    sample_spec,
    split_of,
)

Rows = list[dict[str, Any]]


def made(tmp_path: Path, content: Content, text: str = SPEC, version: str = "9.0.0") -> Path:
    """A release with this content, in a folder of its own, far ahead in its version."""
    folder = tmp_path / f"of-{version}"
    return write_release(sample_spec(folder, text, version=version), content, folder / "out")


def with_items(change: Callable[[Rows], Rows]) -> Content:
    content = sample_content()
    split = split_of("items", "test", ITEM_COLUMNS, change(items("t", 40)))
    return replace(content, splits=(split, *content.splits[1:]))


def difference(release: Path, tmp_path: Path, content: Content, text: str = SPEC) -> Difference:
    return diff_releases(release, made(tmp_path, content, text))


def said(found: Difference) -> list[str]:
    return [change.text for change in found.changes]


def weights(found: Difference) -> list[Weight]:
    return [change.weight for change in found.changes]


def test_a_release_does_not_differ_from_itself(release: Path) -> None:
    found = diff_releases(release, release)
    assert (found.changes, found.rows, found.weight) == ((), {}, Weight.NONE)


def test_rows_are_told_apart_by_their_id(release: Path, tmp_path: Path) -> None:
    def change(rows: Rows) -> Rows:
        rows[3]["label"] = True
        rows[4]["kind"] = "cold"
        return [*rows[:10], *rows[12:], *items("new", 3)]

    found = difference(release, tmp_path, with_items(change))
    rows = found.rows["items", "test"]
    assert rows.relabelled == ("t0003",)
    assert rows.altered == ("t0004",)
    assert rows.removed == ("t0010", "t0011")
    assert rows.added == ("new0000", "new0001", "new0002")
    assert not rows.reordered
    assert said(found) == [
        "`items/test`: 1 row with another label.",
        "`items/test`: 1 row altered elsewhere.",
        "`items/test`: 2 rows removed.",
        "`items/test`: 3 rows added.",
    ]
    assert weights(found) == [Weight.MAJOR, Weight.MAJOR, Weight.MAJOR, Weight.MINOR]


def test_every_gold_column_of_a_split_holds_labels(release: Path, tmp_path: Path) -> None:
    """Two tasks ask of the same rows, one for the label, one for the kind."""
    selecting = SPEC[SPEC.index("  premise-selection:") : SPEC.index("  pairing:")]
    asking = """\
  kinds:
    title: What is it?
    data: {config: items, split: test}
    id: id
    answer:
      format: text
      labels: {H: hot, C: cold}
      gold: kind
      max_new_tokens: 4
    prompts:
      zero-shot: {user: "{{ conclusion }}"}
    score: {metrics: [accuracy]}
"""
    text = SPEC.replace(selecting, asking)

    def change(rows: Rows) -> Rows:
        rows[3]["label"] = not rows[3]["label"]
        rows[4]["kind"] = "hot" if rows[4]["kind"] == "cold" else "cold"
        return rows

    old = made(tmp_path, sample_content(), text, "8.0.0")
    found = diff_releases(old, made(tmp_path, with_items(change), text))
    assert found.rows["items", "test"].relabelled == ("t0003", "t0004")
    assert found.rows["items", "test"].altered == ()


def test_added_rows_alone_are_a_minor_step(release: Path, tmp_path: Path) -> None:
    found = difference(release, tmp_path, with_items(lambda rows: [*rows, *items("new", 2)]))
    assert said(found) == ["`items/test`: 2 rows added."]
    assert found.weight == Weight.MINOR


def test_another_order_is_seen(release: Path, tmp_path: Path) -> None:
    found = difference(release, tmp_path, with_items(lambda rows: rows[::-1]))
    assert said(found) == ["`items/test`: the rows come in another order."]
    assert found.weight == Weight.MINOR


def test_rows_without_ids_are_compared_as_a_whole(tmp_path: Path) -> None:
    columns = (Column("word", pa.string(), ""),)

    def content(*words: str) -> Content:
        split = split_of("words", "train", columns, [{"word": word} for word in words])
        whole = sample_content()
        return replace(whole, splits=(*whole.splits, split))

    old = made(tmp_path, content("a", "b", "b"), version="1.0.0")
    new = made(tmp_path, content("b", "a", "c"), version="2.0.0")
    found = diff_releases(old, new)
    assert said(found) == [
        "`words/train`: 1 row removed.",
        "`words/train`: 1 row added.",
        "`words/train`: the rows come in another order.",
    ]


def test_other_certificates_change_no_label(tmp_path: Path) -> None:
    columns = (Column("key", pa.string(), ""), Column("clauses", pa.string(), ""))

    def content(*clauses: str) -> Content:
        rows = [{"key": str(n), "clauses": each} for n, each in enumerate(clauses)]
        whole = sample_content()
        split = split_of("certificates", "rows", columns, rows)
        return replace(whole, splits=(*whole.splits, split))

    old = made(tmp_path, content("F(a)", "G(a)"), version="1.0.0")
    new = made(tmp_path, content("G(a)", "-F(a)", "F(b)"), version="1.0.1")
    found = diff_releases(old, new)
    assert said(found) == ["`certificates/rows`: labels are shown by other certificates."]
    assert (found.rows, found.weight) == ({}, Weight.PATCH)


def test_columns_and_splits_are_part_of_the_schema(release: Path, tmp_path: Path) -> None:
    kept = [column for column in ITEM_COLUMNS if column.name not in ("steps", "bindings")]
    kept.insert(2, Column("steps", pa.int32(), "How many premises it needs."))
    columns = (*kept, Column("extra", pa.string(), "More."))
    content = sample_content()
    splits = (
        split_of("items", "test", columns, [{**row, "extra": "x"} for row in items("t", 40)]),
        content.splits[1],
        content.splits[2],
        split_of("pairs", "validation", content.splits[2].columns, pairs(3)),
    )
    found = difference(release, tmp_path, replace(content, splits=splits))
    assert said(found) == [
        "`pairs/validation` added (3 rows).",
        "`items/test`: column `bindings` removed.",
        "`items/test`: column `extra` added.",
        "`items/test`: column `steps` is `int32`, was `int64`.",
    ]
    assert weights(found) == [Weight.MINOR, Weight.MAJOR, Weight.MINOR, Weight.MAJOR]
    back = diff_releases(tmp_path / "of-9.0.0/out/cafe-menu/9.0.0", release)
    assert "`pairs/validation` removed (3 rows)." in said(back)


TEXTS = {
    "a prompt": (
        ("Answer True or False.", "Say True or False."),
        "Task `entailment`: `prompts.zero-shot.system` changed.",
        Weight.MAJOR,
    ),
    "a label": (
        (
            "{BEFORE: before, AFTER: after}\n      gold: order",
            "{BEFORE: before, AFTER: after, SAME: same}\n      gold: order",
        ),
        "Task `pairing`: `answer.labels.SAME` added.",
        Weight.MAJOR,
    ),
    "a metric": (
        ("metrics: [accuracy, faithfulness]", "metrics: [accuracy, faithfulness, f1]"),
        "Task `entailment`: `score.metrics` changed.",
        Weight.MINOR,
    ),
    "a setting": (
        (
            'zero-shot: {user: "{{ first.name }} or {{ second.name }}?"}',
            'zero-shot: {user: "{{ first.name }} or {{ second.name }}?"}\n'
            '      terse: {user: "{{ first.name }}, {{ second.name }}"}',
        ),
        "Task `pairing`: `prompts.terse` added.",
        Weight.MINOR,
    ),
    "a title": (
        ("title: Which came first?", "title: Which was first?"),
        "Task `pairing`: `title` changed.",
        Weight.PATCH,
    ),
    "a task": (
        ("  pairing:", "  comparing:"),
        "Task `pairing` removed.",
        Weight.MAJOR,
    ),
    "the licence": (
        ("license: cc-by-4.0", "license: cc-by-sa-4.0"),
        "Licence: `cc-by-sa-4.0`, was `cc-by-4.0`.",
        Weight.MAJOR,
    ),
    "a source": (
        ('version: "3"', 'version: "4"'),
        "Source `menu`: version 4, was 3.",
        Weight.PATCH,
    ),
    "the licence of a source": (
        ("license: cc0-1.0", "license: cc-by-4.0"),
        "Source `menu`: licence `cc-by-4.0`, was `cc0-1.0`.",
        Weight.PATCH,
    ),
    "the card": (
        ("uses: [To try a release.]", "uses: [To test a release.]"),
        "The card or the description of the files changed.",
        Weight.PATCH,
    ),
}


@pytest.mark.parametrize("what", TEXTS, ids=str)
def test_what_a_spec_says_of_tasks_and_sources(what: str, release: Path, tmp_path: Path) -> None:
    (before, after), text, weight = TEXTS[what]
    assert SPEC.count(before) == 1
    changed = SPEC.replace(before, after)
    if what == "a source":
        changed = changed.replace("ab" * 32, "cd" * 32)
    found = difference(release, tmp_path, sample_content(), changed)
    assert said(found)[0] == text
    assert found.weight == weight


def test_a_ledger_entry_has_no_rows_to_compare(release: Path, tmp_path: Path) -> None:
    new = made(tmp_path, with_items(lambda rows: [*rows, *items("new", 2)]))
    shutil.rmtree(release / "data")
    found = diff_releases(release, new)
    assert found.unseen == (("items", "test"),)
    assert said(found) == ["`items/test`: the rows differ (40 before, 42 now)."]


def test_only_versions_of_one_data_set_are_compared(release: Path, tmp_path: Path) -> None:
    spec = sample_spec(tmp_path / "x", SPEC.replace("name: cafe-menu", "name: tea-menu"))
    other = write_release(spec, sample_content(), tmp_path / "x")
    with pytest.raises(InvalidRelease) as caught:
        diff_releases(release, other)
    assert str(caught.value) == (
        f"{release} is of the data set cafe-menu and {other} of tea-menu: "
        "only versions of one data set can be compared"
    )


ANALYSES = """\
analyses:
  by-kind: {kind: table, title: By kind, tasks: [entailment], rows: [kind], metrics: [accuracy]}
"""


@pytest.mark.parametrize(
    ("before", "after", "weight", "told"),
    [
        ("", ANALYSES, Weight.MINOR, "Analysis `by-kind` added."),
        (ANALYSES, "", Weight.MINOR, "Analysis `by-kind` removed."),
        (ANALYSES, ANALYSES.replace("title: By kind", "title: Kinds"), Weight.PATCH,
         "Analysis `by-kind`: `title` changed."),
        (ANALYSES, ANALYSES.replace("rows: [kind]", "rows: [steps]"), Weight.MINOR,
         "Analysis `by-kind`: `rows` changed."),
    ],
)  # fmt: skip
def test_analyses_are_compared(
    tmp_path: Path, before: str, after: str, weight: Weight, told: str
) -> None:
    old = made(tmp_path, sample_content(), SPEC + before, "8.0.0")
    found = diff_releases(old, made(tmp_path, sample_content(), SPEC + after))
    assert [(change.weight, change.text) for change in found.changes] == [(weight, told)]
