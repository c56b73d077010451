"""One test for each fault of the published generator, on the sample and on Reactome."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import rdflib

from sorites.families.argument_schemes.plan import Scheme
from sorites.families.argument_schemes.search.bindings import BindingSearch
from sorites.families.argument_schemes.search.conditions import conditions
from sorites.families.argument_schemes.search.spaces import SMALLEST_DOMAIN, Spaces
from sorites.logic.prover import Prover
from sorites.specfile.reader import read as read_spec
from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Scalar
from sorites_eval.prompts.requests import Request, ask, prepare
from sorites_eval.running.run import perform, plan
from sorites_eval.scoring.answers import Outcome, Reader
from tests.compiler.families.argument_schemes.brute_force import is_trivial
from tests.compiler.families.argument_schemes.samples import Row, Sample
from tests.compiler.logic import enumeration
from tests.compiler.logic.texts import shape, texts


@pytest.fixture(
    scope="session", params=["sample", pytest.param("reactome", marks=pytest.mark.slow)]
)
def release(request: pytest.FixtureRequest) -> Sample:
    """A release in which the faults are looked for."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Sample)
    return found


def test_no_scheme_is_invalid(release: Sample) -> None:
    assert len(release.plan.schemes) == 28
    for scheme in release.plan.schemes:
        premises, conclusion = texts(scheme.premises), scheme.conclusion.text
        assert enumeration.satisfiable(premises)
        assert enumeration.entails(premises, conclusion)
        for left_out in premises:
            others = [premise for premise in premises if premise != left_out]
            assert not enumeration.entails(others, conclusion)
    # As it was published: every F is a G, a is a G, so a is not an F.
    assert not enumeration.entails(["all x.(F(x) -> G(x))", "G(a)"], "-F(a)")


