"""The sample spec from end to end: what it keeps, what each filter drops, what stops it."""

from __future__ import annotations

import importlib.util
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from sorites.engines.serial import Serial
from sorites.errors import SoritesError, SourceError
from sorites.families.sense_relations import build
from sorites.progress import Silent
from sorites.release.content import Content
from sorites.sources.lexicons.lmf import read_lmf
from sorites.specfile.model import Spec
from tests.compiler.families.sense_relations.conftest import LANGUAGES, Edit


def compiled(spec: Spec, source: Path) -> Content:
    return build(spec, {"lexicon": source}, engine=Serial(), progress=Silent())


def rows(content: Content, config: str) -> list[dict[str, object]]:
    (split,) = [each for each in content.splits if each.config == config]
    found: list[dict[str, object]] = split.table.to_pylist()
    return found


def test_the_sample_lexicon_is_what_it_says(sample_lexicon: Path) -> None:
    lexicon = read_lmf([sample_lexicon], LANGUAGES)
    assert Counter(lexicon.pos.values()) == {"NOUN": 109, "VERB": 24, "ADJ": 17}
    assert {language: len(glosses) for language, glosses in lexicon.glosses.items()} == {
        "en": 150, "el": 150, "ro": 150, "tr": 149, "ja": 150,
    }  # fmt: skip
    assert len(lexicon.fully_glossed(LANGUAGES)) == 149
    assert all(set(lexicon.lemmas[each]) == lexicon.fully_glossed(LANGUAGES) for each in LANGUAGES)
    assert all(ili.startswith("i900") for ili in lexicon.pos)


def test_each_filter_drops_what_it_is_for(sample_content: Content) -> None:
    filters = sample_content.audit["filters"]
    assert isinstance(filters, list)
    assert [(each["filter"], each["before"], each["dropped"]) for each in filters] == [
        ("glosses", 115, 1),
        ("identical-glosses", 114, 1),
        ("lexicalisation", 113, 6),
        ("part-of-speech", 107, 1),
        ("length", 106, 1),
        ("one-relation", 105, 2),
    ]
    examples = {each["filter"]: each["example"] for each in filters}
    assert examples["glosses"]["language"] == "tr"
    assert examples["lexicalisation"]["word"] == "șoarece"
    assert examples["length"]["gloss"] == "何でも"
    assert examples["one-relation"]["relations"] == ["holonymy", "hypernymy"]
    assert sample_content.audit["kept"] == {
        "hypernymy": {"NOUN": 39, "VERB": 10},
        "holonymy": {"NOUN": 36},
        "antonymy": {"ADJ": 8, "NOUN": 5, "VERB": 5},
    }


@pytest.mark.parametrize(("case", "dropped"), [("language", 6), ("fold", 4), ("keep", 3)])
def test_the_language_decides_which_letters_are_the_same(
    edited: Edit, sample_lexicon: Path, case: str, dropped: int
) -> None:
    # fold misses Turkish ıspanak and işçi; keep also Greek φως, which ends in another sigma.
    content = compiled(edited("    case: language", f"    case: {case}"), sample_lexicon)
    filters = content.audit["filters"]
    assert isinstance(filters, list)
    assert filters[2]["dropped"] == dropped


def test_every_pair_is_there_in_every_pair_of_languages(sample_content: Content) -> None:
    items = rows(sample_content, "pairs")
    orders = Counter(product(LANGUAGES, repeat=2))
    by_pair: dict[object, Counter[tuple[object, object]]] = {}
    for row in items:
        by_pair.setdefault(row["pair_id"], Counter())[row["language_1"], row["language_2"]] += 1
    assert all(found == orders for found in by_pair.values())
    assert len(items) == len(by_pair) * 25
    assert len({row["id"] for row in items}) == len(items)
    assert {row["label"] for row in items} == {"HYP", "HOL", "ANT"}


