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

from collections.abc import Sequence
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
    ``counter_model`` is a model of the premises in which the conclusion is false (UNDETERMINED and
    CONTRADICTED), ``model`` one in which it is true (UNDETERMINED and ENTAILED).
    """

    verdict: Verdict
    needed: tuple[int, ...] = ()
    model: FiniteModel | None = None
    counter_model: FiniteModel | None = None
    check: Check = Check.NONE


@dataclass(frozen=True, slots=True)
class _Possible:
    """Whether formulas can be true together, a model if a finite one was found, and the check."""

    answer: Answer
    model: FiniteModel | None = None
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
        self._redundant: dict[tuple[str, ...], tuple[int, ...]] = {}

    def judge(self, premises: Sequence[Node], conclusion: Node) -> Judgement:
        """How the conclusion stands to the premises."""
        argument = numbered([*premises, conclusion])
        known = self._known.get(argument.key)
        if known is None:
            known = self._judged(argument.formulas[:-1], argument.formulas[-1])
            self._known[argument.key] = known
        return Judgement(
            known.verdict,
            known.needed,
            _renamed(known.model, argument.names),
            _renamed(known.counter_model, argument.names),
            known.check,
        )

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
        imports = self._imported(premises)
        left = [*range(len(premises))]
        # From the last one on, so that the first of equal premises stays.
        for index in reversed(range(len(premises))):
            others = [premises[each] for each in left if each != index]
            denied = Node(Kind.NOT, (premises[index],))
            if self._z3([*others, denied], imports)[0] is Answer.NO:
                left.remove(index)
        return tuple(each for each in range(len(premises)) if each not in left)

    def _judged(self, premises: Sequence[Node], conclusion: Node) -> Judgement:
        imports = self._imported([*premises, conclusion])
        denied = Node(Kind.NOT, (conclusion,))
        holds = self._possible([*premises, conclusion], imports)
        fails = self._possible([*premises, denied], imports)
        answers = holds.answer, fails.answer
        if Answer.UNKNOWN in answers:
            checks = (holds.check, fails.check)
            disagree = Check.DISAGREES in checks
            return Judgement(
                Verdict.UNKNOWN, check=Check.DISAGREES if disagree else Check.NONE
            )
        verdict = _VERDICTS[answers]
        check = holds.check if holds.answer is Answer.NO else fails.check
        by_types = judge_by_types(
            premises, conclusion, existential_import=self.existential_import
        )
        if by_types is not None:
            if by_types is not verdict:
                return Judgement(Verdict.UNKNOWN, check=Check.DISAGREES)
            check = Check.TYPES
        needed: tuple[int, ...] = ()
        match verdict:
            case Verdict.ENTAILED:
                needed = self._needed(premises, [denied], imports)
            case Verdict.CONTRADICTED:
                needed = self._needed(premises, [conclusion], imports)
            case Verdict.INCONSISTENT:
                needed = self._needed(premises, [], imports)
            case Verdict.UNDETERMINED if check is not Check.TYPES:
                both = holds.check is Check.MODEL and fails.check is Check.MODEL
                check = Check.MODEL if both else Check.NONE
        return Judgement(verdict, needed, holds.model, fails.model, check)

    def _imported(self, formulas: Sequence[Node]) -> tuple[Symbol, ...]:
        """The predicates that are true of something by assumption."""
        if not self.existential_import:
            return ()
        return tuple(each for each in symbols_of(formulas).predicates if each.arity == 1)

    def _possible(self, formulas: Sequence[Node], imports: Sequence[Symbol]) -> _Possible:
        model = self._small_model(formulas, imports)
        answer, _ = self._z3(formulas, imports)
        if model is not None:
            if answer is Answer.NO:
                return _Possible(Answer.UNKNOWN, check=Check.DISAGREES)
            return _Possible(Answer.YES, model, Check.MODEL)
        return _Possible(
            answer, check=Check.NO_SMALL_MODEL if answer is Answer.NO else Check.NONE
        )

    def _small_model(
        self, formulas: Sequence[Node], imports: Sequence[Symbol]
    ) -> FiniteModel | None:
        for size in range(1, MAX_SIZE + 1):
            try:
                model = find_model(
                    formulas, size, inhabited=imports, resource_limit=self.resource_limit
                )
                if model is not None and all(is_true(each, model) for each in formulas):
                    return model
            except TooLarge:
                return None
        return None

    def _needed(
        self, premises: Sequence[Node], asked: Sequence[Node], imports: Sequence[Symbol]
    ) -> tuple[int, ...]:
        """Premises that contradict what is asked, none of which can be left out."""
        answer, core = self._z3([*premises, *asked], imports)
        assert answer is Answer.NO
        kept = [index for index in core if index < len(premises)]
        for index in list(kept):
            fewer = [premises[each] for each in kept if each != index]
            if self._z3([*fewer, *asked], imports)[0] is Answer.NO:
                kept.remove(index)
        return tuple(kept)

    def _z3(
        self, formulas: Sequence[Node], imports: Sequence[Symbol]
    ) -> tuple[Answer, tuple[int, ...]]:
        """Whether formulas can be true together; if not, some (from 0) that cannot."""
        self.questions += 1
        terms = Z3Terms()
        solver = z3.Solver(ctx=terms.context)
        solver.set("rlimit", self.resource_limit)
        solver.set("random_seed", 0)
        for symbol in imports:
            solver.add(terms.inhabited(symbol))
        marks = [z3.Bool(f"formula {index}", terms.context) for index in range(len(formulas))]
        for mark, formula in zip(marks, formulas, strict=True):
            solver.assert_and_track(terms.formula(formula), mark)
        found = solver.check()
        if found == z3.unsat:
            core = {str(mark) for mark in solver.unsat_core()}
            return Answer.NO, tuple(
                index for index, mark in enumerate(marks) if str(mark) in core
            )
        return (Answer.YES if found == z3.sat else Answer.UNKNOWN), ()


_VERDICTS = {
    (Answer.YES, Answer.NO): Verdict.ENTAILED,
    (Answer.NO, Answer.YES): Verdict.CONTRADICTED,
    (Answer.YES, Answer.YES): Verdict.UNDETERMINED,
    (Answer.NO, Answer.NO): Verdict.INCONSISTENT,
}
"""By whether the conclusion can be true beside the premises, and whether it can be false."""


def _renamed(model: FiniteModel | None, names: dict[Symbol, str]) -> FiniteModel | None:
    if model is None:
        return None

    def named(symbol: Symbol) -> Symbol:
        return Symbol(names.get(symbol, symbol.name), symbol.arity, symbol.is_predicate)

    return FiniteModel(
        model.size,
        {named(symbol): rows for symbol, rows in model.predicates.items()},
        {named(symbol): values for symbol, values in model.functions.items()},
    )
