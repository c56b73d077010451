"""Arguments as rows: put into words, permuted, with none to all of their distractors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from sorites.canonical import digest
from sorites.families.argument_schemes.making.arguments import Argument, Pair
from sorites.families.argument_schemes.making.counterfactual import model_of
from sorites.families.argument_schemes.making.distractors import Distracted
from sorites.families.argument_schemes.making.synthetic_names import SyntheticNames
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.world import World
from sorites.logic.formulas import Formula
from sorites.logic.prover import Verdict
from sorites.logic.sentence_templates import Forms
from sorites.logic.truth import is_true
from sorites.release.content import Column
from sorites.seeds import random_for

__all__ = ["COLUMNS", "ItemWriter"]

BINDING = pa.struct([("symbol", pa.string()), ("id", pa.string()), ("name", pa.string())])

COLUMNS = (
    Column("id", pa.string(), "Names the item: a hash of what it says."),
    Column("scheme", pa.string(), "The argument scheme."),
    Column("variant", pa.string(), "The variant of the scheme."),
    Column("names", pa.string(), "real: individuals of the ontology; synthetic: made-up names."),
    Column("distractors", pa.int8(), "How many of the premises the argument does not need."),
    Column("premises", pa.list_(pa.string()), "The premises, in the order in which to show them."),
    Column("conclusion", pa.string(), "The conclusion."),
    Column("label", pa.bool_(), "Whether the premises entail the conclusion."),
    Column(
        "verdict",
        pa.string(),
        "entailed; contradicted: the premises entail its negation; undetermined: neither.",
    ),
    Column(
        "gold_premises",
        pa.list_(pa.int8()),
        "Positions, from 1, of the premises that an entailed conclusion needs; empty otherwise.",
    ),
    Column("negative", pa.string(), "How an argument that does not hold was made; else null."),
    Column("polarity", pa.string(), "asserted or denied: the phrase before the conclusion."),
    Column(
        "premises_true",
        pa.bool_(),
        "Whether all premises are true in the ontology; null for synthetic names.",
    ),
    Column(
        "conclusion_true",
        pa.bool_(),
        "Whether the conclusion is true in the ontology, which is not what is asked; null for"
        " synthetic names.",
    ),
    Column(
        "domain", pa.string(), "The class whose members are all there is; null for no such limit."
    ),
    Column(
        "assumptions",
        pa.string(),
        "What is taken for granted beside the premises, in words; null for nothing.",
    ),
    Column("wording", pa.string(), "The name of the wordings in which the sentences are."),
    Column(
        "partner",
        pa.string(),
        "The item that says the opposite after the same premises, where there is one.",
    ),
    Column(
        "argument",
        pa.string(),
        "Shared by all items made from one binding of a scheme: an argument that holds and the"
        " one that is matched with it.",
    ),
    Column("premise_formulas", pa.list_(pa.string()), "The premises as formulas, in their order."),
    Column("conclusion_formula", pa.string(), "The conclusion as a formula."),
    Column("bindings", pa.list_(BINDING), "What the symbols of the formulas stand for."),
)
"""The columns of ``items`` and of ``exemplars``."""


class ItemWriter:
    """Turns pairs of arguments into rows."""

    def __init__(self, plan: ArgumentPlan, world: World) -> None:
        self.plan = plan
        self.world = world
        self._synthetic = (
            None
            if plan.synthetic_pattern is None
            else SyntheticNames(
                plan.synthetic_pattern,
                [*world.ontology.individuals, *world.ontology.individuals.values()],
            )
        )

    def rows(
        self, pair: Pair, drawn: Distracted, levels: Sequence[int], *, synthetic: bool = True
    ) -> Iterator[dict[str, object]]:
        """The rows of a pair: its two arguments, real names first, by number of distractors.

        There are none with fewer distractors than the pair needs.
        """
        facts = [
            _Facts(pair.entailed, drawn.formulas, drawn.entailed, self.world),
            _Facts(pair.other, drawn.formulas[len(pair.extra) :], drawn.other, self.world),
        ]
        for names in self._namings(pair, drawn, synthetic=synthetic):
            for level in levels:
                if level < len(pair.extra):
                    continue
                rows = [self._row(pair, shown, names, level) for shown in facts]
                if pair.opposed:
                    rows[0]["partner"], rows[1]["partner"] = rows[1]["id"], rows[0]["id"]
                yield from rows

    def _namings(
        self, pair: Pair, drawn: Distracted, *, synthetic: bool
    ) -> Iterator[Mapping[int, str] | None]:
        """What individuals are called: their own names (None), then made-up ones if any are."""
        yield None
        scheme = pair.scheme
        about_one = any(formula.symbols.individuals for formula in scheme.premises)
        if self._synthetic is None or not about_one or not synthetic:
            return
        random = random_for(self.plan.seed, "synthetic names", pair.key)
        made_up: dict[int, str] = {}
        for binding in (drawn.entailed, drawn.other):
            for _, index in sorted(binding.individuals.items()):
                if index not in made_up:
                    made_up[index] = self._synthetic.draw(random, made_up.values())
        yield made_up

    def _row(
        self,
        pair: Pair,
        facts: _Facts,
        made_up: Mapping[int, str] | None,
        level: int,
    ) -> dict[str, object]:
        argument = facts.argument
        own = len(argument.premises)
        formulas = [*argument.premises, *facts.distractors]
        # A pair's arguments show premises of the same forms in the same order.
        total = len(pair.entailed.premises) + level
        order = self._order(pair, total)
        shown = [formulas[index] for index in order]
        called = self._called(facts.binding, made_up)
        words = self.plan.words
        # Both arguments of a pair are in the same words, as they have the same phrase.
        wording = words.wording_for(self.plan.seed, pair.key)
        premises = [words.premise(formula, called, wording) for formula in shown]
        conclusion = words.conclusion(argument.core, called, wording, denied=argument.denied)
        domain = argument.binding.domain
        entailed = argument.verdict is Verdict.ENTAILED
        gold = [position for position, index in enumerate(order, 1) if entailed and index < own]
        domain_name = None if domain is None else self.world.ontology.classes[domain].name
        names = "real" if made_up is None else "synthetic"
        return {
            "id": digest([*pair.scheme.key, names, level, domain_name, premises, conclusion])[:16],
            "scheme": pair.scheme.name,
            "variant": pair.scheme.variant,
            "names": names,
            "distractors": level,
            "premises": premises,
            "conclusion": conclusion,
            "label": entailed,
            "verdict": argument.verdict.value,
            "gold_premises": gold,
            "negative": argument.negative,
            "polarity": "denied" if argument.denied else "asserted",
            "premises_true": None if made_up is not None else all(facts.premises[:total]),
            "conclusion_true": None if made_up is not None else facts.conclusion,
            "domain": domain_name,
            "assumptions": self.plan.assumptions,
            "wording": wording,
            "partner": None,
            "argument": pair.key,
            "premise_formulas": [formula.text for formula in shown],
            "conclusion_formula": argument.conclusion.text,
            "bindings": self._bindings([*shown, argument.conclusion], facts.binding, made_up),
        }

    def _order(self, pair: Pair, total: int) -> list[int]:
        """Premises in a random order into which each distractor is put at a random place.

        One more distractor leaves the order of the others as it was.
        """
        random = random_for(self.plan.seed, "order", pair.key)
        own = len(pair.entailed.premises) + len(pair.extra)
        order = list(range(own))
        random.shuffle(order)
        for index in range(own, total):
            order.insert(random.randint(0, len(order)), index)
        return order

    def _called(self, binding: Binding, made_up: Mapping[int, str] | None) -> dict[str, Forms]:
        words = self.plan.words
        ontology = self.world.ontology
        called = {
            symbol: words.name_class(ontology.classes[index].name)
            for symbol, index in binding.classes.items()
        }
        for symbol, index in binding.individuals.items():
            called[symbol] = words.name_individual(self._individual(index, made_up))
        return called

    def _individual(self, index: int, made_up: Mapping[int, str] | None) -> str:
        if made_up is not None:
            return made_up[index]
        return self.world.ontology.individuals[self.world.individuals[index]]

    def _bindings(
        self, formulas: Sequence[Formula], binding: Binding, made_up: Mapping[int, str] | None
    ) -> list[dict[str, str | None]]:
        predicates: dict[str, None] = {}
        individuals: dict[str, None] = {}
        for formula in formulas:
            predicates |= dict.fromkeys(formula.symbols.predicates)
            individuals |= dict.fromkeys(formula.symbols.individuals)
        bindings: list[dict[str, str | None]] = []
        for symbol in sorted(predicates):
            entry = self.world.ontology.classes[binding.classes[symbol]]
            bindings.append({"symbol": symbol, "id": entry.id, "name": entry.name})
        for symbol in sorted(individuals):
            index = binding.individuals[symbol]
            real = None if made_up is not None else self.world.individuals[index]
            bindings.append(
                {"symbol": symbol, "id": real, "name": self._individual(index, made_up)}
            )
        return bindings


class _Facts:
    """An argument with its distractors, and what of all this is true in the ontology."""

    def __init__(
        self,
        argument: Argument,
        distractors: Sequence[Formula],
        binding: Binding,
        world: World,
    ) -> None:
        self.argument = argument
        self.distractors = distractors
        self.binding = binding
        model = model_of(binding, world)
        self.premises = [is_true(formula, model) for formula in (*argument.premises, *distractors)]
        self.conclusion = is_true(argument.conclusion, model)
