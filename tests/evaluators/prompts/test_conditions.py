"""``--where`` and ``--by`` as a person writes them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sorites_eval.errors import RunError
from sorites_eval.prompts.conditions import Condition, matching, read_columns, read_conditions

ROWS: list[dict[str, object]] = [
    {"scheme": "a, b", "level": 0, "label": True, "share": 0.5, "names": None},
    {"scheme": "a", "level": 1, "label": False, "share": 1.0, "names": "real"},
    {"scheme": "a", "level": 2, "label": True, "share": 1.5, "names": "true"},
]


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        ([], [True, True, True]),
        (["level=0"], [True, False, False]),
        (["level=0,level=2"], [True, False, True]),
        (["level=0", "level=2"], [True, False, True]),
        (["level = 2 , scheme = a"], [False, False, True]),
        (["scheme=a, b"], [True, False, False]),
        (["label=true"], [True, False, True]),
        (["label=False,share=1"], [False, True, False]),
        (["names=null"], [True, False, False]),
        (["names=true"], [False, False, True]),
    ],
)
def test_which_rows_are_meant(texts: list[str], kept: list[bool]) -> None:
    assert matching(read_conditions(texts), ROWS) == kept


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["level"], '--where level: expected column=value, found "level".'),
        (["=0"], '--where =0: expected column=value, found "=0".'),
        ([""], '--where : expected column=value, found "".'),
    ],
)
def test_what_is_no_condition(texts: list[str], message: str) -> None:
    with pytest.raises(RunError) as caught:
        read_conditions(texts)
    assert str(caught.value) == message


def test_a_value_that_no_item_has_lists_those_that_there_are() -> None:
    with pytest.raises(RunError) as caught:
        matching(read_conditions(["names=reel"]), ROWS)
    assert str(caught.value) == (
        '--where names=reel: no item has that value. Did you mean "real"? There are: null, real, '
        "true."
    )


def test_conditions_that_exclude_each_other() -> None:
    with pytest.raises(RunError, match=r"--where level=0,label=false: no item is left\."):
        matching(read_conditions(["level=0,label=false"]), ROWS)


@pytest.mark.parametrize("text", ["", "a,,b", "a,a", " "])
def test_what_is_no_grouping(text: str) -> None:
    with pytest.raises(RunError, match="--by"):
        read_columns([text])


@example(2**53 + 1)
@given(st.one_of(st.text(st.characters(exclude_characters=","), min_size=1), st.integers()))
def test_a_value_is_found_by_its_own_text(value: str | int) -> None:
    text = str(value)
    assert Condition("column", (text,)).holds(value)
    (condition,) = read_conditions([f"column={text}"])
    assert condition.values == (text.strip(),)
