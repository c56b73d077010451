from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from sorites.canonical import digest
from sorites.families.argument_schemes.making.items import COLUMNS
from sorites.specfile.reader import read as read_spec
from tests.compiler.families.argument_schemes.brute_force import is_true, read
from tests.compiler.families.argument_schemes.samples import Row, Sample
from tests.compiler.logic import enumeration
from tests.compiler.logic.texts import (
    contradictory,
    negation,
    rename,
    shape,
    symbols,
    texts,
)

EIGHT_WITH_AN_INDIVIDUAL = {"generalized modus ponens", "generalized modus tollens"}

WITH_A_DISTRACTOR = {
    ("generalized modus ponens", "negation"),
    ("generalized modus ponens", "de morgan"),
    ("generalized modus tollens", "negation"),
    ("generalized contraposition", "base"),
    ("generalized contraposition", "negation"),
    ("generalized contraposition", "complex predicates"),
    ("generalized contraposition", "de morgan"),
    ("hypothetical syllogism 1", "negation"),
}
"""Schemes that have no match without a distractor, so that they start at one."""

OF_FEW_BINDINGS = {("generalized dilemma", "de morgan")}
"""Schemes of which the sample's ontology holds few bindings: most of their pairs start at one."""


def groups(sample: Sample, *columns: str) -> dict[tuple[object, ...], list[Row]]:
    return rows_by(sample.items, *columns)


def rows_by(rows: Iterable[Row], *columns: str) -> dict[tuple[object, ...], list[Row]]:
    found: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[column] for column in columns)].append(row)
    return found


def test_the_columns_are_those_that_the_card_describes(sample: Sample) -> None:
    for table in sample.tables.values():
        assert table.column_names == [column.name for column in COLUMNS]
        assert [field.type for field in table.schema] == [column.type for column in COLUMNS]
    asked_for = [
        "id", "scheme", "variant", "names", "distractors", "premises", "conclusion", "label",
        "verdict", "gold_premises", "negative", "domain", "partner", "premise_formulas",
        "conclusion_formula", "bindings",
    ]  # fmt: skip
    assert {*asked_for} <= {column.name for column in COLUMNS}


def test_each_scheme_has_what_the_spec_asks_for_or_says_what_it_lacks(sample: Sample) -> None:
    release = read_spec(sample.folder / "release.json").data
    short = " ".join(release["shortfalls"])
    by_scheme = groups(sample, "scheme", "variant")
    for scheme in sample.plan.schemes:
        rows = by_scheme.get(scheme.key, [])
        pairs = len({row["argument"] for row in rows})
        name = f"{scheme.name}, {scheme.variant}: "
        assert pairs == sample.plan.arguments or name in short
        namings = 2 if scheme.name in EIGHT_WITH_AN_INDIVIDUAL else 1
        levels = range(scheme.key in WITH_A_DISTRACTOR, sample.plan.distractors + 1)
        expected = {(level, label): pairs * namings for level in levels for label in (True, False)}
        counted = Counter((row["distractors"], row["label"]) for row in rows)
        if scheme.key in OF_FEW_BINDINGS:
            assert 0 < counted[0, True] == counted[0, False] < pairs
            expected |= {(0, label): counted[0, label] for label in (True, False)}
        assert counted == {key: count for key, count in expected.items() if count}
    assert len(sample.items) == sum(map(len, by_scheme.values()))


def test_items_are_entailed_or_undetermined_in_equal_numbers_everywhere(sample: Sample) -> None:
    for key, rows in groups(sample, "scheme", "variant", "distractors", "names").items():
        counted = Counter(row["verdict"] for row in rows)
        assert set(counted) == {"entailed", "undetermined"}, key
        assert counted["entailed"] == counted["undetermined"], key
        phrases = Counter((row["polarity"], row["label"]) for row in rows)
        assert phrases["denied", True] == phrases["denied", False]
        assert phrases["asserted", True] == phrases["asserted", False]
        # The phrases take turns, but for pairs that found no distractors.
        assert abs(phrases["denied", True] - phrases["asserted", True]) <= 2


