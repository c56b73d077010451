"""What follows from what, decided by Z3.

Every answer is one of three: yes, no, or unknown where Z3 met its resource limit; unknown never
becomes a label. Arguments that are equal up to the names of their symbols are proved once.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cached_property
from itertools import combinations

import z3
from nltk.sem.logic import (
    AllExpression,
    AndExpression,
    ApplicationExpression,
    ExistsExpression,
    Expression,
    IffExpression,
    ImpExpression,
    NegatedExpression,
    OrExpression,
)

from sorites.logic.formulas import CanonicalArgument, Formula, canonical_argument, negation

__all__ = ["Answer", "Prover", "Verdict"]

DEFAULT_RESOURCE_LIMIT = 2_000_000
"""Z3's ``rlimit`` for one check: deterministic, unlike a time-out. A typical check of an
argument with eight premises spends under 5,000."""


class Answer(Enum):
    """The outcome of one question to the prover."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Verdict(Enum):
    """How a conclusion stands to premises; the first three are labels, the others never."""

    ENTAILED = "entailed"
    CONTRADICTED = "contradicted"
    UNDETERMINED = "undetermined"
    INCONSISTENT = "inconsistent"
    UNKNOWN = "unknown"


class Prover:
    """Decides entailment, consistency and minimality, and remembers what it has decided.

    ``existential_import`` adds, to every question, that each predicate in it is true of some
    individual. ``checks`` counts questions put to Z3, ``repeated`` those answered from memory.
    """

    def __init__(
        self,
        *,
        existential_import: bool = False,
        resource_limit: int = DEFAULT_RESOURCE_LIMIT,
    ) -> None:
        self.existential_import = existential_import
        self.resource_limit = resource_limit
        self.checks = 0
        self.repeated = 0
        self._known: dict[tuple[bool, CanonicalArgument], Answer] = {}
        self._terms: dict[Formula, z3.BoolRef] = {}

    @cached_property
    def _context(self) -> z3.Context:
        # Made when first needed: many provers are never asked what types do not answer.
        return z3.Context()

    @cached_property
    def _sort(self) -> z3.SortRef:
        return z3.DeclareSort("Individual", self._context)

    @cached_property
    def _solver(self) -> z3.Solver:
        return self._new_solver()

    def satisfiable(self, formulas: Sequence[Formula]) -> Answer:
        """Whether some model makes every formula true."""
        if not formulas:
            return Answer.YES
        return self._possible(formulas[:-1], formulas[-1], denied=False)

    def _possible(
        self, premises: Sequence[Formula], conclusion: Formula, *, denied: bool
    ) -> Answer:
        """Whether some model makes the premises true and the conclusion true, or false."""
        key = denied, canonical_argument(premises, conclusion)
        known = self._known.get(key)
        if known is not None:
            self.repeated += 1
            return known
        formulas = [*premises, negation(conclusion) if denied else conclusion]
        answer = self._check(self._solver, formulas)
        if answer is Answer.UNKNOWN:
            # What a reused solver has learned must not decide which rows a release holds.
            answer = self._check(self._new_solver(), formulas)
        self._known[key] = answer
        return answer

    def entails(self, premises: Sequence[Formula], conclusion: Formula) -> Answer:
        """Whether the conclusion is true wherever all premises are."""
        return _not(self._possible(premises, conclusion, denied=True))

    def verdict(self, premises: Sequence[Formula], conclusion: Formula) -> Verdict:
        """Whether consistent premises entail the conclusion, contradict it, or leave it open."""
        possible = self._possible(premises, conclusion, denied=False)
        refutable = self._possible(premises, conclusion, denied=True)
        if Answer.UNKNOWN in (possible, refutable):
            return Verdict.UNKNOWN
        if possible is Answer.NO and refutable is Answer.NO:
            return Verdict.INCONSISTENT
        if refutable is Answer.NO:
            return Verdict.ENTAILED
        return Verdict.CONTRADICTED if possible is Answer.NO else Verdict.UNDETERMINED

    def redundant(self, premises: Sequence[Formula], conclusion: Formula) -> list[int]:
        """Positions (from 0) of premises without which the conclusion still follows.

        Empty exactly when the premises are minimal. An unknown counts as redundant: nobody has
        shown that the premise is needed.
        """
        return [
            left_out
            for left_out in range(len(premises))
            if self.entails([*premises[:left_out], *premises[left_out + 1 :]], conclusion)
            is not Answer.NO
        ]

    def minimal_sets(
        self, premises: Sequence[Formula], conclusion: Formula
    ) -> list[tuple[int, ...]]:
        """The sets of positions (from 0) that entail and of which no part does, small ones first.

        Looks at every set of premises: for a handful of them.
        """
        found: list[tuple[int, ...]] = []
        for size in range(len(premises) + 1):
            for chosen in combinations(range(len(premises)), size):
                if any(set(smaller) <= set(chosen) for smaller in found):
                    continue
                if self.entails([premises[index] for index in chosen], conclusion) is Answer.YES:
                    found.append(chosen)
        return found

    def only_minimal_set(
        self, premises: Sequence[Formula], gold: Sequence[int], conclusion: Formula
    ) -> Answer:
        """Whether the gold positions (from 0) are the only minimal set that entails.

        They are when they entail the conclusion and leaving out any one of them, with every
        other premise kept, breaks the entailment: then each sufficient set contains them all.
        """
        answers = [self.entails([premises[index] for index in gold], conclusion)]
        for left_out in gold:
            others = [premise for index, premise in enumerate(premises) if index != left_out]
            answers.append(_not(self.entails(others, conclusion)))
        if Answer.NO in answers:
            return Answer.NO
        return Answer.UNKNOWN if Answer.UNKNOWN in answers else Answer.YES

    def counter_model(self, premises: Sequence[Formula], conclusion: Formula) -> str | None:
        """A model of the premises in which the conclusion is false, in words; None if none.

        One clause for each individual: what it is and what it is not. For formulas whose
        predicates are all unary, as those of argument schemes are.
        """
        solver = self._new_solver()
        formulas = [*premises, negation(conclusion)]
        solver.add(*self._all_terms(formulas))
        if solver.check() != z3.sat:
            return None
        return self._in_words(solver.model(), formulas)

    def _new_solver(self) -> z3.Solver:
        solver = z3.Solver(ctx=self._context)
        solver.set("rlimit", self.resource_limit)
        solver.set("random_seed", 0)
        return solver

    def _check(self, solver: z3.Solver, formulas: Sequence[Formula]) -> Answer:
        self.checks += 1
        solver.push()
        solver.add(*self._all_terms(formulas))
        result = solver.check()
        solver.pop()
        if result == z3.sat:
            return Answer.YES
        return Answer.NO if result == z3.unsat else Answer.UNKNOWN

    def _all_terms(self, formulas: Sequence[Formula]) -> list[z3.BoolRef]:
        terms = [self._term(formula) for formula in formulas]
        if self.existential_import:
            predicates = {name: None for formula in formulas for name in formula.symbols.predicates}
            somebody = self._individual("x")
            terms += [
                z3.Exists([somebody], self._predicate(name, 1)(somebody)) for name in predicates
            ]
        return terms

    def _term(self, formula: Formula) -> z3.BoolRef:
        term = self._terms.get(formula)
        if term is None:
            term = self._translate(formula.tree)
            self._terms[formula] = term
        return term

    def _translate(self, parsed: Expression) -> z3.BoolRef:
        """The Z3 term of a formula's tree."""
        match parsed:
            case AllExpression():
                bound = self._individual(parsed.variable.name)
                return z3.ForAll([bound], self._translate(parsed.term))
            case ExistsExpression():
                bound = self._individual(parsed.variable.name)
                return z3.Exists([bound], self._translate(parsed.term))
            case NegatedExpression():
                return z3.Not(self._translate(parsed.term))
            case ApplicationExpression():
                arguments = [self._individual(str(argument)) for argument in parsed.args]
                return self._predicate(str(parsed.pred), len(arguments))(*arguments)
            case AndExpression() | OrExpression() | ImpExpression() | IffExpression():
                first = self._translate(parsed.first)
                second = self._translate(parsed.second)
                match parsed:
                    case AndExpression():
                        return z3.And(first, second)
                    case OrExpression():
                        return z3.Or(first, second)
                    case ImpExpression():
                        return z3.Implies(first, second)
                return first == second
        raise TypeError(f"not a formula: {parsed}")

    def _individual(self, name: str) -> z3.ExprRef:
        return z3.Const(name, self._sort)

    def _predicate(self, name: str, arity: int) -> z3.FuncDeclRef:
        return z3.Function(name, *[self._sort] * arity, z3.BoolSort(self._context))

    def _in_words(self, model: z3.ModelRef, formulas: Sequence[Formula]) -> str:
        predicates: dict[str, None] = {}
        named: dict[str, None] = {}
        for formula in formulas:
            predicates |= dict.fromkeys(formula.symbols.predicates)
            named |= dict.fromkeys(formula.symbols.individuals)
        names: dict[str, list[str]] = {}
        for name in named:
            value = model.eval(self._individual(name), model_completion=True)
            names.setdefault(str(value), []).append(name)
        described = []
        for number, individual in enumerate(model.get_universe(self._sort) or [], 1):
            true_of: list[str] = []
            false_of: list[str] = []
            for name in predicates:
                fact = model.eval(self._predicate(name, 1)(individual), model_completion=True)
                (true_of if z3.is_true(fact) else false_of).append(name)
            label = " = ".join(names.get(str(individual), [f"individual {number}"]))
            facts = true_of + [f"not {name}" for name in false_of]
            described.append(f"{label} is {_listed(facts)}")
        return "; ".join(described)


def _not(answer: Answer) -> Answer:
    match answer:
        case Answer.YES:
            return Answer.NO
        case Answer.NO:
            return Answer.YES
    return Answer.UNKNOWN


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
