"""Arguments as rows: put into words, permuted, with none to all of their distractors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from sorites.canonical import digest
from sorites.families.argument_schemes.making.arguments import Argument, Pair
from sorites.families.argument_schemes.making.distractors import Distracted
from sorites.families.argument_schemes.making.synthetic_names import SyntheticNames
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.world import World
from sorites.families.argument_schemes.seeds import random_for
from sorites.logic.formulas import Formula
from sorites.logic.prover import Verdict
from sorites.logic.sentence_templates import sentence
from sorites.logic.truth import Model, is_true
from sorites.release.content import Column

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
        "true_in_ontology",
        pa.bool_(),
        "Whether the conclusion is true in the ontology, which is not what is asked; null for"
        " synthetic names.",
    ),
    Column(
        "domain", pa.string(), "The class whose members are all there is; null for no such limit."
    ),
    Column(
        "partner",
        pa.string(),
        "The item that says the opposite after the same premises, where there is one.",
    ),
    Column("argument", pa.string(), "Shared by all items made from one binding of a scheme."),
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
        self, pair: Pair, distracted: Sequence[Distracted], levels: Sequence[int]
    ) -> Iterator[dict[str, object]]:
        """The rows of a pair: its two arguments, real names first, by number of distractors.

        ``distracted`` holds the distractors of the entailed argument and of the other.
        """
        arguments = (pair.entailed, pair.other)
        for names in self._namings(pair, distracted):
            for level in levels:
                rows = [
                    self._row(pair, argument, extra, names, level)
                    for argument, extra in zip(arguments, distracted, strict=True)
                ]
                if pair.opposed:
                    rows[0]["partner"], rows[1]["partner"] = rows[1]["id"], rows[0]["id"]
                yield from rows

    def _namings(
        self, pair: Pair, distracted: Sequence[Distracted]
    ) -> Iterator[Mapping[int, str] | None]:
        """What individuals are called: their own names (None), then made-up ones if any are."""
        yield None
        scheme = pair.scheme
        about_one = any(formula.symbols.individuals for formula in scheme.premises)
        if self._synthetic is None or not about_one:
            return
        random = random_for(self.plan.seed, "synthetic names", pair.key)
        made_up: dict[int, str] = {}
        for extra in distracted:
            for _, index in sorted(extra.binding.individuals.items()):
                if index not in made_up:
                    made_up[index] = self._synthetic.draw(random, made_up.values())
        yield made_up

    def _row(
        self,
        pair: Pair,
        argument: Argument,
        extra: Distracted,
        made_up: Mapping[int, str] | None,
        level: int,
    ) -> dict[str, object]:
        formulas = [*argument.premises, *extra.formulas[:level]]
        order = self._order(pair.key, argument, len(argument.premises), len(formulas))
        shown = [formulas[index] for index in order]
        called = self._called(extra.binding, made_up)
        premises = [sentence(self.plan.templates.verbalise(formula, called)) for formula in shown]
        phrase = self.plan.vocabulary.false if argument.denied else self.plan.vocabulary.true
        clause = self.plan.templates.verbalise(argument.core, called)
        conclusion = sentence(phrase.replace("{sentence}", clause))
        domain = argument.binding.domain
        entailed = argument.verdict is Verdict.ENTAILED
        gold = [
            position
            for position, index in enumerate(order, 1)
            if entailed and index < len(argument.premises)
        ]
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
            "true_in_ontology": None if made_up is not None else self._true(argument),
            "domain": domain_name,
            "partner": None,
            "argument": pair.key,
            "premise_formulas": [formula.text for formula in shown],
            "conclusion_formula": argument.conclusion.text,
            "bindings": self._bindings([*shown, argument.conclusion], extra.binding, made_up),
        }

    def _order(self, key: str, argument: Argument, own: int, total: int) -> list[int]:
        """Premises in a random order into which each distractor is put at a random place.

        An argument and its opposite show the same premises in the same order, and one more
        distractor leaves the order of the others as it was.
        """
        random = random_for(self.plan.seed, "order", key, *map(str, argument.premises))
        order = list(range(own))
        random.shuffle(order)
        for index in range(own, total):
            order.insert(random.randint(0, len(order)), index)
        return order

    def _called(self, binding: Binding, made_up: Mapping[int, str] | None) -> dict[str, str]:
        vocabulary = self.plan.vocabulary
        ontology = self.world.ontology
        called = {
            symbol: vocabulary.name_class(ontology.classes[index].name)
            for symbol, index in binding.classes.items()
        }
        for symbol, index in binding.individuals.items():
            called[symbol] = vocabulary.name_individual(self._individual(index, made_up))
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

    def _true(self, argument: Argument) -> bool:
        binding = argument.binding
        universe = (
            self.world.universe if binding.domain is None else self.world.members[binding.domain]
        )
        model = Model(
            universe,
            {
                symbol: self.world.members[index] & universe
                for symbol, index in binding.classes.items()
            },
            {symbol: 1 << index for symbol, index in binding.individuals.items()},
        )
        return is_true(argument.conclusion, model)