def test_partners_differ_in_nothing_that_can_be_counted(sample: Sample) -> None:
    pairs = groups(sample, "argument", "names", "distractors")
    for (_, names, _), rows in pairs.items():
        holds, other = sorted(rows, key=lambda row: not row["label"])
        assert (holds["label"], other["label"]) == (True, False)
        assert holds["polarity"] == other["polarity"]
        assert shape(holds["conclusion_formula"]) == shape(other["conclusion_formula"])
        # The same forms in the same order, as many names, and those of the conclusion as often.
        forms = [list(map(shape, row["premise_formulas"])) for row in (holds, other)]
        assert forms[0] == forms[1]
        assert profile(holds) == profile(other)
        assert holds["premises_true"] == other["premises_true"]
        assert holds["conclusion_true"] == other["conclusion_true"]
        assert holds["premises_true"] is (True if names == "real" else None)


def profile(row: Row) -> tuple[object, ...]:
    """How often the names occur in premises: the conclusion's by place, the others sorted."""
    occurring = Counter(name for text in row["premise_formulas"] for name in every_name(text))
    said = every_name(row["conclusion_formula"])
    return (
        [occurring[name] for name in said],
        sorted(uses for name, uses in occurring.items() if name not in said),
    )


def every_name(text: str) -> list[str]:
    found = symbols(text)
    return [*found.predicates, *found.individuals]


def test_half_of_the_distractors_are_like_the_argument_and_the_first_is(sample: Sample) -> None:
    schemes = {scheme.key: scheme for scheme in sample.plan.schemes}
    alike: Counter[int] = Counter()
    about: Counter[int] = Counter()
    firsts: Counter[bool] = Counter()
    seen = 0
    for rows in groups(sample, "argument", "names", "verdict").values():
        rows = [row for row in rows if row["label"] and row["names"] == "real"]
        if not rows:
            continue
        most = max(rows, key=lambda row: row["distractors"])
        scheme = schemes[most["scheme"], most["variant"]]
        forms = {premise.shape for premise in scheme.premises}
        gold = {most["premise_formulas"][at - 1] for at in most["gold_premises"]}
        names = {name for text in gold for name in every_name(text)}
        extra = [text for text in most["premise_formulas"] if text not in gold]
        seen += len(extra)
        alike[True] += sum(shape(text) in forms for text in extra)
        about[True] += sum(
            shape(text) in forms and not names.isdisjoint(every_name(text)) for text in extra
        )
        if first := [row for row in rows if row["distractors"] == 1]:
            (added,) = {*first[0]["premise_formulas"]} - gold
            firsts[shape(added) in forms] += 1
    # What is like the argument comes first: choosing by form is wrong with one distractor already.
    assert firsts[False] < firsts[True] / 20
    assert alike[True] >= seen / 2
    assert about[True] >= seen * 0.4


def test_label_verdict_gold_negative_and_polarity_agree(sample: Sample) -> None:
    for row in [*sample.items, *sample.denials, *sample.counterfactual, *sample.exemplars]:
        entailed = row["verdict"] == "entailed"
        assert row["label"] is entailed
        assert (row["negative"] is None) is entailed
        assert bool(row["gold_premises"]) is entailed
        assert (row["negative"] == "conclusion denied") is (row["verdict"] == "contradicted")
        assert row["gold_premises"] == sorted(set(row["gold_premises"]))
        shown = len(row["premises"])
        assert all(1 <= position <= shown for position in row["gold_premises"])
        if entailed:
            assert len(row["gold_premises"]) == shown - row["distractors"]
        phrase = "It is false that " if row["polarity"] == "denied" else "It is true that "
        assert row["conclusion"].startswith(phrase)


