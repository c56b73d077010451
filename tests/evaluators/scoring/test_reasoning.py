"""The last answer of a chain of thought."""

from __future__ import annotations

import pytest

from sorites_eval.scoring.answers import Reader
from sorites_eval.scoring.reasoning import LastAnswer

TRUE_FALSE = ["True", "False"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("True", "True"),
        ("P1 is true. P2 is false. So the conclusion is false.\n\nAnswer: True", "True"),
        ("It may be true or false. Let me see. The answer is False.", "False"),
        ("Answer: True\n\nI hope this helps!", "True"),
        ("Answer: True\nOn second thought:\nAnswer: False", "False"),
        ("**Answer: True**", "True"),
        ("Answer: True\nBut it is not true.", None),
        ("The premises say nothing of the conclusion.", None),
        ("", None),
        ("That is untrue, so nothing follows.", None),
    ],
)
def test_the_last_that_is_said_of_a_label_counts(text: str, label: str | None) -> None:
    assert LastAnswer(TRUE_FALSE, Reader(TRUE_FALSE)).read(text).label == label


def test_the_selection_comes_with_the_last_answer() -> None:
    reader = LastAnswer(TRUE_FALSE, Reader(TRUE_FALSE, "P"))
    read = reader.read("P1 and P2 do not make it true. P3 does.\nTrue, P3")
    assert (read.label, read.selection) == ("True", frozenset({3}))


def test_a_label_of_one_letter_keeps_its_case() -> None:
    reader = LastAnswer(["A", "B"], Reader(["A", "B"]))
    assert reader.read("Answer: B\nThis was a hard one.").label == "B"


def test_a_long_chain_takes_linear_time() -> None:
    reader = LastAnswer(TRUE_FALSE, Reader(TRUE_FALSE))
    assert reader.read("It is so. " * 20_000 + "\nAnswer: True").label == "True"
