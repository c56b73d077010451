from __future__ import annotations

from collections import Counter

import pytest

from sorites.errors import SoritesError
from sorites.families.veridicality.composites import (
    assign_verbs,
    commitment,
    composite_label,
    composite_rows,
    embedded_rows,
    veridical_rows,
    with_frames,
)
from sorites.families.veridicality.embedded import EmbeddedPair, Logic
from sorites.families.veridicality.frames import TENSES, read_frame
from sorites.families.veridicality.verbs import Sign, Verb
from sorites.logic.prover import Prover, Verdict

SOMEONE = read_frame(
    "someone", "Someone {verb} that {sentence}", plural=False, negated=False, tenses=TENSES
)
VERBS = [
    Verb("know", "knows", "knew", Sign.TRUE, Sign.TRUE, {}),
    Verb("see", "sees", "saw", Sign.TRUE, Sign.TRUE, {}),
    Verb("hope", "hopes", "hoped", Sign.OPEN, Sign.OPEN, {}),
    Verb("pretend", "pretends", "pretended", Sign.FALSE, Sign.FALSE, {}),
]


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
    cells = Counter((e.verb.lemma, e.tense, e.pair.label) for e in dealt)
    assert len(cells) == 4 * 2 * 2
    assert set(cells.values()) == {10}
    kinds = Counter((e.pair.id, e.verb.positive is Sign.TRUE) for e in dealt)
    assert set(kinds.values()) == {1}


def test_all_verbs_in_both_tenses() -> None:
    pairs = [pair(n, Verdict.ENTAILED) for n in range(10)]
    dealt = assign_verbs(pairs, VERBS, 4, SOMEONE, seed=1)
    assert len({(e.pair.id, e.verb.lemma) for e in dealt}) == 40
    assert set(Counter((e.verb.lemma, e.tense) for e in dealt).values()) == {5}


@pytest.mark.parametrize("per_pair", [3, 6])
def test_verbs_must_suffice(per_pair: int) -> None:
    with pytest.raises(SoritesError) as raised:
        assign_verbs([pair(1, Verdict.ENTAILED)], VERBS, per_pair, SOMEONE, seed=1)
    assert str(raised.value) == (
        f"{per_pair} verbs a pair cannot be half veridical and half not: there are 2 veridical "
        "verbs and 2 others"
    )


def test_the_three_parts() -> None:
    pairs = [pair(1, Verdict.ENTAILED), pair(2, Verdict.CONTRADICTED)]
    dealt = assign_verbs(pairs, VERBS, 4, SOMEONE, seed=1)
    rejected: Counter[str] = Counter()
    veridical = veridical_rows(dealt, Prover(), rejected)
    composites = composite_rows(dealt, Prover(), rejected)
    verdicts = {(row.pair, row.verb): row.verdict for row in composites}
    assert verdicts == {
        ("p1", "know"): "entailed",
        ("p1", "see"): "entailed",
        ("p1", "hope"): "undetermined",
        ("p1", "pretend"): "undetermined",
        ("p2", "know"): "contradicted",
        ("p2", "see"): "contradicted",
        ("p2", "hope"): "undetermined",
        ("p2", "pretend"): "undetermined",
    }
    assert {(r.verb, r.label, r.verdict) for r in veridical} == {
        ("know", "yes", "entailed"),
        ("see", "yes", "entailed"),
        ("hope", "unk", "undetermined"),
        ("pretend", "unk", "contradicted"),
    }
    assert not rejected


def test_a_comma_in_the_complement_does_not_cost_the_premise() -> None:
    dealt = assign_verbs([pair(3, Verdict.ENTAILED)], VERBS, 4, SOMEONE, seed=1)
    for row in veridical_rows(dealt, Prover(), Counter()):
        assert row.premise != row.hypothesis
        assert row.premise.startswith("Someone ")
        assert row.premise.endswith(f" that {row.hypothesis}")
        if row.tense == "past":
            assert "Ann, Bob and Cid saw 3 cats" in row.premise


def test_the_rule_and_the_proof_must_agree() -> None:
    # 'Someone pretended that Ann did not swim' says that she swam.
    logic = Logic("-swim(ann)", "swim(ann)", 1, 1, "PN did not IV")
    dealt = assign_verbs([pair(1, Verdict.CONTRADICTED, logic)], VERBS, 4, SOMEONE, seed=1)
    rejected: Counter[str] = Counter()
    rows = composite_rows(dealt, Prover(), rejected)
    assert {row.verb for row in rows} == {"know", "see", "hope"}
    assert rejected == {"composite: the rule and the proof disagree": 1}


def test_formulas_are_proved_from_what_the_premise_commits_to() -> None:
    logic = Logic("(swim(ann) & swim(bob))", "swim(ann)", 1, 1, "PN and PN IV")
    dealt = assign_verbs([pair(1, Verdict.ENTAILED, logic)], VERBS, 4, SOMEONE, seed=1)
    rows = {row.verb: row for row in composite_rows(dealt, Prover(), Counter())}
    assert rows["know"].premise_formula == "(swim(ann) & swim(bob))"
    assert rows["know"].verdict == "entailed"
    assert rows["hope"].premise_formula is None
    assert rows["hope"].verdict == "undetermined"
    assert rows["pretend"].premise_formula == "-((swim(ann) & swim(bob)))"
    assert rows["pretend"].verdict == "undetermined"
    assert {row.hypothesis_formula for row in rows.values()} == {"swim(ann)"}


def test_frames_vary_and_keep_to_their_tenses() -> None:
    frames = [
        read_frame(
            "past-only", "We {verb} that {sentence}", plural=True, negated=False, tenses=("past",)
        ),
        read_frame("she", "She {verb} that {sentence}", plural=False, negated=False, tenses=TENSES),
    ]
    pairs = [pair(n, Verdict.ENTAILED) for n in range(20)]
    varied = with_frames(assign_verbs(pairs, VERBS, 4, SOMEONE, seed=1), frames, seed=2)
    used = Counter((e.frame.id, e.tense) for e in varied)
    assert set(used) == {("past-only", "past"), ("she", "past"), ("she", "present")}
    assert {e.premise.split()[0] for e in varied} == {"We", "She"}


def test_embedded_rows_are_the_pairs_themselves() -> None:
    (row,) = embedded_rows([pair(5, Verdict.UNDETERMINED)])
    assert (row.premise, row.hypothesis) == ("Ann sees 5 cats", "Bob sees 5 cats")
    assert (row.label, row.verdict, row.tense) == ("unk", "undetermined", "present")
    assert (row.verb, row.frame, row.label_veridical) == (None, None, None)


def test_ids_are_distinct() -> None:
    pairs = [pair(n, v) for n, v in enumerate((Verdict.ENTAILED, Verdict.UNDETERMINED))]
    dealt = assign_verbs(pairs, VERBS, 4, SOMEONE, seed=1)
    rows = [
        *embedded_rows(pairs),
        *veridical_rows(dealt, Prover(), Counter()),
        *composite_rows(dealt, Prover(), Counter()),
    ]
    assert len({row.id for row in rows}) == len(rows) == 2 + 8 + 8