def _renamed(row: Row) -> tuple[str, ...]:
    """Premises and conclusion up to renaming."""
    names: dict[str, str] = {}
    for text in [row["conclusion_formula"], *row["premise_formulas"]]:
        for found in (symbols(text).predicates, symbols(text).individuals):
            for name in found:
                names.setdefault(name, f"s{len(names)}")
    return tuple(
        re.sub(r"[A-Za-z]\w*", lambda found: names.get(found[0], found[0]), text)
        for text in [*row["premise_formulas"], row["conclusion_formula"]]
    )


def test_every_label_is_what_a_truth_table_finds_not_only_what_the_prover_says(
    sample: Sample,
) -> None:
    # All without distractors, and some with most: what holds there holds with fewer as well.
    known: set[tuple[object, ...]] = set()
    most = [row for row in sample.items if row["distractors"] == sample.plan.distractors]
    least = [row for row in sample.items if row["distractors"] == 0]
    others = [*sample.denials[::11], *sample.counterfactual[::7], *sample.exemplars]
    for row in [*least, *most[::23], *others]:
        key = (*_renamed(row), row["verdict"], *row["gold_premises"])
        if key in known:
            continue
        known.add(key)
        premises, conclusion = row["premise_formulas"], row["conclusion_formula"]
        assert enumeration.satisfiable(premises)
        follows = enumeration.entails(premises, conclusion)
        denied = not enumeration.satisfiable([*premises, conclusion])
        verdict = "entailed" if follows else "contradicted" if denied else "undetermined"
        assert verdict == row["verdict"], row["id"]
        gold = [premises[position - 1] for position in row["gold_premises"]]
        if follows:
            assert enumeration.entails(gold, conclusion), row["id"]
        for left_out in row["gold_premises"]:
            others = [text for at, text in enumerate(premises, 1) if at != left_out]
            assert not enumeration.entails(others, conclusion), row["id"]


def test_premises_are_permuted_and_distractors_stand_anywhere(sample: Sample) -> None:
    entailed = [row for row in sample.items if row["label"] and row["distractors"] == 5]
    first = [1 in row["gold_premises"] for row in entailed]
    last = [len(row["premises"]) in row["gold_premises"] for row in entailed]
    # Of five distractors and one to three gold premises, gold stands at an end now and then.
    assert 0.1 < sum(first) / len(first) < 0.6
    assert 0.1 < sum(last) / len(last) < 0.6
    positions = Counter(position for row in entailed for position in row["gold_premises"])
    assert min(positions[position] for position in range(1, 7)) > len(entailed) / 8


def test_premises_stand_in_every_order_without_distractors(sample: Sample) -> None:
    for key, rows in groups(sample, "scheme", "variant").items():
        least = min(row["distractors"] for row in rows)
        shown = [row for row in rows if row["label"] and row["distractors"] == least]
        orders = {tuple(map(shape, row["premise_formulas"])) for row in shown}
        if len({shape(text) for text in shown[0]["premise_formulas"]}) > 1 and len(shown) > 8:
            assert len(orders) > 1, key


def test_each_level_adds_one_premise_and_moves_none(sample: Sample) -> None:
    for rows in groups(sample, "argument", "names", "verdict").values():
        rows = sorted(rows, key=lambda row: row["distractors"])
        key = rows[0]["scheme"], rows[0]["variant"]
        least = rows[0]["distractors"] if key in OF_FEW_BINDINGS else key in WITH_A_DISTRACTOR
        assert least in (0, 1)
        assert [row["distractors"] for row in rows] == list(range(least, 6))
        for fewer, more in pairwise(rows):
            assert len(more["premises"]) == len(fewer["premises"]) + 1
            added = [text for text in more["premises"] if text not in fewer["premises"]]
            assert [text for text in more["premises"] if text not in added] == fewer["premises"]
            assert len(added) == 1
            assert more["conclusion"] == fewer["conclusion"]


