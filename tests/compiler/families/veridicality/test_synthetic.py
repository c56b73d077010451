"""Drawn pairs, their verdicts checked by truth tables that share no code with the prover."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from sorites.errors import SoritesError
from sorites.families.veridicality.synthetic import SyntheticPairs, draw_pairs
from sorites.logic.grammar.fragment import Fragment, read_fragment
from sorites.logic.prover import Prover
from sorites.specfile.reader import read


@pytest.fixture(scope="module")
def fragment(root: Path) -> Fragment:
    data = read(root / "specs" / "veridicality" / "fragment.yaml").data
    assert isinstance(data, dict)
    return read_fragment(str(data["grammar"]))


@pytest.fixture(scope="module")
def drawn(fragment: Fragment) -> SyntheticPairs:
    return draw_pairs(fragment, 1000, 6, seed=3, prover=Prover())


def by_truth_table(premise: str, hypothesis: str) -> str:
    """The verdict, from Python's own not, and, or over every valuation of the atoms."""
    atoms = sorted(set(re.findall(r"\w+\([^()]*\)", premise + hypothesis)))
    names = {atom: f"v[{index}]" for index, atom in enumerate(atoms)}

    def python(formula: str) -> str:
        text = re.sub(r"\w+\([^()]*\)", lambda match: names[match.group()], formula)
        return text.replace("-", " not ").replace("&", " and ").replace("|", " or ").strip()

    first = compile(python(premise), "premise", "eval")
    second = compile(python(hypothesis), "hypothesis", "eval")
    found = {
        bool(eval(second, {"v": values}))
        for values in product([False, True], repeat=len(atoms))
        if eval(first, {"v": values})
    }
    if found == {True}:
        return "entailed"
    return "contradicted" if found == {False} else "undetermined"


def test_every_verdict_is_that_of_a_truth_table(drawn: SyntheticPairs) -> None:
    for pair in drawn.pairs:
        assert pair.logic is not None
        assert pair.verdict.value == by_truth_table(
            pair.logic.premise.text, pair.logic.hypothesis.text
        )
    assert {pair.verdict.value for pair in drawn.pairs} == {
        "entailed",
        "contradicted",
        "undetermined",
    }


def test_half_are_entailments_and_none_is_drawn_twice(drawn: SyntheticPairs) -> None:
    assert [pair.label for pair in drawn.pairs].count("yes") == 500
    assert len({pair.premise["past"] for pair in drawn.pairs}) == 1000
    assert len({pair.id for pair in drawn.pairs}) == 1000
    assert all(pair.premise != pair.hypothesis for pair in drawn.pairs)
    assert [pair.tense for pair in drawn.pairs].count("past") == 500


def test_shapes_are_used_equally_for_each_label(drawn: SyntheticPairs) -> None:
    assert len(drawn.shapes) == 88
    for label, able in (("yes", 36), ("unk", 88)):
        used = sorted(by_label.get(label, 0) for by_label in drawn.shapes.values())
        used = [number for number in used if number]
        assert len(used) == able
        assert used[-1] - used[0] <= 1
        assert sum(used) == 500


def test_connectives_are_limited_and_counted(drawn: SyntheticPairs) -> None:
    for pair in drawn.pairs:
        assert pair.logic is not None
        assert len(re.findall(r"[-&|]", pair.logic.premise.text)) == pair.logic.connectives <= 6


def test_names_and_verbs_are_used_evenly(drawn: SyntheticPairs) -> None:
    words = [
        word
        for pair in drawn.pairs
        for word in re.findall(r"\w+", pair.premise["past"])
        if word[0].isupper()
    ]
    expected = len(words) / 10
    for name in set(words):
        assert 0.75 * expected < words.count(name) < 1.25 * expected
    assert len(set(words)) == 10


def test_names_are_distinct_within_a_sentence(drawn: SyntheticPairs) -> None:
    for pair in drawn.pairs:
        names = [w for w in re.findall(r"\w+", pair.premise["past"]) if w[0].isupper()]
        assert len(names) == len(set(names))


def test_the_same_seed_draws_the_same_and_another_does_not(fragment: Fragment) -> None:
    one, two, three = (draw_pairs(fragment, 200, 6, seed, Prover()).pairs for seed in (1, 1, 2))
    assert one == two
    assert {p.premise["past"] for p in one} != {p.premise["past"] for p in three}


def test_a_small_grammar_gives_out() -> None:
    fragment = read_fragment(
        r"""
% start S
S[TENSE=?t, SEM=<?np(?v)>] -> NP[SEM=?np] V[TENSE=?t, SEM=?v]
NP[SEM=?a] -> PN[SEM=?a]
NP[SEM=<\F.?con(?a(F), ?b(F))>] -> PN[SEM=?a] CON[SEM=?con] PN[SEM=?b]
CON[SEM=<\P Q.(P & Q)>] -> 'and'
CON[SEM=<\P Q.(P | Q)>] -> 'or'
V[TENSE=past, SEM=<\x.swim(x)>] -> 'swam'
V[TENSE=past, SEM=<\x.run(x)>] -> 'ran'
PN[SEM=<\F.F(ann)>] -> 'Ann'
PN[SEM=<\F.F(bob)>] -> 'Bob'
PN[SEM=<\F.F(cid)>] -> 'Cid'
"""
    )
    pairs = draw_pairs(fragment, 16, 3, 0, Prover())
    assert [pair.label for pair in pairs.pairs].count("yes") == 8
    assert pairs.rejected["hypotheses that the grammar cannot say"] == 5
    assert pairs.shapes == {"PN V": {}, "PN and PN V": {"yes": 8}, "PN or PN V": {"unk": 8}}
    with pytest.raises(SoritesError) as raised:
        draw_pairs(fragment, 1000, 3, 0, Prover())
    assert str(raised.value) == "the grammar gives 24 different pairs, and 1,000 are asked for"