def test_exemplars_are_the_same_five_pairs_in_every_pair_of_languages(
    sample_content: Content,
) -> None:
    exemplars = rows(sample_content, "exemplars")
    assert len(exemplars) == 5 * 25
    shown = {
        order: [
            (row["label"], row["pair_id"])
            for row in exemplars
            if (row["language_1"], row["language_2"]) == order
        ]
        for order in product(LANGUAGES, repeat=2)
    }
    (pairs,) = {tuple(each) for each in shown.values()}
    assert [label for label, _ in pairs] == ["HYP", "HPO", "HOL", "MER", "ANT"]


def test_items_share_no_concept_with_exemplars(sample_content: Content) -> None:
    def concepts(config: str) -> set[object]:
        return {row[key] for row in rows(sample_content, config) for key in ("ili_1", "ili_2")}

    assert not concepts("pairs") & concepts("exemplars")
    taken = sample_content.audit["taken out for the exemplars"]
    assert isinstance(taken, int)
    assert len(rows(sample_content, "pairs")) == (103 - taken) * 25


def test_counts_add_up(sample_content: Content) -> None:
    items = rows(sample_content, "pairs")
    assert sample_content.counts["rows by label"] == Counter(row["label"] for row in items)
    assert sample_content.counts["exemplar sense pairs"] == 5


def test_the_card_names_wordnets_filters_and_glosses(sample_content: Content) -> None:
    sections = {section.heading: section.markdown for section in sample_content.sections}
    assert "| hypernymy | VERB |" in sections["Sense pairs"]
    assert "Japanese words are counted by Janome." in sections["Glosses"]
    assert (
        "| Sorites sample lexicon | en, el, ro, tr, ja | CC0 1.0 |"
        in (sections["Wordnets and their licences"])
    )
    assert "| lexicalisation | 113 | 6 | 107 |" in sample_content.rejected
    assert "149 synsets have a gloss in every one of en, el, ro, tr, ja." in sample_content.made


def test_a_seed_gives_the_same_rows_and_another_seed_other_exemplars(
    edited: Edit, sample_lexicon: Path, sample_content: Content
) -> None:
    again = compiled(edited(), sample_lexicon)
    assert [each.table for each in again.splits] == [each.table for each in sample_content.splits]
    other = compiled(edited("seed: 20260701", "seed: 7"), sample_lexicon)
    assert rows(other, "exemplars") != rows(sample_content, "exemplars")


def test_a_lexicon_and_its_database_give_the_same_pairs(
    edited: Edit, sample_content: Content, sample_database: Path
) -> None:
    content = compiled(edited("format: wn-lmf", "format: cygnet"), sample_database)
    assert [each.table for each in content.splits] == [each.table for each in sample_content.splits]
    assert content.audit["filters"] == sample_content.audit["filters"]


RELATIONS = "relations: {file: ../senses/relations.yaml}"
CAUSE = """relations:
  cause: {label: CAU, inverse: EFF, synset_types: [causes]}
  entailment: {label: ENT, inverse: TNE, synset_types: [entails]}"""
TASKS = "tasks: {file: ../senses/tasks.yaml}"
CAUSE_TASKS = """exemplars: {each_label: 0}
tasks:
  relation:
    title: t
    description: d
    data: {config: pairs, split: test}
    id: id
    answer:
      format: choice
      labels: {"1": CAU, "2": EFF, "3": ENT, "4": TNE}
      gold: label
      max_new_tokens: 1
    prompts: {zero-shot: {user: "{{ gloss_1 }}"}}
    score: {metrics: [accuracy]}"""


def test_another_relation_takes_only_yaml(edited: Edit, sample_lexicon: Path) -> None:
    content = compiled(edited(RELATIONS, CAUSE, TASKS, CAUSE_TASKS), sample_lexicon)
    assert [split.config for split in content.splits] == ["pairs"]
    glosses = {
        (row["label"], row["gloss_1"], row["gloss_2"])
        for row in rows(content, "pairs")
        if row["language_1"] == row["language_2"] == "en"
    }
    assert glosses == {
        ("CAU", "to put an end to the life of someone", "to stop living"),
        ("ENT", "to get something in exchange for money", "to hand over money that is due"),
    }


