"""Verdicts of a release by two provers that share nothing with ours: cvc5 and E."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pyarrow.parquet as pq
import pytest
from nltk.sem.logic import (
    AllExpression,
    AndExpression,
    ApplicationExpression,
    BinaryExpression,
    Expression,
    IffExpression,
    ImpExpression,
    NegatedExpression,
    OrExpression,
    QuantifiedExpression,
)

from sorites.logic.formulas import Formula, negation, parse
from tests.conftest import ROOT
from tests.samples import compiled

pytestmark = pytest.mark.slow

ARGUMENTS = 2_000

_TPTP = {AndExpression: "&", OrExpression: "|", ImpExpression: "=>", IffExpression: "<=>"}
_SMT = {AndExpression: "and", OrExpression: "or", ImpExpression: "=>", IffExpression: "="}

Entails = Callable[[Sequence[Formula], Formula], bool]


@pytest.fixture(scope="module")
def arguments(
    tmp_path_factory: pytest.TempPathFactory,
) -> list[tuple[list[Formula], Formula, str]]:
    """Arguments of the sample, of every scheme, with the verdicts of their rows."""
    folder = compiled(ROOT / "specs" / "sample" / "syllobio-nli.yaml", tmp_path_factory)
    found: dict[tuple[str, ...], tuple[list[Formula], Formula, str]] = {}
    for path in sorted(folder.glob("data/*/*.parquet")):
        if path.parent.name == "certificates":
            continue
        for row in pq.read_table(path).to_pylist():
            texts = [*row["premise_formulas"], row["conclusion_formula"]]
            *premises, conclusion = map(parse, texts)
            found[(*texts, row["verdict"])] = premises, conclusion, row["verdict"]
    return random.Random(0).sample([*found.values()], ARGUMENTS)


def verdict(entails: Entails, premises: Sequence[Formula], conclusion: Formula) -> str:
    if entails(premises, conclusion):
        return "entailed"
    return "contradicted" if entails(premises, negation(conclusion)) else "undetermined"


def tptp(term: Expression) -> str:
    """A formula in the notation that E reads (Sutcliffe, the TPTP problem library)."""
    match term:
        case QuantifiedExpression():
            sign = "!" if isinstance(term, AllExpression) else "?"
            name = str(term.variable)
            return f"({sign} [{name.upper()}] : {tptp(term.term)})"
        case NegatedExpression():
            return f"~ {tptp(term.term)}"
        case BinaryExpression():
            return f"({tptp(term.first)} {_TPTP[type(term)]} {tptp(term.second)})"
        case ApplicationExpression():
            # In this fragment x, y and z are bound, and letters from a on are names.
            about = ",".join(n.upper() if n in "xyz" else n for n in map(str, term.args))
            return f"p_{str(term.pred).lower()}({about})"
    raise TypeError(term)


def smt(term: Expression) -> str:
    """A formula in SMT-LIB, which cvc5 reads."""
    match term:
        case QuantifiedExpression():
            sign = "forall" if isinstance(term, AllExpression) else "exists"
            return f"({sign} (({term.variable} U)) {smt(term.term)})"
        case NegatedExpression():
            return f"(not {smt(term.term)})"
        case BinaryExpression():
            return f"({_SMT[type(term)]} {smt(term.first)} {smt(term.second)})"
        case ApplicationExpression():
            return f"({term.pred} {' '.join(map(str, term.args))})"
    raise TypeError(term)


@cache
def _e_says(problem: str) -> bool:
    done = subprocess.run(
        ["eprover", "--auto", "--silent", "--cpu-limit=60", "-"],
        input=problem,
        capture_output=True,
        text=True,
        check=False,
    )
    if "SZS status Theorem" in done.stdout or "ContradictoryAxioms" in done.stdout:
        return True
    assert "SZS status CounterSatisfiable" in done.stdout, done.stdout
    return False


def e_entails(premises: Sequence[Formula], conclusion: Formula) -> bool:
    lines = [f"fof(p{n}, axiom, {tptp(each.tree)})." for n, each in enumerate(premises)]
    return _e_says("\n".join([*lines, f"fof(c, conjecture, {tptp(conclusion.tree)})."]))


@pytest.mark.skipif(shutil.which("eprover") is None, reason="E is not installed (eprover)")
def test_e_says_the_same(arguments: list[tuple[list[Formula], Formula, str]]) -> None:
    def other(argument: tuple[list[Formula], Formula, str]) -> bool:
        premises, conclusion, said = argument
        return verdict(e_entails, premises, conclusion) != said

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(other, arguments)) == 0


def test_cvc5_says_the_same(arguments: list[tuple[list[Formula], Formula, str]]) -> None:
    cvc5 = pytest.importorskip("cvc5", reason="cvc5 is not installed")

    def entails(premises: Sequence[Formula], conclusion: Formula) -> bool:
        formulas = [*premises, negation(conclusion)]
        predicates = {name for each in formulas for name in each.symbols.predicates}
        names = {name for each in formulas for name in each.symbols.individuals}
        solver = cvc5.Solver()
        # Unknown is no answer: it looks for finite models, which these formulas have.
        solver.setOption("finite-model-find", "true")
        parser = cvc5.InputParser(solver)
        text = "\n".join(
            [
                "(set-logic UF)",
                "(declare-sort U 0)",
                *(f"(declare-fun {name} (U) Bool)" for name in sorted(predicates)),
                *(f"(declare-const {name} U)" for name in sorted(names)),
                *(f"(assert {smt(each.tree)})" for each in formulas),
            ]
        )
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "argument")
        while not (command := parser.nextCommand()).isNull():
            command.invoke(solver, parser.getSymbolManager())
        result = solver.checkSat()
        assert result.isSat() or result.isUnsat(), text
        return bool(result.isUnsat())

    differing = [
        premises
        for premises, conclusion, said in arguments
        if verdict(entails, premises, conclusion) != said
    ]
    assert differing == []
