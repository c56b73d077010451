"""Every problem of a spec of this kind: its place, its words, its advice."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import InvalidSpec
from sorites.families.sense_relations import check
from sorites.specfile.load import load, load_document
from sorites.specfile.reader import read_text
from tests.compiler.families.sense_relations.conftest import Edit


def problems(edited: Edit, *changes: str) -> list[str]:
    return [
        f"{problem.path}: {problem.message}" + (f" | {problem.hint}" if problem.hint else "")
        for problem in check(edited(*changes))
    ]


@pytest.mark.parametrize(
    "spec",
    [
        "specs/gloss-relations.yaml",
        "specs/sample/gloss-relations.yaml",
        "tests/specs/gloss-relations-core.yaml",
    ],
)
def test_the_specs_are_in_order(root: Path, spec: str) -> None:
    assert check(load(root / spec)) == []


INLINE = "relations: {file: ../senses/relations.yaml}"
RELATIONS = """relations:
  hypernymy: {label: HYP, inverse: HPO, synset_types: [hypernym]}
  holonymy: {label: HOL, inverse: MER, synset_types: [holo_part]}
  antonymy: {label: ANT, sense_types: [antonym]}"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "  sources: [lexicon]",
            "  sources: [lexikon]",
            ["lexicon.sources[0]: no source is called 'lexikon' | did you mean \"lexicon\"?"],
        ),
        (
            "      languages: [en, el, ro, tr, ja]",
            "      languages: [en, el, ro, tr, de]",
            [
                "lexicon.wordnets[0].languages[4]: 'de' is not a language of the spec | known: "
                "el, en, ja, ro, tr",
                "lexicon.wordnets: no wordnet is named for 'ja' | say whose glosses these are, and "
                "under which licence",
            ],
        ),
        (
            "      license: cc0-1.0",
            "      license: cc-bi-4.0",
            [
                "lexicon.wordnets[0].license: 'cc-bi-4.0' is not a licence whose compatibility is "
                'known | did you mean "cc-by-4.0"?',
            ],
        ),
        (
            "      license: cc0-1.0",
            "      license: cc-by-sa-4.0",
            [
                "license: 'cc0-1.0' is not a licence that 'Sorites sample lexicon' (CC BY-SA 4.0) "
                "allows | the laxest that all wordnets allow is cc-by-sa-4.0",
            ],
        ),
        (
            "      license: cc0-1.0\n",
            "      license: cc-by-sa-4.0\n"
            "    - {name: B, languages: [en], license: cc-by-nc-4.0}\n",
            [
                "lexicon.wordnets: 'Sorites sample lexicon' (CC BY-SA 4.0) and 'B' (CC BY-NC 4.0) "
                "cannot be released together: no licence is allowed by both; leave one of them out",
            ],
        ),
        (
            "  - filter: glosses\n  - filter: identical-glosses",
            "  - filter: identical-glosses",
            [
                "filters[0]: the first filter must be `glosses` | the others compare glosses, so "
                "that each synset must have one in every language",
            ],
        ),
        (
            "  - filter: one-relation",
            "  - filter: part-of-speech",
            ["filters[5]: the filter `part-of-speech` is there twice | keep one of them"],
        ),
        (
            "    case: language",
            "    unaccented: [el, fr]",
            [
                "filters[2].unaccented[1]: 'fr' is not a language of the spec | known: el, en, "
                "ja, ro, tr",
            ],
        ),
        (INLINE, RELATIONS, []),
        (
            INLINE,
            RELATIONS.replace("hypernym]", "hypernim]"),
            [
                "relations.hypernymy.synset_types[0]: 'hypernim' is not a relation type of WN-LMF "
                'or Cygnet | did you mean "hypernym"?',
            ],
        ),
        (
            INLINE,
            RELATIONS.replace(", synset_types: [holo_part]", ""),
            [
                "relations.holonymy: no relation type is named | give `synset_types`, "
                "`sense_types` or both",
            ],
        ),
        (
            INLINE,
            RELATIONS.replace("label: ANT", "label: ANT, inverse: ANT"),
            [
                "relations.antonymy.inverse: the inverse is the label itself | leave `inverse` "
                "out: that makes the relation symmetric",
            ],
        ),
        (
            INLINE,
            RELATIONS.replace("inverse: MER", "inverse: HPO"),
            [
                "relations.holonymy.inverse: the label 'HPO' is one of the relation 'hypernymy' "
                "already | give each relation labels of its own",
                "tasks.relation.answer.labels[\"4\"]: 'MER' is not a label of a relation | "
                "known: ANT, HOL, HPO, HYP",
                'tasks.relation.views[1].labels["3"]: 3 (HOL) must become 2 (HPO) in this view | '
                'write "3": "2"',
                'tasks.relation.views[1].labels["2"]: 2 (HPO) must become 3 (HOL) in this view | '
                'write "2": "3"',
            ],
        ),
        (
            INLINE,
            RELATIONS + "\n  cause: {label: CAU, inverse: EFF, synset_types: [causes]}",
            [
                "tasks.relation.answer.labels: no answer stands for the label 'CAU' | add one: "
                "each label of `relations` must be possible to give",
                "tasks.relation.answer.labels: no answer stands for the label 'EFF' | add one: "
                "each label of `relations` must be possible to give",
            ],
        ),
    ],
)
def test_problems(edited: Edit, old: str, new: str, expected: list[str]) -> None:
    assert problems(edited, old, new) == expected


