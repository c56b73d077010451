from __future__ import annotations

from dataclasses import replace

import pytest

from sorites.errors import SoritesError
from sorites.release.audit.audit import audit
from sorites.release.content import Content
from sorites.release.tasks.benchmark import spec_tasks
from sorites.specfile.model import Spec
from tests.compiler.release.sample import ITEM_COLUMNS, items, split_of


def test_rows_by_label_are_counted_for_each_split_of_a_task(spec: Spec, content: Content) -> None:
    audited = audit(content, spec_tasks(spec))
    assert audited["menu"] == {"lines": 12}
    assert audited["release"]["labels"] == {
        "entailment": {
            "items/test": {"True": 20, "False": 20},
            "exemplars/train": {"True": 4, "False": 4},
        },
        "premise-selection": {"items/test": {"True": 20, "False": 20}},
        "pairing": {"pairs/test": {"BEFORE": 6, "AFTER": 3}},
    }


def test_rows_that_ask_the_same_are_found(spec: Spec, content: Content) -> None:
    rows = items("t", 10)
    again = {**rows[0], "id": "again"}
    denied = {**rows[1], "id": "denied", "label": True}
    other_order = {**rows[2], "id": "order", "premises": rows[2]["premises"][::-1]}
    split = split_of("items", "test", ITEM_COLUMNS, [*rows, again, denied, other_order])
    changed = replace(content, splits=(split, *content.splits[1:]))
    repeats = audit(changed, spec_tasks(spec))["release"]["repeats"]
    assert repeats["entailment"] == {
        "columns": ["premises", "conclusion"],
        "rows": 13,
        "same_label": 1,
        "other_label": 1,
    }


def test_what_two_splits_share_is_found(spec: Spec, content: Content) -> None:
    rows = items("t", 10)
    shared = [*items("x", 8), rows[3], {**rows[4], "id": "new"}]
    split = split_of("exemplars", "train", ITEM_COLUMNS, shared)
    changed = replace(content, splits=(content.splits[0], split, content.splits[2]))
    leakage = audit(changed, spec_tasks(spec))["release"]["leakage"]
    assert leakage["entailment"] == [
        {"splits": ["items/test", "exemplars/train"], "ids": 1, "prompts": 2}
    ]
    clean = audit(content, spec_tasks(spec))["release"]["leakage"]
    assert clean["entailment"] == [
        {"splits": ["items/test", "exemplars/train"], "ids": 0, "prompts": 0}
    ]


def test_the_entry_of_the_release_is_not_for_families(spec: Spec, content: Content) -> None:
    with pytest.raises(SoritesError) as caught:
        audit(replace(content, audit={"release": {}}), spec_tasks(spec))
    assert str(caught.value) == ("the family's audit must leave the entry release to the release")
