"""How a conclusion stands to premises in first-order logic: by Z3, checked by two other ways.

An argument is put to Z3 with its symbols numbered and in a context of its own, so the answer
depends on nothing but the argument: not on names, nor on what was asked before. It is checked:

- where Z3 finds a model, finite models are searched up to a small size, and one that is found is
  worked out truth value by truth value;
- where it finds none, no finite model may be found either; and where all predicates are unary
  and no quantifiers nest, types decide the same question exactly.

Two ways that disagree are no answer: the verdict is then UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import z3

from sorites.logic.first_order.models import MAX_SIZE, FiniteModel, TooLarge, find_model, is_true
from sorites.logic.first_order.monadic import judge_by_types
from sorites.logic.first_order.trees import Kind, Node, Symbol, numbered, symbols_of
from sorites.logic.first_order.z3_terms import Z3Terms
from sorites.logic.prover import DEFAULT_RESOURCE_LIMIT, Answer, Verdict

__all__ = ["Check", "FirstOrderProver", "Judgement"]


class Check(Enum):
    """What besides Z3 says the same."""

    MODEL = "a finite model, worked out"
    TYPES = "the decision over types"
    NO_SMALL_MODEL = "no finite model of a small size"
    NONE = "nothing"
    DISAGREES = "disagrees"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and what shows it.

    ``needed`` are the premises (from 0) of a proof from which none can be left out: for ENTAILED
    and CONTRADICTED of the conclusion or its negation, for INCONSISTENT of a contradiction.
    """

    verdict: Verdict
    needed: tuple[int, ...] = ()
    check: Check = Check.NONE


@dataclass(frozen=True, slots=True)
class _Possible:
    """Whether formulas can be true together, and what besides Z3 says so."""

    answer: Answer
    check: Check = Check.NONE


class FirstOrderProver:
    """Decides arguments and remembers each up to the names in it.

    ``existential_import`` adds, to every question, that each predicate of one individual that
    stands in the argument is true of some individual. ``questions`` counts those put to Z3.
    """

    def __init__(
        self, *, existential_import: bool = False, resource_limit: int = DEFAULT_RESOURCE_LIMIT
    ) -> None:
        self.existential_import = existential_import
        self.resource_limit = resource_limit
        self.questions = 0
        self._known: dict[tuple[str, ...], Judgement] = {}
        self._models: dict[tuple[tuple[str, ...], bool], FiniteModel | None] = {}
        self._redundant: dict[tuple[str, ...], tuple[int, ...]] = {}

    def judge(self, premises: Sequence[Node], conclusion: Node) -> Judgement:
        """How the conclusion stands to the premises."""
        argument = numbered([*premises, conclusion])
        if argument.key not in self._known:
            premises, asked = argument.formulas[:-1], argument.formulas[-1]
            self._known[argument.key] = self._judged(premises, asked)
        return self._known[argument.key]

    def model(
        self, premises: Sequence[Node], conclusion: Node, *, conclusion_is: bool
    ) -> FiniteModel | None:
        """A small model of the premises in which the conclusion is true, or false; None if none
        of up to MAX_SIZE individuals is found."""
        argument = numbered([*premises, conclusion])
        key = argument.key, conclusion_is
        if key not in self._models:
            formulas = argument.formulas
            if not conclusion_is:
                formulas = (*formulas[:-1], Node(Kind.NOT, (formulas[-1],)))
            question = _Question(self, argument.formulas)
            self._models[key] = question.small_model(formulas, MAX_SIZE)
        return _renamed(self._models[key], argument.names)

    def redundant(self, premises: Sequence[Node]) -> tuple[int, ...]:
        """The premises (from 0) that follow from the others, where these can all be true.

        Of premises that say the same, the first is not counted.
        """
        if not premises:
            return ()
        argument = numbered(premises)
        if argument.key not in self._redundant:
            self._redundant[argument.key] = self._following(argument.formulas)
        return self._redundant[argument.key]

    def _following(self, premises: Sequence[Node]) -> tuple[int, ...]:
        question = _Question(self, premises)
        left = [*range(len(premises))]
        # From the last one on, so that the first of equal premises stays.
        for index in reversed(range(len(premises))):
            others = [premises[each] for each in left if each != index]
            denied = Node(Kind.NOT, (premises[index],))
            if question.answer([*others, denied])[0] is Answer.NO:
                left.remove(index)
        return tuple(each for each in range(len(premises)) if each not in left)

    def _judged(self, premises: Sequence[Node], conclusion: Node) -> Judgement:
        question = _Question(self, [*premises, conclusion])
        denied = Node(Kind.NOT, (conclusion,))
        by_types = judge_by_types(premises, conclusion, existential_import=self.existential_import)
        holds = question.possible([*premises, conclusion], by_types is not None)
        fails = question.possible([*premises, denied], by_types is not None)
        answers = holds.answer, fails.answer
        if Answer.UNKNOWN in answers:
            disagree = Check.DISAGREES in (holds.check, fails.check)
            return Judgement(Verdict.UNKNOWN, check=Check.DISAGREES if disagree else Check.NONE)
        verdict = _VERDICTS[answers]
        if by_types is not None and by_types is not verdict:
            return Judgement(Verdict.UNKNOWN, check=Check.DISAGREES)
        needed: tuple[int, ...] = ()
        if verdict is not Verdict.UNDETERMINED:
            asked = {Verdict.ENTAILED: [denied], Verdict.CONTRADICTED: [conclusion]}
            needed = question.needed(premises, asked.get(verdict, []))
        return Judgement(
            verdict,
            needed,
            Check.TYPES if by_types is not None else _weaker(holds.check, fails.check),
        )


