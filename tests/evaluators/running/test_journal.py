"""The journal: an answer is found again only if all of it is the same, and none is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sorites_eval.backends.protocol import Choice, Ended, Reply, Usage
from sorites_eval.prompts.requests import Message, Request
from sorites_eval.running.journal import Journal, answer_key, read_answers, write_answers

REQUEST = Request("i1", "forward", (Message("user", "Q1"),), "", "True", ("True", "False"))
KEY = ("content", "task", {"model": "m", "dtype": "float32"}, REQUEST)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(("other", *KEY[1:]), id="content"),
        pytest.param((KEY[0], "other", *KEY[2:]), id="task"),
        pytest.param((*KEY[:2], {**KEY[2], "dtype": "float16"}, REQUEST), id="identity"),
        pytest.param((*KEY[:2], {"model": "m"}, REQUEST), id="part of the identity"),
        pytest.param((*KEY[:3], replace(REQUEST, id="i2")), id="item"),
        pytest.param((*KEY[:3], replace(REQUEST, view="reversed")), id="view"),
        pytest.param((*KEY[:3], replace(REQUEST, repeat=1)), id="repeat"),
        pytest.param((*KEY[:3], replace(REQUEST, messages=(Message("user", "Q2"),))), id="prompt"),
    ],
)
def test_whatever_could_change_an_answer_changes_its_key(
    changed: tuple[str, str, dict[str, str], Request],
) -> None:
    assert answer_key(*changed) != answer_key(*KEY)


def test_the_order_of_an_identity_changes_nothing() -> None:
    other = dict(reversed(KEY[2].items()))
    assert answer_key(*KEY[:2], other, REQUEST) == answer_key(*KEY)


FULL = Reply(
    "True, P1",
    Choice(
        free="True",
        constrained="True",
        margin=1.5,
        lead=0.5,
        mass=0.75,
        near_tie=False,
    ),
    thought="first P1 …",
    ended=Ended.LENGTH,
    trouble="stopped at the limit",
    usage=Usage(12, 3),
)


@pytest.mark.parametrize("reply", [Reply("False"), FULL, Reply("", trouble="x")])
def test_an_answer_comes_back_as_it_was_given(reply: Reply, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with Journal.open(path) as journal:
        journal.add("k", reply)
    assert read_answers(path) == {"k": reply}
    write_answers(path, {"k": reply, "l": Reply("z")})
    assert read_answers(path) == {"k": reply, "l": Reply("z")}


def test_an_answer_is_on_disk_before_the_next_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with Journal.open(path) as journal:
        for number in range(3):
            journal.add(f"k{number}", Reply(str(number)))
            assert len(read_answers(path)) == number + 1


def torn(text: str) -> str:
    return text[: len(text) // 2]


@pytest.mark.parametrize("cut", [torn, lambda text: text.removesuffix("\n")])
def test_a_line_that_a_crash_cut_short_is_dropped_and_the_next_is_whole(
    cut: Callable[[str], str], tmp_path: Path
) -> None:
    path = tmp_path / "answers.jsonl"
    write_answers(path, {"a": Reply("1")})
    whole = path.read_text("utf-8")
    write_answers(path, {"b": Reply("2")})
    path.write_text(whole + cut(path.read_text("utf-8")), encoding="utf-8")
    with Journal.open(path) as journal:
        journal.add("c", Reply("3"))
    assert read_answers(path) == {"a": Reply("1"), "c": Reply("3")}
    assert path.read_text("utf-8").startswith(whole)
