from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest

from sorites.errors import SoritesError
from sorites.families.veridicality.clauses.frames import Frame
from sorites.families.veridicality.clauses.language import Language
from sorites.families.veridicality.clauses.realise import embed
from sorites.families.veridicality.clauses.stacks import Construction, Stack
from sorites.families.veridicality.composites import (
    commitment,
    composed_verdict,
    composite_label,
    composite_rows,
    embedded_rows,
    veridical_rows,
)
from sorites.families.veridicality.dealing import Embedding, assign_verbs, with_frames
from sorites.families.veridicality.embedded import EmbeddedPair, Logic
from sorites.families.veridicality.polarity import Environment
from sorites.families.veridicality.verbs import Sign, Verb
from sorites.logic.formulas import Formula, parse
from sorites.logic.prover import Prover, Verdict

SOMEONE = Frame("someone", "someone")
VERBS = [
    Verb("know", "knows", "knew", Sign.TRUE, Sign.TRUE, {}),
    Verb("see", "sees", "saw", Sign.TRUE, Sign.TRUE, {}),
    Verb("hope", "hopes", "hoped", Sign.OPEN, Sign.OPEN, {}),
    Verb("pretend", "pretends", "pretended", Sign.FALSE, Sign.FALSE, {}),
]


def premise_of(e: Embedding, language: Language) -> str:
    return embed(language, e.frame, e.stack, e.tense, e.pair.bottom(e.tense))


def pair(number: int, verdict: Verdict, logic: Logic | None = None) -> EmbeddedPair:
    return EmbeddedPair(
        f"p{number}",
        {"past": f"Ann, Bob and Cid saw {number} cats", "present": f"Ann sees {number} cats"},
        {"past": f"Bob saw {number} cats", "present": f"Bob sees {number} cats"},
        "present",
        verdict,
        str(number),
        logic,
    )


@pytest.mark.parametrize(
    ("veridical", "embedded", "composite"),
    [("yes", "yes", "yes"), ("yes", "unk", "unk"), ("unk", "yes", "unk"), ("unk", "unk", "unk")],
)
def test_a_composite_is_yes_only_if_both_parts_are(
    veridical: str, embedded: str, composite: str
) -> None:
    assert composite_label(veridical, embedded) == composite


@pytest.mark.parametrize(
    ("sign", "formula", "expected"),
    [
        (Sign.TRUE, "swim(ann)", "swim(ann)"),
        (Sign.FALSE, "swim(ann)", "-swim(ann)"),
        (Sign.FALSE, "(swim(ann) & swim(bob))", "-((swim(ann) & swim(bob)))"),
        (Sign.OPEN, "swim(ann)", None),
    ],
)
def test_what_a_verb_commits_to(sign: Sign, formula: str, expected: str | None) -> None:
    assert commitment(sign, formula) == expected


def test_verbs_and_tenses_are_dealt_evenly() -> None:
    pairs = [pair(n, Verdict.ENTAILED if n % 2 else Verdict.UNDETERMINED) for n in range(80)]
    dealt = assign_verbs(pairs, VERBS, 2, SOMEONE, seed=1)
    assert len(dealt) == 160
    cells = Counter((e.stack.verb.lemma, e.tense, e.pair.label) for e in dealt)
    assert len(cells) == 4 * 2 * 2
    assert set(cells.values()) == {10}
    kinds = Counter((e.pair.id, e.sign is Sign.TRUE) for e in dealt)
    assert set(kinds.values()) == {1}


def test_all_verbs_in_both_tenses() -> None:
    pairs = [pair(n, Verdict.ENTAILED) for n in range(10)]
    dealt = assign_verbs(pairs, VERBS, 4, SOMEONE, seed=1)
    assert len({(e.pair.id, e.stack.verb.lemma) for e in dealt}) == 40
    assert set(Counter((e.stack.verb.lemma, e.tense) for e in dealt).values()) == {5}


