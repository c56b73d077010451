"""A language as a table, and the operators that are found in fixed text."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, cast

import pytest

from sorites.families.veridicality.clauses.language import Language, pattern_problems, places
from sorites.families.veridicality.clauses.operators import Operators
from sorites.specfile.reader import read


@pytest.mark.parametrize("name", ["english", "german"])
def test_the_tables_of_the_repository_have_no_problem(root: Path, name: str) -> None:
    table = cast("dict[str, Any]", read(root / "specs" / "veridicality" / f"{name}.yaml").data)
    assert [*pattern_problems(Language.of(table))] == []


@pytest.mark.parametrize(
    ("environment", "pattern", "problem"),
    [
        ("positive", "{subject} {verb}", "'{subject} {verb}' needs the place {complement} once"),
        (
            "positive",
            "{subject} {verb} {base} {complement}",
            "'{subject} {verb} {base} {complement}' needs one of {verb}, {base} and {participle}",
        ),
        (
            "positive",
            "{subject} never {verb} {complement}",
            "'{subject} never {verb} {complement}' has the operators negations, and its "
            "environment none",
        ),
        (
            "modal",
            "{subject} {verb} {complement}",
            "'{subject} {verb} {complement}' has the operators none, and its environment "
            "possibilities",
        ),
        (
            "question",
            "{do} {subject} {base} {complement}",
            "'{do} {subject} {base} {complement}' must end in a question mark",
        ),
        (
            "conditional",
            "if {subject} {verb} {complement}",
            "'if {subject} {verb} {complement}' needs the place {consequent} once",
        ),
        (
            "positive",
            "{subject} {vreb} {verb} {complement}",
            "'{subject} {vreb} {verb} {complement}' has a place {vreb}, which is no auxiliary of "
            "the language",
        ),
        (
            "positive",
            "{subject.__class__} {verb} {complement}",
            "'{subject.__class__} {verb} {complement}' cannot be read: a place is a name in "
            "braces, and nothing else",
        ),
        (
            "positive",
            "{subject} {verb!r} {complement}",
            "'{subject} {verb!r} {complement}' cannot be read: a place is a name in braces, and "
            "nothing else",
        ),
    ],
)
def test_a_pattern_has_the_operator_of_its_environment(
    root: Path, environment: str, pattern: str, problem: str
) -> None:
    table = copy.deepcopy(read(root / "specs" / "veridicality" / "english.yaml").data)
    changed = cast("dict[str, Any]", table)
    changed["clauses"][environment] = pattern
    found = [*pattern_problems(Language.of(changed))]
    assert f"clauses, {environment}, past: {problem}" in found
    assert all(environment in text for text in found)


def test_places_are_told_in_their_order() -> None:
    assert places("did {subject} {base} {complement}?") == ("subject", "base", "complement")


def test_operators_are_words_and_phrases() -> None:
    operators = Operators.of(
        {"negations": ["no one", "no", "few"], "conditions": ["in case"], "harmless": ["a few"]}
    )
    assert operators.found("No one knew; no, a few critics, few others, in case of snow") == (
        ("no one", "negations"),
        ("no", "negations"),
        ("few", "negations"),
        ("in case", "conditions"),
    )
    assert operators.found("knots, northern fewness") == ()
    assert Operators.of({}).found("no one") == ()
