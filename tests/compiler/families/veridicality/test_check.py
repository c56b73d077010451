from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sorites.errors import InvalidSpec
from sorites.families.veridicality import check
from sorites.specfile.load import load, load_document
from sorites.specfile.reader import read_text


@pytest.fixture
def problems(root: Path) -> Callable[..., list[str]]:
    """Replaces text in the sample spec and tells what check, or the schema, finds wrong."""
    path = root / "specs" / "sample" / "veridical-transitivity.yaml"
    text = path.read_text(encoding="utf-8")

    def found(*changes: tuple[str, str]) -> list[str]:
        changed = text
        for old, new in changes:
            assert old in changed
            changed = changed.replace(old, new, 1)
        try:
            spec = load_document(read_text(changed, path), path)
        except InvalidSpec as error:
            return [str(problem).removeprefix(str(path)) for problem in error.problems]
        return [str(problem).removeprefix(str(path)) for problem in check(spec)]

    return found


def test_the_specs_have_no_problem(root: Path, problems: Callable[..., list[str]]) -> None:
    assert problems() == []
    assert check(load(root / "specs" / "veridical-transitivity.yaml")) == []


KNOW = "{lemma: know, present: knows, past: knew, signature: +/+}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            KNOW,
            "{lemma: learn, present: learns, signature: +/+}",
            ":27:5: verbs[0]: the past of learn is missing: learn has more than one such form: "
            "learned, learnt\n    add past: …",
        ),
        (
            KNOW,
            "{lemma: see, signature: +/+}",
            ":29:13: verbs[2].lemma: see stands twice\n    leave one out",
        ),
        (
            KNOW,
            "{lemma: know, present: knows, past: saw, signature: +/+}",
            ":29:5: verbs[2]: saw is a form of both know and see",
        ),
        (
            KNOW,
            "{lemma: know, present: knows, past: knew, signature: yes}",
            ':27:58: verbs[0].signature: "yes" must be two signs, such as +/+ or o/o: '
            "+ for true, - for false, o for open",
        ),
        (
            "frames: {file: ../veridicality/frames.yaml}",
            'frames: {main: {id: x, text: "Someone {verb} it"}}',
            ":36:30: frames.main.text: the text has no place for {sentence}\n    write it like: "
            "Someone {verb} that {sentence}",
        ),
        (
            "frames: {file: ../veridicality/frames.yaml}",
            'frames: {main: {id: x, text: "Someone {verb} that {sentence}", tenses: [past]}}',
            ":36:72: frames.main.tenses: the main frame needs both tenses",
        ),
        (
            "frames: {file: ../veridicality/frames.yaml}",
            'frames: {main: {id: x, text: "I {verb} that {sentence}"}, '
            'further: [{id: x, text: "We {verb} that {sentence}"}]}',
            ":36:74: frames.further[0].id: two frames are called x",
        ),
        (
            "verbs_per_pair: 2",
            "verbs_per_pair: 10",
            ":41:19: synthetic.verbs_per_pair: 10 verbs a pair need 5 veridical verbs and as many "
            "others; there are 4 and 4\n    at most 8",
        ),
        (
            "verbs: [know, see, notice, learn]",
            "verbs: [know, hope, guess]",
            ":51:19: naturalistic.augmentation.verbs[1]: hope is not veridical: it is o/o",
        ),
        (
            "  source: pairs\n",
            "  source: sick\n",
            ":44:11: naturalistic.source: there is no source sick\n    the sources are: pairs",
        ),
        (
            "fragment: {file: ../veridicality/fragment.yaml}",
            "fragment: {max_connectives: 3, grammar: \"% start S\\nS[SEM=?s] -> S[SEM=?s] 'so'\"}",
            ":37:41: fragment.grammar: the grammar is left-recursive: S -> S; its sentences would "
            "have no greatest length: give the inner category another name",
        ),
        (
            "fragment: {file: ../veridicality/fragment.yaml}",
            "",
            ":40:3: synthetic: there is no grammar to draw from\n    add the section fragment",
        ),
    ],
)
def test_each_problem_has_its_place(
    problems: Callable[..., list[str]], old: str, new: str, expected: str
) -> None:
    assert expected in problems((old, new))


def test_all_problems_are_told_at_once(problems: Callable[..., list[str]]) -> None:
    found = problems(
        (KNOW, "{lemma: learn, signature: +/+}"),
        ("verbs: [know, see, notice, learn]", "verbs: [guess, hope, know]"),
        ("  source: pairs\n", "  source: sick\n"),
    )
    assert len(found) >= 5


def test_a_spec_needs_one_of_the_two_parts(problems: Callable[..., list[str]]) -> None:
    assert problems(
        ("synthetic:\n  pairs: 240\n  verbs_per_pair: 2\n", ""),
        (
            "naturalistic:\n  source: pairs\n  format: tsv\n  pairs: 60\n  verbs_per_pair: 4\n"
            "  noise: 0.1\n  augmentation:\n    pairs: 10\n"
            "    verbs: [know, see, notice, learn]\n",
            "",
        ),
    ) == [
        ":2:1: the spec has neither a synthetic nor a naturalistic part\n    add one of them",
    ]