def test_distractors_are_of_several_shapes(sample: Sample) -> None:
    shapes: Counter[str] = Counter()
    for row in sample.items:
        if row["label"] and row["distractors"] == 5:
            for position, text in enumerate(row["premise_formulas"], 1):
                if position not in row["gold_premises"]:
                    shapes[shape(text)] += 1
    assert len(shapes) >= 12
    assert shapes.most_common(1)[0][1] < sum(shapes.values()) / 2


def test_no_premise_is_shown_twice(sample: Sample) -> None:
    for row in sample.items:
        assert len(set(row["premises"])) == len(row["premises"])
        assert len(set(row["premise_formulas"])) == len(row["premise_formulas"])


def test_denials_say_the_opposite_after_the_same_premises(sample: Sample) -> None:
    assert all(row["partner"] is None for row in [*sample.items, *sample.counterfactual])
    by_id = {row["id"]: row for row in sample.denials}
    for row in sample.denials:
        other = by_id[row["partner"]]
        assert other["partner"] == row["id"]
        assert {row["verdict"], other["verdict"]} == {"entailed", "contradicted"}
        for column in (
            "scheme", "variant", "names", "distractors", "premises", "premise_formulas", "domain",
            "argument",
        ):  # fmt: skip
            assert row[column] == other[column]
        assert {row["polarity"], other["polarity"]} == {"asserted", "denied"}
        clauses = {
            text["conclusion"].removeprefix("It is true that ").removeprefix("It is false that ")
            for text in (row, other)
        }
        assert len(clauses) == 1
        denied = row if row["polarity"] == "denied" else other
        asserted = other if denied is row else row
        assert denied["conclusion_formula"] == negation(asserted["conclusion_formula"])
    asked = sample.plan.denials
    for key, rows in rows_by(sample.denials, "scheme", "variant", "names").items():
        assert {row["distractors"] for row in rows} <= {*asked.levels}
        for polarity in ("asserted", "denied"):
            labels = Counter(row["label"] for row in rows if row["polarity"] == polarity)
            assert labels[True] == labels[False], key