def by_scheme(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        found[row["scheme"], row["variant"]].append(row)
    return found


def test_no_class_stands_in_every_item_and_no_conclusion_in_most(release: Sample) -> None:
    audit = read_spec(release.folder / "audit.json").data["schemes"]
    own = {scheme.key: own_symbols(scheme) for scheme in release.plan.schemes}
    for key, rows in by_scheme(release.items).items():
        least = min(row["distractors"] for row in rows)
        # One row of each argument: some are not shown without a distractor.
        own_names = [row for row in rows if row["label"] and row["names"] == "real"]
        shown = [*{row["argument"]: row for row in own_names}.values()]
        uses = Counter(
            bound["id"] for row in shown for bound in row["bindings"] if bound["symbol"] in own[key]
        )
        share = uses.most_common(1)[0][1] / len(shown)
        often = uses.most_common(1)[0][0]
        # Where fewer bindings exist than were asked for, there is nothing to choose from.
        few = len(shown) < release.plan.arguments
        # So it is in the small sample where an argument needs a distractor too.
        few |= least == 1 and len(shown) < 40
        assert share <= 0.25 or few or is_forced(release, key, shown, often), key
        told = audit[", ".join(key)]
        assert told["largest_share_of_a_class"] == pytest.approx(share, abs=1e-4)
        assert told["distinct_classes"] == len(uses)
        assert told["distinct_conclusions"] == len({row["conclusion"] for row in rows})
        assert len({row["conclusion"] for row in shown}) > len(shown) / 2 or few, key


def own_symbols(scheme: Scheme) -> set[str]:
    return {name for premise in scheme.premises for name in premise.symbols.predicates}


def is_forced(release: Sample, key: tuple[str, str], shown: Sequence[Row], often: str) -> bool:
    """Whether all bindings that there are without a class are among the items already."""
    scheme = next(entry for entry in release.plan.schemes if entry.key == key)
    wanted = conditions(scheme.premises, Prover())
    spaces = Spaces(release.world, trivial=False)
    domains: list[int | None] = [None]
    if key in release.plan.local_domains:
        domains = [*release.world.inner_domains(at_least=SMALLEST_DOMAIN)]
    without = set()
    ids = [entry.id for entry in release.world.ontology.classes]
    for domain in domains:
        for binding in BindingSearch(spaces.space(domain), wanted).all(Random(0)):
            named = {symbol: ids[index] for symbol, index in binding.classes.items()}
            if often not in named.values():
                without.add((domain, *sorted(named.items())))
    used = sum(often not in {bound["id"] for bound in row["bindings"]} for row in shown)
    return used >= len(without)


def _sets(release: Sample, row: Row) -> dict[str, frozenset[str]]:
    members = {entry.id: entry.members for entry in release.world.ontology.classes}
    by_name = {entry.name: entry.members for entry in release.world.ontology.classes}
    domain = release.world.individuals if row["domain"] is None else by_name[row["domain"]]
    return {
        bound["symbol"]: members[bound["id"]] & frozenset(domain)
        for bound in row["bindings"]
        if bound["symbol"][0].isupper()
    }


def test_no_two_classes_with_the_same_members_are_bound_together(release: Sample) -> None:
    for row in release.items:
        sets = _sets(release, row)
        assert len(set(sets.values())) == len(sets), row["id"]
        assert all(sets.values())


def test_no_premise_is_vacuous(release: Sample) -> None:
    by_name = {entry.name: entry.members for entry in release.world.ontology.classes}
    for row in release.items:
        if row["names"] == "real" and row["distractors"] == 0:
            domain = by_name.get(row["domain"], frozenset(release.world.individuals))
            sets = _sets(release, row)
            assert domain not in sets.values()
            assert not is_trivial(tuple(row["premise_formulas"]), sets, domain), row["id"]


def test_no_member_of_an_inner_class_is_lost(sample: Sample) -> None:
    (pin,) = sample.spec.sources.values()
    graph = rdflib.Graph().parse(pin.file, format="turtle")
    base = "https://sorites.example/biomedical-pathways#"
    names = {place: str(label) for place, label in graph.subject_objects(rdflib.RDFS.label)}
    parents: dict[object, list[object]] = defaultdict(list)
    for child, parent in graph.subject_objects(rdflib.URIRef(base + "partOf")):
        parents[child].append(parent)
    expected: dict[str, set[str]] = defaultdict(set)
    for place, gene in graph.subject_objects(rdflib.URIRef(base + "hasMember")):
        pending = [place]
        while pending:
            above = pending.pop()
            expected[names[above]].add(names[gene])
            pending += parents[above]
    read_back = {entry.name: set(entry.members) for entry in sample.world.ontology.classes}
    assert read_back == expected


def test_a_member_that_hangs_on_an_inner_class_alone_is_kept(
    sample: Sample, tmp_path: Path
) -> None:
    (pin,) = sample.spec.sources.values()
    assert pin.file is not None
    more = tmp_path / "more.ttl"
    extra = 'pathway:cancer :hasMember gene:XYZ1 . gene:XYZ1 a :Gene ; rdfs:label "XYZ1" .'
    more.write_text(f"{pin.file.read_text(encoding='utf-8')}\n{extra}\n", encoding="utf-8")
    ontology = sample.plan.ontology.read({"pathways": more})
    holding = {entry.name for entry in ontology.classes if "XYZ1" in entry.members}
    assert holding == {"Cancer", "Disease"}


def test_distractors_are_neither_last_nor_of_one_shape(release: Sample) -> None:
    last: Counter[bool] = Counter()
    shapes: set[str] = set()
    for row in release.items:
        if row["label"] and row["distractors"] == 1:
            (distractor,) = {*range(1, len(row["premises"]) + 1)} - {*row["gold_premises"]}
            last[distractor == len(row["premises"])] += 1
            shapes.add(shape(row["premise_formulas"][distractor - 1]))
    assert last[False] > last[True] / 3
    assert len(shapes) >= 8


def test_no_name_is_cut_short(release: Sample) -> None:
    for row in release.items:
        text = " ".join([*row["premises"], row["conclusion"]])
        for bound in row["bindings"]:
            shown = (
                f'"{bound["name"]}"' if bound["symbol"][0].isupper() else f"ene {bound['name']} "
            )
            assert shown in text
        names = {bound["name"] for bound in row["bindings"]}
        assert set(re.findall('"([^"]*)"', text)) <= names


def crossvalidated(
    texts: Sequence[str],
    labels: Sequence[bool],
    groups: Sequence[str],
    features: Callable[[str], set[str]],
) -> float:
    """Accuracy of Bernoulli naive Bayes over the presence of words, five folds by group."""
    order = sorted(set(groups))
    fold_of = {group: index % 5 for index, group in enumerate(order)}
    words = [features(text) for text in texts]
    right = 0.0
    for fold in range(5):
        train = [index for index, group in enumerate(groups) if fold_of[group] != fold]
        test = [index for index, group in enumerate(groups) if fold_of[group] == fold]
        count = {label: Counter[str]() for label in (True, False)}
        size = Counter(labels[index] for index in train)
        for index in train:
            count[labels[index]].update(words[index])
        vocabulary = {*count[True], *count[False]}
        for index in test:
            score = {label: math.log((size[label] + 1) / (len(train) + 2)) for label in size}
            for label in size:
                for word in words[index] & vocabulary:
                    present = (count[label][word] + 1) / (size[label] + 2)
                    score[label] += math.log(present) - math.log(1 - present)
                score[label] += sum(
                    math.log(1 - (count[label][word] + 1) / (size[label] + 2))
                    for word in vocabulary
                )
            difference = score.get(True, -math.inf) - score.get(False, -math.inf)
            right += 0.5 if abs(difference) < 1e-9 else (difference > 0) == labels[index]
    return right / len(texts)


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def bigrams_of(text: str) -> set[str]:
    words = ["^", *re.findall(r"\w+", text.lower())]
    return {*words, *(f"{one} {other}" for one, other in pairwise(words))}


@pytest.mark.parametrize("features", [words_of, bigrams_of])
def test_the_conclusion_alone_does_not_give_the_label(
    release: Sample, features: Callable[[str], set[str]]
) -> None:
    shown = [row for row in release.items if row["distractors"] == 0 and row["names"] == "real"]
    accuracy = crossvalidated(
        [row["conclusion"] for row in shown],
        [row["label"] for row in shown],
        [row["argument"] for row in shown],
        features,
    )
    assert accuracy < 0.55
    told = read_spec(release.folder / "audit.json").data["shortcuts"]["items"]
    assert told["beyond_their_bound"] == []
    for reader, found in told["readers"].items():
        if found["what"].endswith("(only reported)"):
            continue
        assert max(found["overall"].values()) <= 0.55, reader
        assert len(found["by_scheme"]) == len(release.plan.schemes)


def test_the_phrase_does_not_give_the_label(release: Sample) -> None:
    for key, rows in by_scheme(release.items).items():
        counted = Counter((row["polarity"], row["label"]) for row in rows)
        assert counted["denied", True] == counted["denied", False], key
        assert counted["asserted", True] == counted["asserted", False], key


def test_neither_the_number_nor_the_length_of_the_premises_gives_the_label(
    release: Sample,
) -> None:
    counted: dict[tuple[object, ...], Counter[bool]] = defaultdict(Counter)
    for row in release.items:
        counted[row["scheme"], row["variant"], len(row["premises"])][row["label"]] += 1
    assert all(both[True] == both[False] for both in counted.values())


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("true", "True"),
        ("It is True", "True"),
        ("The conclusion follows. True", "True"),
        ("False", "False"),
        ("  **false**", "False"),
    ],
)
def test_an_answer_need_not_begin_with_the_exact_word(reply: str, label: str) -> None:
    reading = Reader(["True", "False"]).read(reply)
    assert reading.outcome is Outcome.ANSWER
    assert reading.label == label


