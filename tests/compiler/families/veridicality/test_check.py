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
            ":28:5: verbs[0]: the past of learn is missing: learn has more than one such form: "
            "learned, learnt\n    add past: …",
        ),
        (
            KNOW,
            "{lemma: see, signature: +/+}",
            ":30:13: verbs[2].lemma: see stands twice\n    leave one out",
        ),
        (
            KNOW,
            "{lemma: know, present: knows, past: saw, signature: +/+}",
            ":30:5: verbs[2]: saw is a form of both know and see",
        ),
        (
            KNOW,
            "{lemma: know, present: knows, past: knew, signature: yes}",
            ':28:58: verbs[0].signature: "yes" must be two signs, such as +/+ or o/o: '
            "+ for true, - for false, o for open",
        ),
        (
            "frames: {file: ../veridicality/frames.yaml}",
            'frames: {main: {id: x, text: "Someone {verb} it"}}',
            ":37:30: frames.main.text: the text has no place for {sentence}\n    write it like: "
            "Someone {verb} that {sentence}",
        ),
        (
            "frames: {file: ../veridicality/frames.yaml}",
            'frames: {main: {id: x, text: "Someone {verb} that {sentence}", tenses: [past]}}',
            ":37:72: frames.main.tenses: the main frame needs both tenses",
        ),
        (
            "frames: {file: ../veridicality/frames.yaml}",
            'frames: {main: {id: x, text: "I {verb} that {sentence}"}, '
            'further: [{id: x, text: "We {verb} that {sentence}"}]}',
            ":37:74: frames.further[0].id: two frames are called x",
        ),
        (
            "verbs_per_pair: 2",
            "verbs_per_pair: 10",
            ":42:19: synthetic.verbs_per_pair: 10 verbs a pair need 5 veridical verbs and as many "
            "others; there are 4 and 4\n    at most 8",
        ),
        (
            "verbs: [know, see, notice]",
            "verbs: [know, hope, guess]",
            ":53:19: naturalistic.augmentation.verbs[1]: hope is not veridical: it is o/o",
        ),
        (
            "  source: pairs\n",
            "  source: sick\n",
            ":45:11: naturalistic.source: there is no source sick\n    the sources are: pairs",
        ),
        (
            "fragment: {file: ../veridicality/fragment.yaml}",
            "fragment: {max_connectives: 3, grammar: \"% start S\\nS[SEM=?s] -> S[SEM=?s] 'so'\"}",
            ":38:41: fragment.grammar: the grammar is left-recursive: S -> S; its sentences would "
            "have no greatest length: give the inner category another name",
        ),
        (
            "fragment: {file: ../veridicality/fragment.yaml}",
            "",
            ":41:3: synthetic: there is no grammar to draw from\n    add the section fragment",
        ),
    ],
)
def test_each_problem_has_its_place(
    problems: Callable[..., list[str]], old: str, new: str, expected: str
) -> None:
    assert expected in problems((old, new))


FRAMES = "frames: {file: ../veridicality/frames.yaml}"


def main(frame: str) -> str:
    return f"frames: {{main: {{id: x, {frame}}}}}"


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (
            'text: "Someone {verb} that someone hopes that {sentence}"',
            ":37:30: frames.main.text: between {verb} and {sentence} stands 'that someone hopes "
            "that', where a finite clause takes 'that'; that begins a second\n"
            "    to put one verb below another, write depths and frames.inner",
        ),
        (
            'text: "No one {verb} that {sentence}"',
            ":37:30: frames.main.text: 'no one' in 'No one' negates\n    leave it out and write "
            "environments: [negated], or for a subject [quantified]",
        ),
        (
            'text: "If someone {verb} that {sentence}, the bell rings"',
            ":37:30: frames.main.text: ', the bell rings' after {sentence} would be read as part "
            "of it\n    for a condition write subject: …, consequent: … and environments: "
            "[conditional]",
        ),
        (
            'text: "If someone {verb} that {sentence}"',
            ":37:30: frames.main.text: 'if' in 'If someone' makes a condition\n    leave it out "
            "and write environments: [conditional]",
        ),
        (
            'text: "Someone {verb} to {sentence}"',
            ":37:30: frames.main.text: between {verb} and {sentence} stands 'to', where a finite "
            "clause takes 'that'\n    for an infinitive give the verb complement: to, and add the "
            "section control",
        ),
        (
            "subject: someone who hopes to win",
            ":37:33: frames.main.subject: 'hopes' in 'someone who hopes to win' is a form of hope, "
            "a verb of the spec\n    to put one verb below another, write depths and frames.inner",
        ),
        (
            'adjunct: "Perhaps", subject: Maria',
            ":37:53: frames.main.subject: 'perhaps' in 'Perhaps Maria' makes a possibility\n    "
            "leave it out and write environments: [modal]",
        ),
        (
            "subject: whether somebody",
            ":37:33: frames.main.subject: 'whether' in 'whether somebody' begins another "
            "complement\n    to put one verb below another, write depths and frames.inner",
        ),
        (
            "subject: someone almost",
            ":37:33: frames.main.subject: 'almost' in 'someone almost' changes what a verb says\n"
            "    what is left of the verb's signature is not known",
        ),
        (
            "subject: no one, environments: [quantified]",
            ":37:33: frames.main.subject: the main frame cannot stand in the environment positive"
            "\n    add it there",
        ),
        ("subject: a few critics, agreement: plural", None),
        ("subject: everyone here", None),
    ],
)
def test_a_frame_with_an_operator_of_its_own_is_refused(
    problems: Callable[..., list[str]], frame: str, expected: str | None
) -> None:
    assert problems((FRAMES, main(frame))) == ([] if expected is None else [expected])