@pytest.mark.parametrize("per_pair", [3, 6])
def test_verbs_must_suffice(per_pair: int) -> None:
    with pytest.raises(SoritesError) as raised:
        assign_verbs([pair(1, Verdict.ENTAILED)], VERBS, per_pair, SOMEONE, seed=1)
    assert str(raised.value) == (
        f"{per_pair} verbs a pair cannot be half veridical and half not: there are 2 veridical "
        "verbs and 2 others"
    )


def test_the_three_parts(english: Language) -> None:
    pairs = [pair(1, Verdict.ENTAILED), pair(2, Verdict.CONTRADICTED)]
    dealt = assign_verbs(pairs, VERBS, 4, SOMEONE, seed=1)
    rejected: Counter[str] = Counter()
    veridical = veridical_rows(dealt, english, Prover(), rejected)
    composites = composite_rows(dealt, english, Prover(), rejected)
    verdicts = {(row.pair, row.verb): row.verdict for row in composites}
    assert verdicts == {
        ("p1", "know"): "entailed",
        ("p1", "see"): "entailed",
        ("p1", "hope"): "undetermined",
        ("p1", "pretend"): "undetermined",
        ("p2", "know"): "contradicted",
        ("p2", "see"): "contradicted",
        ("p2", "hope"): "undetermined",
    }
    assert {(r.verb, r.label, r.verdict) for r in veridical} == {
        ("know", "yes", "entailed"),
        ("see", "yes", "entailed"),
        ("hope", "unk", "undetermined"),
        ("pretend", "unk", "contradicted"),
    }
    # What is so if 'Ann sees 2 cats' is false, nobody has said of a pair that is no entailment.
    assert rejected == {"composite: s1 is denied, and its source does not say what then follows": 1}


class Undecided(Prover):
    """Gives up on everything."""

    def verdict(self, premises: Sequence[Formula], conclusion: Formula) -> Verdict:
        """That it is not known."""
        return Verdict.UNKNOWN


def test_what_is_not_decided_is_left_out_and_counted(english: Language) -> None:
    logic = Logic(parse("swim(ann)"), parse("swim(bob)"), 0, 0, "s")
    dealt = assign_verbs([pair(1, Verdict.ENTAILED, logic)], VERBS, 4, SOMEONE, seed=1)
    rejected: Counter[str] = Counter()
    assert not composite_rows(dealt, english, Undecided(), rejected)
    assert not veridical_rows(dealt, english, Undecided(), rejected)
    assert rejected == {
        "composite: the verdict is unknown": 4,
        "veridical: the verdict is unknown": 4,
    }


def test_a_source_is_asked_no_more_than_it_says(english: Language) -> None:
    # Where verbs are enough, contradictions change places with pairs that are decided.
    verdicts = (Verdict.ENTAILED, Verdict.CONTRADICTED, Verdict.ENTAILED, Verdict.UNDETERMINED)
    pairs = [pair(n, verdict) for n, verdict in enumerate(verdicts * 3)]
    dealt = assign_verbs(pairs, VERBS, 2, SOMEONE, seed=1)
    rejected: Counter[str] = Counter()
    rows = composite_rows(dealt, english, Prover(), rejected)
    assert not rejected
    assert set(Counter((r.label_veridical, r.label_embedded) for r in rows).values()) == {6}
    denied = [row.pair for row in rows if row.verb == "pretend"]
    assert len(denied) == 6
    assert not {p.id for p in pairs if p.verdict is Verdict.CONTRADICTED} & {*denied}