class _Question:
    """What is asked of one argument: all of it in one context of Z3."""

    def __init__(self, prover: FirstOrderProver, formulas: Sequence[Node]) -> None:
        self._prover = prover
        self._terms = Z3Terms()
        self._known: dict[Node, z3.BoolRef] = {}
        # The predicates that are true of something by assumption.
        self._imports: tuple[Symbol, ...] = ()
        if prover.existential_import:
            predicates = symbols_of(formulas).predicates
            self._imports = tuple(each for each in predicates if each.arity == 1)

    def possible(self, formulas: Sequence[Node], decided: bool) -> _Possible:
        """Whether formulas can all be true; ``decided`` where types say it too."""
        answer, _ = self.answer(formulas)
        if decided and answer is not Answer.UNKNOWN:
            return _Possible(answer)
        # Where nothing is to be found, the search must end soon.
        largest = 2 if answer is Answer.NO else MAX_SIZE
        model = self.small_model(formulas, largest)
        if model is not None:
            if answer is Answer.NO:
                return _Possible(Answer.UNKNOWN, Check.DISAGREES)
            return _Possible(Answer.YES, Check.MODEL)
        return _Possible(answer, Check.NO_SMALL_MODEL if answer is Answer.NO else Check.NONE)

    def needed(self, premises: Sequence[Node], asked: Sequence[Node]) -> tuple[int, ...]:
        """Premises that contradict what is asked, none of which can be left out."""
        answer, core = self.answer([*premises, *asked])
        assert answer is Answer.NO
        kept = [index for index in core if index < len(premises)]
        for index in list(kept):
            fewer = [premises[each] for each in kept if each != index]
            if self.answer([*fewer, *asked])[0] is Answer.NO:
                kept.remove(index)
        return tuple(kept)

    def answer(self, formulas: Sequence[Node]) -> tuple[Answer, tuple[int, ...]]:
        """Whether formulas can be true together; if not, some (from 0) that cannot."""
        self._prover.questions += 1
        terms, context = self._terms, self._terms.context
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", self._prover.resource_limit)
        solver.set("random_seed", 0)
        for symbol in self._imports:
            solver.add(terms.inhabited(symbol))
        marks = [z3.Bool(f"formula {index}", context) for index in range(len(formulas))]
        for mark, formula in zip(marks, formulas, strict=True):
            solver.assert_and_track(self._term(formula), mark)
        found = solver.check()
        if found == z3.unsat:
            core = {str(mark) for mark in solver.unsat_core()}
            return Answer.NO, tuple(index for index, mark in enumerate(marks) if str(mark) in core)
        return (Answer.YES if found == z3.sat else Answer.UNKNOWN), ()

    def _term(self, formula: Node) -> z3.BoolRef:
        if formula not in self._known:
            self._known[formula] = self._terms.formula(formula)
        return self._known[formula]

    def small_model(self, formulas: Sequence[Node], largest: int) -> FiniteModel | None:
        """The smallest model that is found of up to that many individuals, worked out."""
        for size in range(1, largest + 1):
            try:
                model = find_model(
                    formulas,
                    size,
                    inhabited=self._imports,
                    resource_limit=self._prover.resource_limit,
                    context=self._terms.context,
                )
                if model is not None and all(is_true(each, model) for each in formulas):
                    return model
            except TooLarge:
                return None
        return None


def _weaker(one: Check, other: Check) -> Check:
    return max(one, other, key=_ORDER.index)


_ORDER = (Check.TYPES, Check.MODEL, Check.NO_SMALL_MODEL, Check.NONE, Check.DISAGREES)
"""From the check that says most."""

_VERDICTS = {
    (Answer.YES, Answer.NO): Verdict.ENTAILED,
    (Answer.NO, Answer.YES): Verdict.CONTRADICTED,
    (Answer.YES, Answer.YES): Verdict.UNDETERMINED,
    (Answer.NO, Answer.NO): Verdict.INCONSISTENT,
}
"""By whether the conclusion can be true beside the premises, and whether it can be false."""


def _renamed(model: FiniteModel | None, names: Mapping[Symbol, str]) -> FiniteModel | None:
    if model is None:
        return None

    def named(symbol: Symbol) -> Symbol:
        return Symbol(names.get(symbol, symbol.name), symbol.arity, symbol.is_predicate)

    return FiniteModel(
        model.size,
        {named(symbol): rows for symbol, rows in model.predicates.items()},
        {named(symbol): values for symbol, values in model.functions.items()},
    )
