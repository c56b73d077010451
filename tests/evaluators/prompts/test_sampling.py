"""A sample is seeded, stratified, keeps pairs whole, and grows by adding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Task
from sorites_eval.prompts.requests import Item, prepare
from sorites_eval.prompts.sampling import sample


@pytest.fixture
def items(make_release: Callable[..., Path]) -> tuple[Task, list[Item]]:
    release = open_release(make_release(items=240))
    task = release.task("entailment")
    return task, prepare(release, task)


@pytest.mark.parametrize("limit", [2, 12, 13, 60, 101])
def test_pairs_stay_whole_and_strata_even(items: tuple[Task, list[Item]], limit: int) -> None:
    task, everything = items
    chosen = sample(task, everything, limit, seed=0)
    assert limit - 1 <= len(chosen) <= limit
    ids = {item.id for item in chosen}
    assert all(item.facts["partner"] in ids for item in chosen)
    counts = Counter((item.facts["scheme"], item.facts["distractors"]) for item in chosen)
    assert max(counts.values()) - min(counts.values()) <= 2 or limit < 12


def test_partners_of_one_item_stay_together(items: tuple[Task, list[Item]]) -> None:
    """Two items name a third as theirs, which names nobody."""
    task, everything = items
    three = [
        replace(item, facts={**item.facts, "partner": None if number == 2 else everything[2].id})
        for number, item in enumerate(everything[:3])
    ]
    alone = [replace(item, facts={**item.facts, "partner": None}) for item in everything[3:9]]
    for seed in range(20):
        chosen = sample(task, [*three, *alone], 4, seed)
        assert len([item for item in chosen if item in three]) in (0, 3)


def test_it_depends_on_the_seed_alone(items: tuple[Task, list[Item]]) -> None:
    task, everything = items
    first = sample(task, everything, 60, seed=0)
    assert first == sample(task, everything[::-1], 60, seed=0)[::-1]
    assert first != sample(task, everything, 60, seed=1)


def test_a_larger_sample_holds_the_smaller(items: tuple[Task, list[Item]]) -> None:
    task, everything = items
    small = {item.id for item in sample(task, everything, 40, seed=3)}
    assert small <= {item.id for item in sample(task, everything, 120, seed=3)}


def test_no_limit_or_a_large_one_is_everything(items: tuple[Task, list[Item]]) -> None:
    task, everything = items
    assert sample(task, everything, None, 0) == everything
    assert sample(task, everything, 1000, 0) == everything