ASKED = ("verbs_per_pair: 2", "verbs_per_pair: 2\n  environments: [negated, question]")


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (
            "subject: everyone here",
            ":37:33: frames.main.subject: 'everyone' in 'everyone here' quantifies over all\n    "
            "with any environment but positive its scope is not certain",
        ),
        (
            'text: "Someone {verb} that {sentence}"',
            ":37:30: frames.main.text: in the environment question the subject stands within the "
            "sentence, and the text does not show how it is written there\n    write the frame in "
            "parts, such as subject: someone",
        ),
    ],
)
def test_what_a_frame_may_be_depends_on_its_environments(
    problems: Callable[..., list[str]], frame: str, expected: str
) -> None:
    assert expected in problems((FRAMES, main(frame)), ASKED)


def test_a_verb_is_of_any_letters(problems: Callable[..., list[str]]) -> None:
    verbs = [
        "{lemma: γνωρίζω, present: γνωρίζει, past: γνώριζε, signature: +/+}",
        "{lemma: जानना, present: जानता है, past: जानता था, signature: +/+}",
        "{lemma: weiterwissen, present: weiß weiter, past: wußte weiter, signature: +/+}",
    ]
    lemma = ("    verbs: [know, see, notice]", "    verbs: [see, notice]")
    for verb in verbs:
        assert problems((KNOW, verb), lemma) == []
    digit = "{lemma: know2, present: knows, past: knew, signature: +/+}"
    (problem,) = problems((KNOW, digit), lemma)
    assert problem == ':28:13: verbs[0].lemma: "know2" must be words of letters'


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        (
            "{lemma: be known, present: is known, past: was known, signature: +/+}",
            ":28:13: verbs[0].lemma: 'be known' begins with the auxiliary be, which is negated and "
            "asked otherwise than a verb\n    for a passive write the verb by itself, and voices: "
            "[passive]",
        ),
        (
            "{lemma: not know, present: not knows, past: not knew, signature: +/+}",
            ":28:13: verbs[0].lemma: 'not' in 'not know' negates\n    write the verb by itself, "
            "and its environments",
        ),
    ],
)
def test_a_lemma_is_a_verb(problems: Callable[..., list[str]], verb: str, expected: str) -> None:
    lemma = ("    verbs: [know, see, notice]", "    verbs: [see, notice]")
    assert problems((KNOW, verb), lemma) == [expected]


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (
            "depths: [2]",
            ":43:11: synthetic.depths: 2 verbs above a sentence need 1 inner clauses; frames.inner "
            "has 0\n    add: inner: [{subject: someone else}]",
        ),
        (
            "environments: [positive, modal]",
            ":28:5: verbs[0]: the participle of wake is missing: wake has more than one such "
            "form: waked, woken\n    add participle: …",
        ),
    ],
)
def test_what_a_construction_needs(
    problems: Callable[..., list[str]], section: str, expected: str
) -> None:
    found = problems(
        (KNOW, "{lemma: wake, present: wakes, past: woke, signature: +/+}"),
        ("verbs_per_pair: 2", f"verbs_per_pair: 2\n  {section}"),
        ("    verbs: [know, see, notice]", "    verbs: [see, notice]"),
    )
    assert found == [expected]


