"""From an item to a conversation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sorites_eval.contract.faults import InvalidBenchmark
from sorites_eval.contract.release import Release, open_release
from sorites_eval.errors import InvalidRelease
from sorites_eval.prompts.requests import Message, Request, ask, prepare


@pytest.fixture(scope="module")
def release(small_release: Path) -> Release:
    return open_release(small_release)


def requests(release: Release, task: str, setting: str) -> list[Request]:
    found = release.task(task)
    return list(ask(release, found, setting, prepare(release, found)))


def test_zero_shot_is_instruction_and_item(release: Release) -> None:
    first = requests(release, "entailment", "zero-shot")[0]
    assert first.messages == (
        Message(
            "system",
            "Decide whether the conclusion follows from the premises. Answer True or False.",
        ),
        Message(
            "user",
            "P1: Every swimmer is a forager.\nP2: The heron is a swimmer.\n"
            "C: It is true that the heron is a forager.\nAnswer:",
        ),
    )
    assert first.gold == "True"


def test_exemplars_are_turns_with_their_written_answers(release: Release) -> None:
    first = requests(release, "premise-selection", "few-shot")[0]
    assert [m.role for m in first.messages] == ["system"] + ["user", "assistant"] * 4 + ["user"]
    answers = [m.content for m in first.messages if m.role == "assistant"]
    assert answers == ["True, P1, P2", "False", "True, P3, P4", "False"]


def test_plain_text_has_the_answer_after_the_colon(release: Release) -> None:
    text = requests(release, "entailment", "few-shot")[0].plain()
    assert text.startswith("Decide whether")
    assert text.count("Answer: True\n\n") == text.count("Answer: False\n\n") == 2
    assert text.endswith("Answer: ")


def test_plain_text_without_a_colon_breaks_the_line(release: Release) -> None:
    text = requests(release, "relation", "two-shot")[0].plain()
    assert "number 100\n1\n\nSense A (en)" in text
    assert text.endswith("number 0\n")


def test_views_swap_columns_and_carry_the_gold_along(release: Release) -> None:
    forward, backward = requests(release, "relation", "zero-shot")[6:8]
    assert (forward.view, backward.view) == ("forward", "reversed")
    assert forward.question == (
        "Sense A (en): a large wading bird, number 3\n"
        "Sense B (el): an animal with feathers, number 3"
    )
    assert backward.question == (
        "Sense A (el): an animal with feathers, number 3\n"
        "Sense B (en): a large wading bird, number 3"
    )
    assert (forward.gold, backward.gold) == ("1", "2")


def test_exemplars_match_the_item_as_it_is_asked(release: Release) -> None:
    forward, backward = requests(release, "relation", "two-shot")[6:8]
    assert "(en)" in forward.messages[1].content.splitlines()[0]
    assert "(el)" in backward.messages[1].content.splitlines()[0]
    assert forward.shared != backward.shared


def test_what_is_shared_is_all_but_the_last_turn(release: Release) -> None:
    found = requests(release, "entailment", "few-shot")
    assert len({r.shared for r in found}) == 1
    assert len({r.digest() for r in found}) == 12


def test_a_missing_column_is_found_before_the_run(
    make_release: Callable[..., Path], document: dict[str, dict[str, dict[str, object]]]
) -> None:
    document["tasks"]["entailment"]["prompts"] = {"zero-shot": {"user": "{{ conclusoin }}"}}
    release = open_release(make_release(document=document))
    with pytest.raises(InvalidBenchmark) as caught:
        prepare(release, release.task("entailment"))
    assert str(caught.value).startswith(
        "benchmark.json: tasks.entailment: the data items/test have no column "
        '"conclusoin". Did you mean "conclusion"?'
    )


def test_a_gold_value_without_a_label_is_an_error(
    make_release: Callable[..., Path], document: dict[str, dict[str, dict[str, dict[str, object]]]]
) -> None:
    document["tasks"]["entailment"]["answer"]["labels"] = {"True": 1, "False": 0}
    release = open_release(make_release(document=document))
    with pytest.raises(InvalidRelease) as caught:
        prepare(release, release.task("entailment"))
    assert str(caught.value) == (
        'item i-0-yes: the value True in column "label" is none of the labels of the task '
        "entailment."
    )


def test_no_matching_exemplar_is_an_error(
    make_release: Callable[..., Path], document: dict[str, dict[str, dict[str, dict[str, object]]]]
) -> None:
    two_shot = document["tasks"]["relation"]["prompts"]["two-shot"]
    two_shot["exemplars"] = {"config": "glosses", "split": "train", "match": ["concept"]}
    release = open_release(make_release(document=document, glosses=8))
    task = release.task("relation")
    items = prepare(release, task)
    row = dict(items[0].row) | {"concept": "c99"}
    other = [type(items[0])("x", "1", None, {}, row)]
    with pytest.raises(InvalidBenchmark) as caught:
        list(ask(release, task, "two-shot", other))
    assert str(caught.value) == (
        "benchmark.json: tasks.relation.prompts.two-shot.exemplars: no example has concept=c99."
    )
