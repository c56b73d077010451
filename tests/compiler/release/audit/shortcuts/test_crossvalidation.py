from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.release.audit.shortcuts.crossvalidation import Method, deal, hits
from sorites.release.audit.shortcuts.features import Features, keys, tokens

row = st.tuples(
    st.lists(st.sampled_from("abcde"), max_size=4),
    st.booleans(),
    st.integers(0, 6),
    st.integers(0, 1),
)


def right(
    features: Features,
    labels: list[bool],
    groups: list[str],
    method: Method,
    strata: list[int] | None = None,
) -> list[float]:
    where = np.array(strata or [0] * len(labels), dtype=np.int64)
    return hits(features, np.array(labels), deal(groups), where, method).tolist()


def by_hand(
    rows: list[list[str]], labels: list[bool], groups: list[str], strata: list[int], method: Method
) -> list[float]:
    """The same, one item and one feature at a time."""
    fold_of = dict(zip(groups, deal(groups).tolist(), strict=True))
    found = []
    for index, row in enumerate(rows):
        train = [
            at for at in range(len(rows))
            if fold_of[groups[at]] != fold_of[groups[index]] and strata[at] == strata[index]
        ]  # fmt: skip
        counts: dict[bool, Counter[str]] = defaultdict(Counter)
        for at in train:
            counts[labels[at]].update(rows[at])
        known = {*counts[True], *counts[False]}
        total = {label: counts[label].total() + len(known) for label in (True, False)}
        weights = [
            log(counts[True][token] + 1) - log(total[True])
            - log(counts[False][token] + 1) + log(total[False])
            if token in known else 0
            for token in row
        ]  # fmt: skip
        match method:
            case "table":
                score = sum(counts[True][token] - counts[False][token] for token in row)
            case "bag":
                yes, no = (sum(labels[at] is label for at in train) for label in (True, False))
                score = sum(weights) + log(max(yes, 1)) - log(max(no, 1))
            case "strongest":
                most, least = max(weights, default=0), min(weights, default=0)
                score = most if most > -least else least if most < -least else 0
        found.append(0.5 if score == 0 else float((score > 0) is labels[index]))
    return found


def log(number: int) -> int:
    return round(math.log(max(number, 1)) * (1 << 20))


@given(st.lists(row, min_size=1, max_size=30), st.sampled_from(["table", "bag", "strongest"]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_counting_all_folds_at_once_is_counting_them_one_by_one(
    rows: list[tuple[list[str], bool, int, int]], method: Method
) -> None:
    shown = [entry[0] for entry in rows]
    labels = [entry[1] for entry in rows]
    groups = [str(entry[2]) for entry in rows]
    strata = [entry[3] for entry in rows]
    got = right(tokens(shown), labels, groups, method, strata)
    assert got == by_hand(shown, labels, groups, strata, method)


def test_a_cue_is_found_and_a_copy_in_the_other_label_is_none() -> None:
    groups = [str(index // 2) for index in range(40)]
    labels = [index % 2 == 0 for index in range(40)]
    assert right(keys(labels), labels, groups, "table") == [1.0] * 40
    assert right(keys(list(groups)), labels, groups, "table") == [0.5] * 40
    same = tokens([["it", "is", group] for group in groups])
    assert right(same, labels, groups, "bag") == [0.5] * 40


def test_items_of_one_group_never_teach_one_another() -> None:
    groups = ["one"] * 6
    labels = [True, False] * 3
    assert right(keys(labels), labels, groups, "table") == [0.5] * 6


def test_one_strong_feature_outvotes_many_weak_ones_only_for_the_strongest() -> None:
    rows = [["sure"] if yes else ["w", "v"] for yes in [True, False] * 20]
    rows += [["w", "v"]] * 12
    labels = [True, False] * 20 + [True] * 12
    groups = [str(index) for index in range(len(labels))]
    asked = [*rows, ["sure", *"wvwvwvwvwvwvwv"]]
    shown = right(tokens(asked), [*labels, True], [*groups, "x"], "strongest")
    assert shown[-1] == 1.0


def test_features_of_some_items() -> None:
    taken = tokens([["a", "b"], [], ["b"], ["c"]]).take(np.array([2, 0, 1]))
    assert taken.ids.tolist() == [1, 0, 1]
    assert taken.starts.tolist() == [0, 1, 3, 3]
    assert len(taken) == 3