def test_both_directions_are_two_pairs_with_inverse_labels(
    edited: Edit, sample_lexicon: Path
) -> None:
    both = CAUSE.replace("[causes]", "[causes], direction: both")
    content = compiled(edited(RELATIONS, both, TASKS, CAUSE_TASKS), sample_lexicon)
    assert content.counts["rows by label"] == {"CAU": 25, "EFF": 25, "ENT": 25}


def test_an_instance_is_a_hypernymy_pair_only_if_asked_for(
    edited: Edit, sample_lexicon: Path, sample_content: Content
) -> None:
    relations = """relations:
  hypernymy: {label: HYP, inverse: HPO, synset_types: [hypernym, instance_hypernym]}
  holonymy: {label: HOL, inverse: MER, synset_types: [holo_part, holo_member, holo_substance]}
  antonymy: {label: ANT, sense_types: [antonym]}"""
    content = compiled(edited(RELATIONS, relations), sample_lexicon)
    assert content.audit["kept"] == {
        "hypernymy": {"NOUN": 40, "VERB": 10},
        "holonymy": {"NOUN": 36},
        "antonymy": {"ADJ": 8, "NOUN": 5, "VERB": 5},
    }


def test_fewer_languages_keep_more_pairs(edited: Edit, sample_lexicon: Path) -> None:
    content = compiled(
        edited("languages: [en, el, ro, tr, ja]\nseed", "languages: [en, el]\nseed"), sample_lexicon
    )
    assert content.audit["kept"] == {
        "hypernymy": {"NOUN": 46, "VERB": 10},
        "holonymy": {"NOUN": 36},
        "antonymy": {"ADJ": 8, "NOUN": 5, "VERB": 5},
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            ("    characters: 5", "    characters: 40"),
            "five-languages.xml: no pair of the relation 'hypernymy' is left: the filter 'length' "
            "dropped the last 51; loosen the filter, choose fewer languages, or leave the relation "
            "out",
        ),
        (
            (RELATIONS, RELATIONS.replace("relations:", "exemplars: {each_label: 12}\nrelations:")),
            "five-languages.xml: the relation 'hypernymy' has too few pairs for 12 exemplar(s) of "
            "the label 'HPO' that share no synset with the others; lower `exemplars.each_label`",
        ),
        (
            ("languages: [en, el, ro, tr, ja]", "languages: [en, el, ro, tr, fi]"),
            "five-languages.xml: no synset has a gloss in 'fi'; languages with glosses: el (150), "
            "en (150), ja (150), ro (150), tr (149); correct `languages`, or add a wordnet of that "
            "language",
        ),
    ],
)
def test_what_leaves_nothing_is_an_error(
    edited: Edit, sample_lexicon: Path, changes: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SourceError) as caught:
        compiled(edited(*changes), sample_lexicon)
    assert str(caught.value) == message


def test_exemplars_that_take_every_item_are_an_error(edited: Edit, sample_lexicon: Path) -> None:
    one = "relations:\n  cause: {label: CAU, synset_types: [causes]}"
    spec = edited(RELATIONS, one, TASKS, CAUSE_TASKS.replace("each_label: 0", "each_label: 1"))
    with pytest.raises(SoritesError) as caught:
        compiled(spec, sample_lexicon)
    assert str(caught.value) == (
        "five-languages.xml: all 1 pairs share a synset with an exemplar, so that no item is left; "
        "lower `exemplars.each_label`, or loosen the filters"
    )


@pytest.mark.skipif(importlib.util.find_spec("stanza") is not None, reason="Stanza is installed")
def test_nominal_heads_are_not_left_out_in_silence(edited: Edit, sample_lexicon: Path) -> None:
    spec = edited(RELATIONS, f"statistics: {{nominal_heads: true}}\n{RELATIONS}")
    with pytest.raises(SoritesError, match=r"`statistics\.nominal_heads` needs Stanza"):
        compiled(spec, sample_lexicon)
