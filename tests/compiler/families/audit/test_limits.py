"""Formulas at the limits of length, nesting and quantifiers: an answer or "unknown", no hang."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorites.families.audit.faults import FaultKind
from sorites.logic.first_order.trees import depth
from sorites.logic.notations.errors import NotationError
from sorites.logic.notations.known import NOTATIONS
from sorites.logic.notations.parser import MAX_LENGTH, read_formula
from tests.compiler.families.audit.specs import audited, write_spec


def exactly(length: int) -> str:
    """A conjunction of so many characters, of atoms that are all different."""
    text = " & ".join(f"P{number}(a)" for number in range(length))[: length - 12]
    text = text[: text.rindex(" & ")]
    return f"{text} & {'Q' * (length - len(text) - 6)}(a)"


LARGE = {
    "ten thousand characters": exactly(10_000),
    "nested 500 deep": "-" * 500 + "P(a)",
    "nested 500 deep in brackets": "(" * 500 + "P(a)" + ")" * 500,
    "forty quantifiers by turns": "".join(
        f"all x{n}.exists y{n}.(R(x{n},y{n}) & " for n in range(20)
    )
    + "R(a,b)"
    + ")" * 20,
    "forty quantifiers and equations": "".join(f"exists x{n}." for n in range(40))
    + "("
    + " & ".join(f"-(x{n} = x{n + 1})" for n in range(39))
    + ")",
}
TOO_LARGE = {
    "one character more": (exactly(10_001), "the formula has 10,001 characters"),
    "one negation more": ("-" * 501 + "P(a)", "more than 500 terms inside one another"),
}


def test_lengths_are_as_said() -> None:
    assert [len(LARGE["ten thousand characters"]), len(TOO_LARGE["one character more"][0])] == [
        MAX_LENGTH,
        MAX_LENGTH + 1,
    ]


@pytest.mark.parametrize(
    "universal", ["modern", pytest.param("existential", marks=pytest.mark.slow)]
)
def test_large_arguments_are_answered_or_given_up(universal: str, tmp_path: Path) -> None:
    """As a premise, as a conclusion and as both: what is both follows, whatever it is."""
    rows = [
        {"id": f"{name}, {place}", "premises": [premise], "conclusion": conclusion, "label": label}
        for name, text in LARGE.items()
        for place, premise, conclusion, label in (
            ("premise", text, "Unheard(b)", "neutral"),
            ("conclusion", "Unheard(b)", text, "neutral"),
            ("both", text, text, "entailment"),
        )
    ]
    rows += [
        {"id": name, "premises": ["P(a)"], "conclusion": text, "label": "neutral"}
        for name, (text, _) in TOO_LARGE.items()
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    files = {"test": path}
    found = audited(
        write_spec(tmp_path, files, reading={"notation": "nltk"}, universals=[universal]), files
    )
    unread = {fault.id: fault.message for fault in found.of(FaultKind.UNREAD)}
    assert {*unread} == {*TOO_LARGE}
    assert all(told in unread[name] for name, (_, told) in TOO_LARGE.items())
    given_up = {fault.id for fault in found.of(FaultKind.UNDECIDED)}
    (agreement,) = found.agreements
    assert agreement.agree == 3 * len(LARGE) - len(given_up)
    assert {(fault.kind, fault.id) for fault in found.faults} == {
        *((FaultKind.UNREAD, name) for name in TOO_LARGE),
        *((FaultKind.UNDECIDED, name) for name in given_up),
    }
    assert all("forty" in name for name in given_up)


@pytest.mark.parametrize(
    ("notation", "negation"), [("nltk", "-"), ("folio", "¬"), ("prover9", "-"), ("tptp", "~")]
)
def test_the_same_limits_in_every_notation(notation: str, negation: str) -> None:
    atom = "walk(ann)"
    assert depth(read_formula(negation * 500 + atom, NOTATIONS[notation])) == 500
    for text, fault in (
        (negation * 501 + atom, "more than 500 terms inside one another"),
        (atom.rjust(MAX_LENGTH + 1), "the formula has 10,001 characters"),
    ):
        with pytest.raises(NotationError, match=fault):
            read_formula(text, NOTATIONS[notation])
