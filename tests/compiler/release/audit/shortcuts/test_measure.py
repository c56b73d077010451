from __future__ import annotations

import numpy as np

from sorites.release.audit.shortcuts.features import keys
from sorites.release.audit.shortcuts.measure import (
    OVERALL,
    Items,
    Reader,
    beyond_bound,
    measure,
    outcomes,
)

PAIRS = 60


def items() -> Items:
    """Two strata at two levels; each pair holds one of each label."""
    rows = [
        (stratum, level, pair, label)
        for stratum in ("first", "second")
        for level in (0, 3)
        for pair in range(PAIRS)
        for label in (True, False)
    ]
    return Items(
        labels=np.array([label for *_, label in rows]),
        groups=tuple(f"{stratum} {pair}" for stratum, _, pair, _ in rows),
        levels=tuple(level for _, level, _, _ in rows),
        strata=tuple(stratum for stratum, *_ in rows),
    )


def leak(shown: Items, only_reported: bool = False) -> Reader:
    """Sees the label, in the second stratum and at level 0 alone."""
    seen = [
        (label if stratum == "second" and level == 0 else "nothing")
        for label, stratum, level in zip(shown.labels, shown.strata, shown.levels, strict=True)
    ]
    return Reader("leak", keys(seen), "table", only_reported)


def test_figures_are_overall_and_by_stratum_at_each_level() -> None:
    shown = items()
    got = {(f.stratum, f.level): f.accuracy for f in measure([leak(shown)], shown)}
    assert got == {
        (OVERALL, 0): 0.75, ("first", 0): 0.5, ("second", 0): 1.0,
        (OVERALL, 3): 0.5, ("first", 3): 0.5, ("second", 3): 0.5,
    }  # fmt: skip


def test_what_is_beyond_the_bound_is_found_and_named() -> None:
    shown = items()
    found = beyond_bound(measure([leak(shown)], shown), 0.55, {})
    assert [(entry.figure.stratum, entry.figure.level) for entry in found] == [
        (OVERALL, 0),
        ("second", 0),
    ]
    assert all(entry.bound == 0.55 and entry.probability < 0.01 for entry in found)


def test_a_stratum_may_have_a_bound_of_its_own() -> None:
    shown = items()
    figures = [figure for figure in measure([leak(shown)], shown) if figure.stratum != OVERALL]
    assert beyond_bound(figures, 0.55, {"second": 1.0}) == []


def test_a_reader_may_be_only_reported() -> None:
    shown = items()
    assert beyond_bound(measure([leak(shown, only_reported=True)], shown), 0.55, {}) == []


def test_always_wrong_is_as_good_a_cue_as_always_right_but_not_among_many_answers() -> None:
    shown = items()
    wrong = np.zeros(len(shown.labels))
    figures = outcomes("selection", wrong, shown)
    assert beyond_bound(figures, 0.55, {}) == []
    right = np.where(shown.labels, 1.0, np.nan)
    assert {figure.accuracy for figure in outcomes("selection", right, shown)} == {1.0}
    # A key that the other folds always show with the other label.
    odd = Items(
        labels=np.array([True, False] * 100),
        groups=tuple(str(index) for index in range(200)),
        levels=(0,) * 200,
        strata=("one",) * 200,
    )
    seen = keys(index // 2 for index in range(200))
    found = beyond_bound(measure([Reader("twins", seen, "table")], odd), 0.55, {})
    assert {entry.figure.accuracy < 0.45 for entry in found} == {True}
