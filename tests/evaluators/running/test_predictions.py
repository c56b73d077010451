"""A reply as it is read: thoughts apart from the answer, and why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.contract.release import open_release
from sorites_eval.prompts.requests import ask, prepare
from sorites_eval.running.predictions import Answered
from sorites_eval.scoring.answers import Outcome, Reader


def answered(small_release: Path, reply: Reply) -> Answered:
    """A reply to the first request of a task whose labels are True and False."""
    release = open_release(small_release)
    task = release.task("entailment")
    items = prepare(release, task)
    request = next(iter(ask(release, task, "zero-shot", items)))
    item = next(item for item in items if item.id == request.id)
    return Answered.read(task, Reader(["True", "False"]), "key", item, request, reply)


@pytest.mark.parametrize(
    ("reply", "text", "thought", "ended", "outcome"),
    [
        (Reply("True"), "True", "", Ended.STOP, Outcome.ANSWER),
        (Reply(" True "), " True ", "", Ended.STOP, Outcome.ANSWER),
        (Reply("<think>False?</think>True"), "True", "False?", Ended.STOP, Outcome.ANSWER),
        (Reply("<think></think>True"), "True", "", Ended.STOP, Outcome.ANSWER),
        (
            Reply("<think>more</think>True", thought="apart"),
            "True",
            "apart\nmore",
            Ended.STOP,
            Outcome.ANSWER,
        ),
        (Reply("True", thought="apart"), "True", "apart", Ended.STOP, Outcome.ANSWER),
        (Reply("<think>True, for"), "", "True, for", Ended.LENGTH, Outcome.CUT_OFF),
        (
            Reply("<think>True, for", ended=Ended.LENGTH),
            "",
            "True, for",
            Ended.LENGTH,
            Outcome.CUT_OFF,
        ),
        (Reply("<think>False?</think>"), "", "False?", Ended.STOP, Outcome.EMPTY),
        (Reply("", ended=Ended.LENGTH), "", "", Ended.LENGTH, Outcome.CUT_OFF),
        (Reply(""), "", "", Ended.STOP, Outcome.EMPTY),
        (Reply("Perhaps."), "Perhaps.", "", Ended.STOP, Outcome.UNREADABLE),
        (Reply("True", ended=Ended.ERROR), "True", "", Ended.ERROR, Outcome.ERROR),
        (Reply("True", ended=Ended.REFUSED), "True", "", Ended.REFUSED, Outcome.REFUSED),
    ],
)
def test_an_answer_is_read_without_its_thought(
    small_release: Path, reply: Reply, text: str, thought: str, ended: Ended, outcome: Outcome
) -> None:
    found = answered(small_release, reply)
    row = found.row()
    assert (row["text"], row["thought"]) == (text, thought)
    assert (row["ended"], row["outcome"]) == (str(ended), str(outcome))
    assert row["answer"] == ("True" if outcome is Outcome.ANSWER else None)
    assert found.reading.outcome is outcome