def test_a_database_is_one_source(edited: Edit) -> None:
    found = problems(
        edited,
        "format: wn-lmf\n  sources: [lexicon]",
        "format: cygnet\n  sources: [lexicon, other]",
    )
    assert found == [
        "lexicon.sources: a lexicon of the format `cygnet` is one database | keep one of the "
        "sources",
        "lexicon.sources[1]: no source is called 'other' | known: lexicon",
    ]


def test_a_view_that_turns_the_pair_must_turn_the_labels(root: Path) -> None:
    path = root / "tests" / "specs" / "gloss-relations-core.yaml"
    text = path.read_text(encoding="utf-8").replace('"3": "4", ', "")
    (problem,) = check(load_document(read_text(text, path), path))
    assert problem.message == "3 (HOL) must become 4 (MER) in this view"
    assert problem.hint == 'write "3": "4"'
    assert (problem.line, problem.file) == (
        text[: text.index('labels: {"1": "2"')].count("\n") + 1,
        str(path),
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    characters: 5\n", "", 'the key "characters" is missing'),
        ("  - filter: part-of-speech", "  - filter: glosses\n    case: keep", 'unknown key "case"'),
        ("  - filter: part-of-speech", "  - filter: pos", '"pos" is not one of'),
        ("format: wn-lmf", "format: tsv", '"tsv" is not one of'),
        ("    case: language", "    case: upper", '"upper" is not one of'),
    ],
)  # fmt: skip
def test_the_schema_refuses_what_it_can(edited: Edit, old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidSpec) as caught:
        edited(old, new)
    (problem,) = caught.value.problems
    assert problem.message.startswith(message)


def test_other_relations_are_chosen_by_their_dc_type(edited: Edit) -> None:
    given = RELATIONS.replace("sense_types: [antonym]", 'sense_types: ["other:has agent"]')
    assert problems(edited, INLINE, given) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            ("  format: wn-lmf\n", "  format: wn-lmf\n  without_ili: keep\n"),
            [
                "lexicon.without_ili: synsets without ILI link no languages, and the spec has "
                "several | leave `without_ili` out, or make a data set in one language"
            ],
        ),
        (
            ("  format: wn-lmf\n", "  format: cygnet\n  without_ili: keep\n"),
            [
                "lexicon.without_ili: the synsets of a Cygnet database have no lasting name but "
                "their ILI | leave `without_ili` out",
                "lexicon.without_ili: synsets without ILI link no languages, and the spec has "
                "several | leave `without_ili` out, or make a data set in one language",
            ],
        ),
        (
            ("languages: [en, el, ro, tr, ja]\nseed", "languages: [en, ja, el, ro, tr, jpn]\nseed"),
            [
                "languages[5]: 'jpn' and 'ja' are codes of one language | keep one of the two",
                "lexicon.wordnets: no wordnet is named for 'jpn' | say whose glosses these are, "
                "and under which licence",
            ],
        ),
    ],
)
def test_what_the_lexicons_policies_need(
    edited: Edit, changes: tuple[str, ...], expected: list[str]
) -> None:
    assert problems(edited, *changes) == expected