def test_the_language_is_checked_for_its_operators(
    problems: Callable[..., list[str]], root: Path
) -> None:
    table = (root / "specs" / "veridicality" / "english.yaml").read_text(encoding="utf-8")
    table = table.replace("{subject} {do} not {base}", "{subject} {do} {base}")
    table = "language:\n" + "".join(f"  {line}\n" for line in table.splitlines())
    found = problems(("language: {file: ../veridicality/english.yaml}\n", table))
    assert found == [
        f":30:3: language: clauses, negated, {tense}: '{{subject}} {{do}} {{base}} {{complement}}' "
        "has the operators none, and its environment negations"
        for tense in ("past", "present")
    ] + [
        f":30:3: language: embedded, negated, {tense}: '{{subject}} {{do}} {{base}} {{complement}}'"
        " has the operators none, and its environment negations"
        for tense in ("past", "present")
    ]


def test_all_problems_are_told_at_once(problems: Callable[..., list[str]]) -> None:
    found = problems(
        (KNOW, "{lemma: learn, signature: +/+}"),
        ("verbs: [know, see, notice]", "verbs: [guess, hope, know]"),
        ("  source: pairs\n", "  source: sick\n"),
    )
    assert len(found) >= 5


def test_a_spec_needs_one_of_the_two_parts(problems: Callable[..., list[str]]) -> None:
    assert problems(
        ("synthetic:\n  pairs: 240\n  verbs_per_pair: 2\n", ""),
        (
            "naturalistic:\n  source: pairs\n  format: tsv\n  pairs: 60\n  verbs_per_pair: 4\n"
            "  noise: 0.1\n  augmentation:\n    pairs: [same, further]\n    number: 10\n"
            "    verbs: [know, see, notice]\n",
            "",
        ),
    ) == [
        ":2:1: the spec has neither a synthetic nor a naturalistic part\n    add one of them",
    ]


PAIRS = "    pairs: [same, further]\n    number: 10\n"


@pytest.mark.parametrize(
    ("section", "verbs", "expected"),
    [
        ("    pairs: same\n", "know", []),
        ("    pairs: further\n    number: 10\n", "know, see, notice, learn", []),
        ("    pairs: [further, same]\n    number: 4\n", "learn", []),
        (
            "    pairs: further\n",
            "know",
            [
                ":51:5: naturalistic.augmentation: it is not said how many further pairs there are"
                "\n    add number: …"
            ],
        ),
        (
            "    pairs: same\n    number: 10\n",
            "know",
            [
                ":52:13: naturalistic.augmentation.number: the same pairs are all pairs of the "
                "section\n    leave number out, or write pairs: [same, further]"
            ],
        ),
        (
            "    pairs: same\n",
            "know, see, notice, learn",
            [
                ":52:12: naturalistic.augmentation.verbs: every veridical verb is added: none is "
                "left to test on\n    with composites of the same pairs, a test below a verb that "
                "is added repeats them"
            ],
        ),
    ],
)
def test_which_pairs_are_added_is_said(
    problems: Callable[..., list[str]], section: str, verbs: str, expected: list[str]
) -> None:
    verbs_line = "    verbs: [know, see, notice]\n"
    assert problems((PAIRS + verbs_line, f"{section}    verbs: [{verbs}]\n")) == expected


def test_pairs_are_same_or_further(problems: Callable[..., list[str]]) -> None:
    assert problems((PAIRS, "    pairs: 10\n")) == [
        ":51:12: naturalistic.augmentation.pairs: 10 is not one of the values allowed\n    "
        "known: further, same"
    ]


SNLI = """  format: jsonl
  columns: {id: pairID, premise: sentence1, hypothesis: sentence2, label: gold_label}
  labels:
    {entailment: [entailment], neutral: [neutral], contradiction: [contradiction], left_out: ["-"]}
"""
SEMEVAL = """  format: tsv
  columns: {id: pair_ID, premise: sentence_A, hypothesis: sentence_B, label: entailment_judgment}
"""


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (SNLI, []),
        (SEMEVAL, []),
        (
            "  format: parquet\n  delimiter: tab\n",
            [
                ":47:14: naturalistic.delimiter: a delimiter is of csv, and the format is parquet"
                "\n    leave it out"
            ],
        ),
        (
            "  format: tsv\n  split: train\n",
            [
                ":47:10: naturalistic.split: the source has no column of splits\n    add columns: "
                "{split: …}, with the column that names it"
            ],
        ),
    ],
)
def test_a_source_of_another_make_takes_yaml_alone(
    problems: Callable[..., list[str]], section: str, expected: list[str]
) -> None:
    assert problems(("  format: tsv\n", section)) == expected
