from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from sorites.errors import SoritesError
from sorites.release.hub.passing_faults import PassingFault, patiently, retry_after


def failing(times: int, wait: float | None = None) -> tuple[list[int], object]:
    calls: list[int] = []

    def call() -> str:
        calls.append(len(calls))
        if len(calls) <= times:
            raise PassingFault("busy", wait)
        return "done"

    return calls, call


@pytest.mark.parametrize(
    ("times", "wait", "naps"),
    [
        (0, None, []),
        (3, None, [1.0, 2.0, 4.0]),
        (5, None, [1.0, 2.0, 4.0, 8.0, 16.0]),
        (2, 30.0, [30.0, 30.0]),
        (1, 0.0, [0.0]),
    ],
)
def test_a_call_is_made_until_it_succeeds(
    times: int, wait: float | None, naps: list[float]
) -> None:
    slept: list[float] = []
    calls, call = failing(times, wait)
    assert callable(call)
    assert patiently(call, sleep=slept.append) == "done"
    assert slept == naps
    assert len(calls) == times + 1


@pytest.mark.parametrize(("times", "wait", "made"), [(99, None, 6), (1, 121.0, 1), (9, 120.0, 6)])
def test_patience_ends(times: int, wait: float | None, made: int) -> None:
    slept: list[float] = []
    calls, call = failing(times, wait)
    assert callable(call)
    with pytest.raises(PassingFault, match=r"^busy$"):
        patiently(call, sleep=slept.append)
    assert len(calls) == made
    assert sum(slept) <= 600


def test_what_does_not_pass_is_not_waited_for() -> None:
    def call() -> None:
        raise SoritesError("wrong")

    with pytest.raises(SoritesError, match=r"^wrong$"):
        patiently(call, sleep=lambda _: pytest.fail("slept"))


def test_a_date_to_retry_after() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=60)
    wait = retry_after({"Retry-After": format_datetime(soon, usegmt=True)})
    assert wait is not None
    assert 0 < wait <= 60
    assert retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
