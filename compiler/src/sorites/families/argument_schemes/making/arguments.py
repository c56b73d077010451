"""Arguments of a scheme, in pairs: one that holds, and one that looks like it and does not.

Both of a pair have premises of the same forms, a conclusion of the same form after the same
phrase, and names that occur equally often, so that nothing short of the whole argument tells
which is which. All their premises and both conclusions are true in the ontology. Half of the
pairs assert the scheme's conclusion, and half deny its opposite.

In the paper's own design (``negatives: denials``) the two differ in the phrase alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from sorites.canonical import digest
from sorites.families.argument_schemes.plan import Scheme
from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.matching import Match
from sorites.families.argument_schemes.search.sampling import Spaces
from sorites.logic.formulas import Formula, contradictory, negation
from sorites.logic.prover import Verdict
from sorites.logic.types import meaning

__all__ = [
    "DENIAL",
    "KINDS",
    "REWIRED",
    "Argument",
    "Pair",
    "Scarcity",
    "SchemeArguments",
    "content",
    "denial_of",
    "key_of",
    "meant",
    "phrased",
    "together",
]

DENIAL = "conclusion denied"
REWIRED = "premises connected otherwise"

KINDS = {
    REWIRED: "premises of the same forms about as many names, connected so that nothing follows",
    DENIAL: "an entailed conclusion, said to be false (or its opposite, said to be true)",
}
"""Every kind of negative, as it stands in the column ``negative``, and what it means."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Premises and a conclusion, bound to an ontology; ``denied`` puts a "false" before it."""

    premises: tuple[Formula, ...]
    core: Formula
    denied: bool
    binding: Binding
    verdict: Verdict
    negative: str | None = None

    @property
    def conclusion(self) -> Formula:
        """The formula of the conclusion as it is said."""
        return negation(self.core) if self.denied else self.core


@dataclass(frozen=True, slots=True)
class Pair:
    """An entailed argument and one that is not, of one scheme; ``key`` names the pair.

    ``extra`` are the first distractors of the entailed argument, which the other counts among
    its premises: with fewer there are no items of the pair.
    """

    scheme: Scheme
    key: str
    entailed: Argument
    other: Argument
    extra: tuple[Formula, ...] = ()

    @property
    def opposed(self) -> bool:
        """Whether the two differ in nothing but the phrase before the conclusion."""
        return self.other.verdict is Verdict.CONTRADICTED


@dataclass(frozen=True, slots=True)
class Scarcity:
    """What going through all bindings of a scheme has shown where there are fewer than asked for.

    There are ``bindings``, by sets of members and up to the symmetries of the formulas, and
    ``in_domain`` of them in the domain that holds most. Of as many arguments as there are
    bindings the most frequent class stands in ``least`` or more, whatever is chosen; None where
    that was not found out.
    """

    bindings: int
    in_domain: int
    least: int | None


@dataclass(frozen=True, slots=True)
class SchemeArguments:
    """All that a scheme has given: pairs, those held out for worked examples, and its matches."""

    scheme: Scheme
    pairs: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    matches: tuple[Match, ...]
    scarcity: Scarcity | None = None


def together(
    some: Sequence[SchemeArguments], others: Sequence[SchemeArguments]
) -> list[SchemeArguments]:
    """The pairs of two splits by scheme, those held out among them; ``some`` may be empty."""
    pairs = [(*each.pairs, *each.held_out) for each in some] or [()] * len(others)
    return [
        replace(each, pairs=(*known, *each.pairs, *each.held_out), held_out=())
        for known, each in zip(pairs, others, strict=True)
    ]


def denial_of(argument: Argument) -> Argument:
    """An entailed argument with the other phrase before its conclusion."""
    return replace(
        argument, denied=not argument.denied, verdict=Verdict.CONTRADICTED, negative=DENIAL
    )


def phrased(pair: Pair, *, denied: bool) -> Pair:
    """A pair whose conclusions are asserted, or whose opposite both of its arguments deny."""
    conclusion = pair.scheme.conclusion
    core = contradictory(conclusion) if denied else conclusion
    return replace(
        pair,
        entailed=replace(pair.entailed, core=core, denied=denied),
        other=replace(pair.other, core=core, denied=denied),
    )


def key_of(scheme: Scheme, binding: Binding, spaces: Spaces, *more: str) -> str:
    """A name for what is made of a scheme and a binding."""
    world = spaces.world
    classes = world.ontology.classes
    return digest(
        {
            "scheme": list(scheme.key),
            "classes": {name: classes[index].id for name, index in binding.classes.items()},
            "individuals": {
                name: world.individuals[index] for name, index in binding.individuals.items()
            },
            "domain": None if binding.domain is None else classes[binding.domain].id,
            **({"world": list(more)} if more else {}),
        }
    )[:16]


def content(formulas: Sequence[Formula], binding: Binding) -> Hashable:
    """What formulas say of what their symbols stand for, whatever the symbols are."""
    stands_for = {**binding.classes, **binding.individuals}
    return binding.domain, frozenset(
        (
            formula.shape,
            *(stands_for[name] for name in formula.symbols.predicates),
            *(stands_for[name] for name in formula.symbols.individuals),
        )
        for formula in formulas
    )


def meant(formulas: Sequence[Formula], binding: Binding, spaces: Spaces) -> Hashable:
    """What formulas say of sets of members: equal for arguments that differ in names alone."""
    row_of = spaces.space(binding.domain).row_of
    names = {name for formula in formulas for name in formula.symbols.predicates}
    order = sorted(names, key=lambda name: row_of[binding.classes[name]])
    said = frozenset(
        tuple(binding.individuals.get(str(part), part) for part in meaning(formula, order))
        for formula in formulas
    )
    return binding.domain, tuple(row_of[binding.classes[name]] for name in order), said
