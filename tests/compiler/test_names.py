from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from sorites.names import closest, did_you_mean

NAMES = st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=12), unique=True)


@given(NAMES)
def test_what_is_meant_is_known_and_a_known_name_is_meant(known: list[str]) -> None:
    for name in known:
        assert closest(name, known) == name
    assert closest("", known) is None


def test_the_first_of_many_are_listed() -> None:
    known = [f"name{number:02}" for number in range(13)]
    assert did_you_mean("###", known) == f"known: {', '.join(known[:12])}, …"
    assert did_you_mean("###", []) == ""


def test_a_name_without_end_takes_no_time_without_end() -> None:
    assert closest("premises" + "x" * 5_000_000, ["premises" + "x" * 92]) == "premises" + "x" * 92
