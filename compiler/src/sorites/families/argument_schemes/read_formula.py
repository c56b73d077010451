"""A formula in a spec, and what is wrong with it in the spec's own places."""

from __future__ import annotations

from sorites.errors import Problem
from sorites.logic.formulas import Formula, FormulaError, parse
from sorites.specfile.reader import Document

__all__ = ["read_formula"]


def read_formula(
    document: Document, place: tuple[str | int, ...], text: str, problems: list[Problem]
) -> Formula | None:
    """The formula of a text; where there is none, a problem and None."""
    try:
        return parse(text)
    except FormulaError as error:
        problems.append(
            document.problem(
                place,
                f"character {error.position} of the formula: {error.reason}",
                "formulas are written as in nltk.sem.logic, such as all x.(F(x) -> G(x))",
            )
        )
        return None
