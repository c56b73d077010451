from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites_eval.contract.identity import InvalidIdentity, Version, parse_name, parse_version


@pytest.mark.parametrize(
    "name", ["../up", "a/b", "", ".", "..", "-a", "a--b", "A", "a\n", "a" * 65, "é", "аb"]
)
def test_a_name_that_could_lead_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(InvalidIdentity) as caught:
        parse_name(name)
    assert str(caught.value) == (
        f"{name!a} is not the name of a release: write lower-case letters and digits, in "
        "parts joined by single hyphens, at most 64 characters."
    )


@pytest.mark.parametrize(
    "version", ["1.0", "../1.0.0", "1.0.0\n", "01.0.0", "1.0.0-rc1", "١.٠.٠", "1.0.1234567890"]
)
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(InvalidIdentity) as caught:
        parse_version(version)
    assert str(caught.value) == (
        f"{version!a} is not a version: write three numbers with dots, such as 1.0.0."
    )


def test_a_long_text_is_shown_short() -> None:
    with pytest.raises(InvalidIdentity) as caught:
        parse_version("1" * 10_000)
    assert len(str(caught.value)) < 250


def test_good_names_pass() -> None:
    assert parse_name("a" * 64) == "a" * 64
    assert parse_name("syllobio-nli-2") == "syllobio-nli-2"


NUMBERS = st.tuples(*[st.integers(0, 999_999_999)] * 3)


@given(NUMBERS, NUMBERS)
def test_versions_come_back_from_their_text_and_are_ordered_as_numbers(
    one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    assert parse_version(str(Version(*one))) == Version(*one)
    assert (Version(*one) < Version(*other)) == (one < other)
