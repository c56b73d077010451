from __future__ import annotations

import pytest

from sorites.errors import SourceError
from sorites.families.sense_relations.exemplars import choose_exemplars, without_shared_synsets
from sorites.families.sense_relations.pairs import SensePair
from sorites.families.sense_relations.plan import Relation

UP = Relation("up", "UP", "DOWN", ("hypernym",), (), "forward")
SAME = Relation("same", "SAME", "SAME", (), ("antonym",), "forward")


def pairs(relation: str, label: str, start: int, count: int) -> list[SensePair]:
    return [
        SensePair(relation, label, f"i{start + 2 * k}", f"i{start + 2 * k + 1}", ("t",))
        for k in range(count)
    ]


UPS, SAMES = pairs("up", "UP", 0, 30), pairs("same", "SAME", 100, 10)


def choose(each_label: int = 1, seed: int = 1, ups: list[SensePair] = UPS) -> list[SensePair]:
    return choose_exemplars([*ups, *SAMES], [UP, SAME], each_label, seed, where="x.db")


def test_every_label_has_its_exemplars_in_order() -> None:
    assert [each.label for each in choose()] == ["UP", "DOWN", "SAME"]
    assert [each.label for each in choose(2)] == ["UP", "UP", "DOWN", "DOWN", "SAME", "SAME"]
    assert choose(0) == []


def test_an_inverse_label_has_a_pair_turned_round() -> None:
    down = choose()[1]
    assert SensePair("up", "UP", down.second, down.first, ("t",)) in UPS


def test_exemplars_share_no_concept() -> None:
    hub = [SensePair("up", "UP", f"i{k}", "i999", ("t",)) for k in range(20)]
    chosen = choose(ups=[*hub, *pairs("up", "UP", 50, 1)])
    assert len(set().union(*(each.ends for each in chosen))) == 6


def test_the_draw_depends_on_the_seed_and_not_on_other_relations() -> None:
    assert choose() == choose()
    assert len({tuple(choose(seed=seed)) for seed in range(20)}) > 15
    alone = choose_exemplars(SAMES, [SAME], 1, 1, where="x.db")
    assert alone == choose()[2:]


def test_what_shares_a_concept_with_an_exemplar_is_taken_out() -> None:
    shown = [SensePair("up", "DOWN", "i1", "i0", ("t",))]
    near = SensePair("up", "UP", "i1", "i50", ("t",))
    assert without_shared_synsets([UPS[0], near, UPS[1]], shown) == [UPS[1]]
    assert without_shared_synsets(UPS, []) == UPS


def test_too_few_pairs_are_named() -> None:
    with pytest.raises(SourceError) as caught:
        choose(ups=UPS[:1])
    assert str(caught.value) == (
        "x.db: the relation 'up' has too few pairs for 1 exemplar(s) of the label 'DOWN' that "
        "share no synset with the others; lower `exemplars.each_label`"
    )
