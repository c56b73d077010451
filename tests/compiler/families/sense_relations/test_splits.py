"""Splits of sense pairs: nobody is in two, and nothing is shared that the spec forbids."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites.engines.serial import Serial
from sorites.errors import SoritesError
from sorites.families.sense_relations import build, check, reprove, split_names
from sorites.families.sense_relations.pairs import SensePair
from sorites.families.sense_relations.splits import Disjoint, Splits, deal, ends_of, in_common
from sorites.progress import Silent
from sorites.release.content import Content
from sorites.specfile.model import Spec

Edit = Callable[..., Spec]

SYNSETS = st.sampled_from([f"i{number}" for number in range(12)])
PAIRS = st.lists(
    st.builds(
        SensePair, st.sampled_from("rs"), st.just("l"), SYNSETS, SYNSETS, st.just(("t",))
    ).filter(lambda pair: pair.first != pair.second),
    max_size=40,
)
SHARES = st.sampled_from([{"train": 0.5}, {"train": 0.6, "validation": 0.2}, {"validation": 0.3}])


@given(pairs=PAIRS, shares=SHARES, disjoint=st.sampled_from(Disjoint), seed=st.integers(0, 99))
def test_what_is_dealt_is_shared_by_no_two(
    pairs: list[SensePair], shares: dict[str, float], disjoint: Disjoint, seed: int
) -> None:
    splits = Splits(disjoint, shares)
    dealt = deal(pairs, splits, seed)
    assert tuple(dealt) == splits.names
    kept = [pair for name in dealt for pair in dealt[name]]
    if disjoint is Disjoint.PAIR:
        assert sorted(kept, key=pairs.index) == sorted(pairs, key=pairs.index)
    for one, other in combinations(dealt.values(), 2):
        assert not {pair.ends for pair in one} & {pair.ends for pair in other}
        if disjoint is Disjoint.SYNSET:
            assert not set[str]().union(*(p.ends for p in one)) & set[str]().union(
                *(p.ends for p in other)
            )
    told = in_common({name: [*map(ends_of, found)] for name, found in dealt.items()})
    assert all(shared["pairs"] == 0 for shared in told)
    # One pair more or less moves no other.
    for pair in pairs[:3]:
        rest = deal([other for other in pairs if other != pair], splits, seed)
        for name, found in rest.items():
            assert found == [other for other in dealt[name] if other != pair]


def test_without_shares_all_is_test() -> None:
    pairs = [SensePair("r", "l", "a", "b", ("t",))]
    assert deal(pairs, Splits(), 0) == {"test": pairs}


def compiled(spec: Spec, lexicon: Path) -> Content:
    return build(spec, {"lexicon": lexicon}, engine=Serial(), progress=Silent())


def with_splits(edited: Edit, section: str) -> Spec:
    return edited("tasks: {file", f"splits: {section}\ntasks: {{file")


@pytest.mark.parametrize("disjoint", [*Disjoint])
def test_a_release_tells_what_its_splits_share(
    disjoint: Disjoint, edited: Edit, sample_lexicon: Path, sample_content: Content
) -> None:
    spec = with_splits(edited, f"{{disjoint: {disjoint}, train: 0.4, validation: 0.2}}")
    content = compiled(spec, sample_lexicon)
    tables = {split.key: split.table for split in content.splits}
    names = [("pairs", "train"), ("pairs", "validation"), ("pairs", "test")]
    assert [*tables][:3] == names == [*split_names(spec)][:3]
    told: Any = content.audit["splits"]
    rows = {name: tables["pairs", name].to_pylist() for _, name in names}
    pairs = {name: {frozenset((r["ili_1"], r["ili_2"])) for r in rows[name]} for name in rows}
    assert told["sense pairs"] == {
        name: len({row["pair_id"] for row in of}) for name, of in rows.items()
    }
    whole = {split.key: split.table for split in sample_content.splits}["pairs", "test"]
    kept = {row["pair_id"] for of in rows.values() for row in of}
    all_pairs = {row["pair_id"] for row in whole.to_pylist()}
    assert kept <= all_pairs
    assert told["between splits, left out"] == len(all_pairs - kept)
    assert (disjoint is Disjoint.PAIR) == (kept == all_pairs)
    for shared in told["in common"]:
        one, other = shared["splits"]
        assert shared["pairs"] == len(pairs[one] & pairs[other]) == 0
        synsets = [set[str]().union(*pairs[name]) for name in (one, other)]
        assert shared["synsets"] == len(synsets[0] & synsets[1])
        assert disjoint is Disjoint.PAIR or shared["synsets"] == 0
    assert "Splits" in [section.heading for section in content.sections]
    document = spec.document.data
    assert isinstance(document, dict)
    assert reprove(tables, document) == []
    # What a stranger has put into another split is found in the rows.
    moved = pa.concat_tables([tables["pairs", "train"], tables["pairs", "test"]])
    faults = reprove({**tables, ("pairs", "train"): moved}, document)
    kind = "pairs" if disjoint is Disjoint.PAIR else "synsets"
    assert any(f"have {kind} in common: " in fault for fault in faults)


def test_shares_that_leave_nothing_for_the_test(edited: Edit) -> None:
    spec = with_splits(edited, "{train: 0.7, validation: 0.3}")
    (problem,) = check(spec)
    assert (problem.path, problem.message, problem.hint) == (
        "splits",
        "train 0.7 and validation 0.3 leave nothing for the test",
        "the shares of train and validation together must be less than 1",
    )
    assert check(with_splits(edited, "{train: 0.7, validation: 0.29}")) == []


def test_a_split_that_stays_empty_is_told(edited: Edit, sample_lexicon: Path) -> None:
    spec = with_splits(edited, "{train: 0.0000001}")
    with pytest.raises(SoritesError) as caught:
        compiled(spec, sample_lexicon)
    assert str(caught.value).startswith("five-languages.xml: no pair is left for the split train: ")
    assert str(caught.value).endswith(" pairs are too few for the shares of `splits`")