def test_labels_of_parts_determine_what_every_world_does() -> None:
    # Worlds over s1 and s2, those that the source's label and the commitment leave.
    admits = {
        Verdict.ENTAILED: lambda s1, s2: not s1 or s2,
        Verdict.CONTRADICTED: lambda s1, s2: not (s1 and s2),
        Verdict.UNDETERMINED: lambda s1, s2: True,
    }
    for verdict, allowed in admits.items():
        for sign in Sign:
            held = {
                s2
                for s1, s2 in product((True, False), repeat=2)
                if allowed(s1, s2) and (sign is Sign.OPEN or s1 is (sign is Sign.TRUE))
            }
            expected = {
                (True,): Verdict.ENTAILED,
                (False,): Verdict.CONTRADICTED,
            }.get(tuple(held), Verdict.UNDETERMINED)
            assert composed_verdict(sign, verdict) is expected


def test_a_comma_in_the_complement_does_not_cost_the_premise(english: Language) -> None:
    dealt = assign_verbs([pair(3, Verdict.ENTAILED)], VERBS, 4, SOMEONE, seed=1)
    for row in veridical_rows(dealt, english, Prover(), Counter()):
        assert row.premise != row.hypothesis
        assert row.premise.startswith("Someone ")
        assert row.premise.endswith(f" that {row.hypothesis}")
        if row.tense == "past":
            assert "Ann, Bob and Cid saw 3 cats" in row.premise


def test_a_denied_denial_is_proved(english: Language) -> None:
    # 'Someone pretended that Ann did not swim' says that she swam.
    logic = Logic(parse("-swim(ann)"), parse("swim(ann)"), 1, 1, "PN did not IV")
    dealt = assign_verbs([pair(1, Verdict.CONTRADICTED, logic)], VERBS, 4, SOMEONE, seed=1)
    rejected: Counter[str] = Counter()
    rows = {row.verb: row for row in composite_rows(dealt, english, Prover(), rejected)}
    assert (rows["pretend"].label, rows["pretend"].verdict) == ("yes", "entailed")
    assert (rows["pretend"].label_veridical, rows["pretend"].label_embedded) == ("unk", "unk")
    assert (rows["know"].label, rows["know"].verdict) == ("unk", "contradicted")
    assert not rejected


def test_an_environment_turns_the_kinds_round(english: Language) -> None:
    verbs = [
        Verb("prove", "proves", "proved", Sign.TRUE, Sign.OPEN, {}),
        Verb("know", "knows", "knew", Sign.TRUE, Sign.TRUE, {}),
    ]
    logic = Logic(parse("(swim(ann) & swim(bob))"), parse("swim(ann)"), 1, 1, "PN and PN IV")
    negated = Construction(Environment.NEGATED)
    dealt = assign_verbs(
        [pair(1, Verdict.ENTAILED, logic)], verbs, 2, SOMEONE, seed=1, construction=negated
    )
    rows = {row.verb: row for row in composite_rows(dealt, english, Prover(), Counter())}
    assert (rows["know"].label, rows["prove"].label) == ("yes", "unk")
    assert (rows["know"].environment, rows["know"].polarity) == ("negated", "negative")
    assert rows["know"].id.endswith("-someone-negated-composite")
    assert " not know that " in rows["know"].premise


def test_formulas_are_proved_from_what_the_premise_commits_to(english: Language) -> None:
    logic = Logic(parse("(swim(ann) & swim(bob))"), parse("swim(ann)"), 1, 1, "PN and PN IV")
    dealt = assign_verbs([pair(1, Verdict.ENTAILED, logic)], VERBS, 4, SOMEONE, seed=1)
    rows = {row.verb: row for row in composite_rows(dealt, english, Prover(), Counter())}
    assert rows["know"].premise_formula == "(swim(ann) & swim(bob))"
    assert rows["know"].verdict == "entailed"
    assert rows["hope"].premise_formula is None
    assert rows["hope"].verdict == "undetermined"
    assert rows["pretend"].premise_formula == "-((swim(ann) & swim(bob)))"
    assert rows["pretend"].verdict == "undetermined"
    assert {row.hypothesis_formula for row in rows.values()} == {"swim(ann)"}


