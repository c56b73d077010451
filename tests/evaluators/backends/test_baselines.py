"""Baselines that need no model: what they answer, and that nothing but their seed decides it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sorites_eval.backends.baselines import Majority, Oracle, Prior, Random
from sorites_eval.backends.protocol import Backend
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Task
from sorites_eval.prompts.requests import Item, Request
from sorites_eval.running.run import Plan, plan


@pytest.fixture
def relation(make_release: Callable[..., Path]) -> Plan:
    """Three labels in two views, in which 1 and 2 change places."""
    release = open_release(make_release(glosses=90))
    return plan(release, release.task("relation"), "zero-shot")


def labelled(items: Sequence[Item], labels: str) -> list[Item]:
    """So many of the items, with these labels of their own."""
    return [replace(item, label=label) for item, label in zip(items, labels, strict=False)]


def answers(backend: Backend, requests: Sequence[Request]) -> list[str]:
    return [reply.text for _, reply in sorted(backend.answer(requests), key=lambda told: told[0])]


def told(task: Task, items: Sequence[Item]) -> dict[str, object]:
    identity = Majority(task, items).identity()
    return {view.name: identity[view.name] for view in task.views}


def test_the_majority_is_that_of_each_view(relation: Plan) -> None:
    task, items = relation.task, relation.items
    assert told(task, labelled(items, "1113322")) == {"forward": "1", "reversed": "2"}
    assert told(task, labelled(items, "1333")) == {"forward": "3", "reversed": "3"}


def test_ties_go_by_the_alphabet(relation: Plan) -> None:
    task, items = relation.task, relation.items
    assert told(task, labelled(items, "3322")) == {"forward": "2", "reversed": "1"}
    assert told(task, labelled(items, "321")) == {"forward": "1", "reversed": "1"}


def test_the_prior_knows_how_often_each_label_is_right(relation: Plan) -> None:
    weights = Prior(relation.task, labelled(relation.items, "1113"), 0).identity()["weights"]
    assert weights == "3, 3, 2"
    never = Prior(relation.task, labelled(relation.items, "3333"), 0)
    assert {*answers(never, relation.requests())} == {"3"}


def test_random_draws_every_label_alike(relation: Plan) -> None:
    """180 draws of three labels: each stands 60 times, give or take four standard deviations."""
    counts = Counter(answers(Random(relation.task, 0), relation.requests()))
    assert sorted(counts) == ["1", "2", "3"]
    assert all(35 < count < 85 for count in counts.values())


def test_draws_depend_on_seed_item_view_and_repeat_alone(relation: Plan) -> None:
    requests = relation.requests()
    drawn = answers(Random(relation.task, 0), requests)
    assert answers(Random(relation.task, 0), requests[::-1]) == drawn[::-1]
    assert answers(Random(relation.task, 0), requests[40:50]) == drawn[40:50]
    assert answers(Random(relation.task, 1), requests) != drawn
    again = [replace(request, repeat=1) for request in requests]
    assert answers(Random(relation.task, 0), again) != drawn
    other = replace(relation.task, name="other")
    assert answers(Random(other, 0), requests) != drawn
    turned = [replace(request, view="x") for request in requests]
    assert answers(Random(relation.task, 0), turned) != drawn


def test_the_oracle_gives_what_is_right(relation: Plan) -> None:
    requests = relation.requests()
    assert answers(Oracle(), requests) == [request.gold for request in requests]
    assert Oracle().identity() == {"backend": "baseline", "model": "oracle"}