def test_counterfactual_fills_four_cells_equally(sample: Sample) -> None:
    asked = sample.plan.counterfactual
    found = rows_by(sample.counterfactual, "scheme", "variant", "distractors")
    assert {key[:2] for key in found} == {scheme.key for scheme in sample.plan.schemes}
    for key, rows in found.items():
        cells = Counter((row["label"], row["conclusion_true"]) for row in rows)
        assert len(rows) == 2 * asked.arguments, key
        assert set(cells.values()) == {asked.arguments // 2}, key
        assert len(cells) == 4
        for row in rows:
            assert row["names"] == "real"
            assert row["premises_true"] is False
            classes, named, domain = _model(sample, row)
            true = [is_true(read(text), classes, named, domain) for text in row["premise_formulas"]]
            assert not all(true)
            said = is_true(read(row["conclusion_formula"]), classes, named, domain)
            assert said is row["conclusion_true"]
    for rows in rows_by(sample.counterfactual, "argument", "distractors").values():
        holds, other = sorted(rows, key=lambda row: not row["label"])
        assert holds["conclusion"] == other["conclusion"]
        assert profile(holds) == profile(other)
        assert {*map(frozenset, _names_of(holds))} == {*map(frozenset, _names_of(other))}


def _names_of(row: Row) -> list[set[str]]:
    return [{entry["name"] for entry in row["bindings"]}]


def test_a_conclusion_is_the_schemes_or_its_opposite_denied(sample: Sample) -> None:
    schemes = {scheme.key: scheme for scheme in sample.plan.schemes}
    for row in sample.items:
        if row["label"]:
            conclusion = schemes[row["scheme"], row["variant"]].conclusion.text
            forms = {"asserted": conclusion, "denied": negation(contradictory(conclusion))}
            assert row["conclusion_formula"] == forms[row["polarity"]]
            gold = sorted(row["premise_formulas"][at - 1] for at in row["gold_premises"])
            assert gold == sorted(texts(schemes[row["scheme"], row["variant"]].premises))


def test_ids_are_unique_and_a_hash_of_what_the_item_says(sample: Sample) -> None:
    rows = [*sample.items, *sample.exemplars]
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        said = [row[name] for name in ("scheme", "variant", "names", "distractors", "domain")]
        assert row["id"] == digest([*said, row["premises"], row["conclusion"]])[:16]


def test_no_two_items_say_the_same(sample: Sample) -> None:
    said = Counter((*row["premises"], row["conclusion"], row["domain"]) for row in sample.items)
    assert said.most_common(1)[0][1] == 1


def test_synthetic_names_are_nobodys_and_only_where_there_is_an_individual(
    sample: Sample,
) -> None:
    real = {name.casefold() for pair in sample.world.ontology.individuals.items() for name in pair}
    for row in sample.items:
        people = [bound for bound in row["bindings"] if bound["symbol"].islower()]
        if row["names"] == "real":
            assert all(bound["id"] in sample.world.ontology.individuals for bound in people)
            continue
        assert row["scheme"] in EIGHT_WITH_AN_INDIVIDUAL
        assert people
        for bound in people:
            assert bound["id"] is None
            assert re.fullmatch("[A-Z]{4}[0-9]", bound["name"])
            assert bound["name"].casefold() not in real
        assert len({bound["name"] for bound in people}) == len(people)
        # No real individual is left in a sentence.
        for text in row["premises"] + [row["conclusion"]]:
            for name in re.findall(r"[Gg]ene ([^ ,.]+)", re.sub('"[^"]*"', "", text)):
                assert name in {bound["name"] for bound in people} or name in (
                    "in",
                    "outside",
                    "that",
                )


def test_an_item_with_synthetic_names_is_one_with_real_names_renamed(sample: Sample) -> None:
    by_key = groups(sample, "argument", "distractors", "verdict", "names")
    for (argument, level, verdict, names), (row,) in by_key.items():
        if names == "synthetic":
            (real,) = by_key[argument, level, verdict, "real"]
            assert row["premise_formulas"] == real["premise_formulas"]
            assert row["conclusion_formula"] == real["conclusion_formula"]
            assert row["gold_premises"] == real["gold_premises"]
            assert row["conclusion"] != real["conclusion"]


def test_formulas_use_the_symbols_of_the_bindings_and_no_others(sample: Sample) -> None:
    classes = {entry.id: entry.name for entry in sample.world.ontology.classes}
    for row in sample.items:
        used: set[str] = set()
        for text in [*row["premise_formulas"], row["conclusion_formula"]]:
            used |= {*symbols(text).predicates, *symbols(text).individuals}
        bound = [entry["symbol"] for entry in row["bindings"]]
        assert sorted(used) == sorted(bound)
        for entry in row["bindings"]:
            if entry["symbol"][0].isupper():
                assert classes[entry["id"]] == entry["name"]


class TemplateReader:
    """Reads sentences back into formulas by the texts of the spec's templates."""

    def __init__(self, sample: Sample) -> None:
        data = sample.spec.document.data
        assert isinstance(data, Mapping)
        self.patterns = []
        wordings = [
            (entry["formula"], wording["text"])
            for entry in data["templates"]
            for wording in entry["texts"]
        ]
        for formula, text in wordings:
            for form, noun in data["vocabulary"]["member"].items():
                text = text.replace(f"{{member:{form}}}", noun)
            pattern = re.escape(text)
            for name in symbols(formula).predicates:
                first, *others = pattern.split(re.escape(f"{{{name}}}"))
                assert len(others) == 1
                pattern = f'{first}the pathway "(?P<{name}>[^"]+)"{others[0]}'
            pattern = pattern.replace(re.escape("{a}"), r"gene (?P<a>\S+)")
            self.patterns.append((re.compile(pattern), formula))
        self.known: dict[str, list[tuple[str, dict[str, str]]]] = {}

    def read(self, clause: str) -> list[tuple[str, dict[str, str]]]:
        """The formulas that a clause may be, each with the names of its symbols."""
        if clause not in self.known:
            found = [(text, pattern.fullmatch(clause)) for pattern, text in self.patterns]
            self.known[clause] = [(text, match.groupdict()) for text, match in found if match]
        return self.known[clause]

    def formulas(self, clause: str, row: Row) -> Iterator[str]:
        """The same in the symbols of a row."""
        symbol = {
            (entry["symbol"][0].isupper(), entry["name"]): entry["symbol"]
            for entry in row["bindings"]
        }
        for text, names in self.read(clause):
            replaced = {name: symbol[name[0].isupper(), value] for name, value in names.items()}
            formula = rename(text, replaced)
            yield formula if not re.match(r"-?\w+\(\w+\) \|", formula) else f"({formula})"


def test_every_sentence_says_its_formula(sample: Sample) -> None:
    reader = TemplateReader(sample)
    for row in [*sample.items, *sample.exemplars]:
        for text, formula in zip(row["premises"], row["premise_formulas"], strict=True):
            assert text[0].isupper()
            assert text.endswith(".")
            clause = text[0].lower() + text[1:-1]
            assert list(reader.formulas(clause, row)) == [formula], text
        found = re.fullmatch(r"It is (true|false) that (.*)\.", row["conclusion"])
        assert found is not None
        (core,) = reader.formulas(found[2], row)
        said = core if found[1] == "true" else negation(core)
        assert said == row["conclusion_formula"]


def _model(
    sample: Sample, row: Row
) -> tuple[dict[str, frozenset[str]], dict[str, str], frozenset[str]]:
    members = {entry.id: entry.members for entry in sample.world.ontology.classes}
    by_name = {entry.name: entry.members for entry in sample.world.ontology.classes}
    domain = (
        frozenset(sample.world.individuals) if row["domain"] is None else by_name[row["domain"]]
    )
    classes = {
        entry["symbol"]: members[entry["id"]] & domain
        for entry in row["bindings"]
        if entry["symbol"][0].isupper()
    }
    named = {
        entry["symbol"]: entry["id"]
        for entry in row["bindings"]
        if not entry["symbol"][0].isupper()
    }
    return classes, named, domain


def test_every_premise_is_true_of_the_ontology_and_the_conclusion_is_as_said(
    sample: Sample,
) -> None:
    for row in sample.items:
        if row["names"] == "synthetic":
            assert row["premises_true"] is None
            assert row["conclusion_true"] is None
        elif row["distractors"] == sample.plan.distractors:
            classes, named, domain = _model(sample, row)
            assert set(named.values()) <= domain
            for text in row["premise_formulas"]:
                assert is_true(read(text), classes, named, domain), (row["id"], text)
            true = is_true(read(row["conclusion_formula"]), classes, named, domain)
            # Knowing what is true is no help: everything is.
            assert row["premises_true"] is row["conclusion_true"] is true is True


def test_local_domains_are_used_for_the_schemes_that_the_spec_names(sample: Sample) -> None:
    for row in sample.items:
        assert (row["domain"] is not None) is (
            (row["scheme"], row["variant"]) in sample.plan.local_domains
        )


def test_worked_examples_are_those_asked_for_and_share_no_binding_with_items(
    sample: Sample,
) -> None:
    asked = {(*entry.scheme, entry.verdict, entry.distractors) for entry in sample.plan.exemplars}
    made = {
        (row["scheme"], row["variant"], row["verdict"], row["distractors"])
        for row in sample.exemplars
    }
    assert made == asked
    assert not {row["argument"] for row in sample.items} & {
        row["argument"] for row in sample.exemplars
    }
    assert all(row["partner"] is None for row in sample.exemplars)