def test_frames_vary_and_keep_to_their_tenses(english: Language) -> None:
    frames = [
        Frame("past-only", "we", plural=True, tenses=("past",)),
        Frame("she", "she"),
    ]
    pairs = [pair(n, Verdict.ENTAILED) for n in range(20)]
    varied = with_frames(assign_verbs(pairs, VERBS, 4, SOMEONE, seed=1), frames, seed=2)
    used = Counter((e.frame.id, e.tense) for e in varied)
    assert set(used) == {("past-only", "past"), ("she", "past"), ("she", "present")}
    assert {premise_of(e, english).split()[0] for e in varied} == {"We", "She"}


def test_embedded_rows_are_the_pairs_themselves() -> None:
    (row,) = embedded_rows([pair(5, Verdict.UNDETERMINED)])
    assert (row.premise, row.hypothesis) == ("Ann sees 5 cats", "Bob sees 5 cats")
    assert (row.label, row.verdict, row.tense) == ("unk", "undetermined", "present")
    assert (row.verb, row.frame, row.label_veridical) == (None, None, None)


def test_ids_are_distinct(english: Language) -> None:
    pairs = [pair(n, v) for n, v in enumerate((Verdict.ENTAILED, Verdict.UNDETERMINED))]
    dealt = assign_verbs(pairs, VERBS, 4, SOMEONE, seed=1)
    rows = [
        *embedded_rows(pairs),
        *veridical_rows(dealt, english, Prover(), Counter()),
        *composite_rows(dealt, english, Prover(), Counter()),
    ]
    assert len({row.id for row in rows}) == len(rows) == 2 + 8 + 8


ATOMS = ("swim(a)", "run(a)", "sing(a)")
LITERALS = [*ATOMS, *(f"-{atom}" for atom in ATOMS)]
SENTENCES = [
    *LITERALS,
    *(f"({one} {by} {other})" for one, other in product(LITERALS, repeat=2) for by in "&|"),
    *(f"-({one} & {other} & {third})" for one, other, third in product(LITERALS, repeat=3)),
]
SIGNED = [
    Verb("know", "knows", "knew", Sign.TRUE, Sign.TRUE, {}),
    Verb("hope", "hopes", "hoped", Sign.OPEN, Sign.OPEN, {}),
    Verb("pretend", "pretends", "pretended", Sign.FALSE, Sign.FALSE, {}),
]


def holds(formula: str, world: dict[str, bool]) -> bool:
    """Whether a formula is true in a world, by Python's own connectives."""
    for atom, value in world.items():
        formula = formula.replace(atom, str(value))
    text = formula.replace("-", " not ").replace("&", " and ").replace("|", " or ")
    return bool(eval(text.strip()))


def test_a_composite_is_what_holds_in_every_world_of_three_atoms(english: Language) -> None:
    worlds = [dict(zip(ATOMS, values, strict=True)) for values in product((True, False), repeat=3)]
    prover = Prover()
    for premise in SENTENCES:
        of_premise = [holds(premise, world) for world in worlds]
        if len({*of_premise}) == 1:
            continue  # says nothing, or nothing possible
        for hypothesis in LITERALS:
            of_hypothesis = [holds(hypothesis, world) for world in worlds]
            logic = Logic(parse(premise), parse(hypothesis), 0, 0, "")
            given = pair(1, Verdict.UNDETERMINED, logic)
            for verb in SIGNED:
                embedding = Embedding(given, Stack((verb,)), "past", SOMEONE)
                (row,) = composite_rows([embedding], english, prover, Counter())
                allowed = {
                    held
                    for said, held in zip(of_premise, of_hypothesis, strict=True)
                    if verb.positive is Sign.OPEN or said is (verb.positive is Sign.TRUE)
                }
                expected = {(True,): "entailed", (False,): "contradicted"}.get(
                    tuple(allowed), "undetermined"
                )
                assert row.verdict == expected, (verb.lemma, premise, hypothesis)
                assert row.label == ("yes" if expected == "entailed" else "unk")
