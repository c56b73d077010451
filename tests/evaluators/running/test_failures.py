"""How many requests may fail before it is not the items that are at fault."""

from __future__ import annotations

import pytest

from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.errors import ModelError
from sorites_eval.running.failures import Failures

GOOD, BAD = Reply("True"), Reply("", ended=Ended.ERROR, trouble="It broke.")


@pytest.mark.parametrize(
    ("requests", "most", "answered", "allowed"),
    [(1000, None, 1, 250), (40, None, 1, 20), (1000, None, 0, 4), (2, None, 0, 1), (9, 0, 1, 0)],
)
def test_so_many_may_fail_and_no_more(
    requests: int, most: int | None, answered: int, allowed: int
) -> None:
    failures = Failures(requests, most)
    for _ in range(answered):
        failures.add(GOOD)
    for _ in range(allowed):
        failures.add(BAD)
    with pytest.raises(ModelError) as caught:
        failures.add(BAD)
    assert str(caught.value) == (
        f"{allowed + 1} of {allowed + 1 + answered} requests failed; the last: It broke. What was "
        "answered is kept: the same command asks the rest, and --max-errors N lets more fail."
    )


def test_a_refusal_is_no_failure() -> None:
    failures = Failures(10, 0)
    failures.add(Reply("", ended=Ended.REFUSED, trouble="No."))
    assert failures.failed == 0