def test_p1_is_no_part_of_p10() -> None:
    reading = Reader(["True", "False"], marker="P").read("True, P10, P2")
    assert reading.selection == {2, 10}


class Scripted:
    """A model whose reply is a function of the gold answer."""

    def __init__(self, reply: Callable[[str], str]) -> None:
        self._reply = reply

    def identity(self) -> Mapping[str, Scalar]:
        return {"backend": "scripted"}

    def notes(self) -> Mapping[str, Scalar]:
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, request in enumerate(requests):
            yield position, Reply(self._reply(request.gold))


def scores_of(release: Sample, task: str, reply: Callable[[str], str], out: Path) -> dict[str, Any]:
    opened = open_release(release.folder)
    asked = plan(opened, opened.benchmark.tasks[task], "zero-shot", limit=400)
    done = perform(asked, Scripted(reply), out)
    overall = done.scores["overall"]
    assert isinstance(overall, dict)
    return overall | {"gold": [item.selection for item in asked.items]}


def test_precision_and_recall_are_not_exchanged(release: Sample, tmp_path: Path) -> None:
    scores = scores_of(release, "entailment", lambda gold: "True", tmp_path)
    assert scores["recall"] == 1.0
    assert 0.4 < scores["precision"] < 0.6
    assert scores["accuracy"] == scores["precision"]


def test_the_third_gold_premise_is_scored(release: Sample, tmp_path: Path) -> None:
    def forgetful(gold: str) -> str:
        label, *premises = gold.split(", ")
        return ", ".join([label, *premises[:2]])

    scores = scores_of(release, "premise-selection", forgetful, tmp_path)
    three = sum(len(gold or ()) == 3 for gold in scores["gold"])
    assert three > 20
    assert scores["reasoning-accuracy"] == pytest.approx(1 - three / scores["n"])
    assert scores["accuracy"] == 1.0


@pytest.mark.parametrize("task", ["entailment", "premise-selection"])
def test_a_worked_example_names_no_premise_that_is_not_there(release: Sample, task: str) -> None:
    opened = open_release(release.folder)
    chosen = opened.benchmark.tasks[task]
    (request,) = list(ask(opened, chosen, "few-shot", prepare(opened, chosen)[:1]))
    turns = [message.content for message in request.messages if message.role != "system"]
    assert len(turns) == 2 * len(release.exemplars) + 1
    labels = set()
    for question, answer in zip(turns[0:-1:2], turns[1:-1:2], strict=True):
        shown = {int(number) for number in re.findall(r"^P([0-9]+):", question, re.M)}
        assert shown == set(range(1, max(shown) + 1))
        named = {int(number) for number in re.findall(r"P([0-9]+)", answer)}
        assert named <= shown
        assert bool(named) is (task == "premise-selection" and answer.startswith("True"))
        labels.add(answer.split(",")[0])
    assert labels == {"True", "False"}
