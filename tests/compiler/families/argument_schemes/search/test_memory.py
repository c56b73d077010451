"""How much memory an ontology needs is told, and more than there is is refused."""

from __future__ import annotations

import pytest

from sorites.errors import SoritesError
from sorites.families.argument_schemes.search.memory import (
    LIMIT,
    memory_at_hand,
    memory_needed,
    refuse_too_large,
)
from sorites.families.argument_schemes.search.spaces import LOCAL_BYTES
from sorites.families.argument_schemes.search.world import build_world
from tests.bench.ontology import synthetic_ontology

WORLD = build_world(synthetic_ontology(100, 300))


@pytest.mark.parametrize(
    ("said", "size"),
    [("1024", 1024), ("3G", 3 << 30), ("1.5 gb", 3 << 29), ("800M", 800 << 20), ("2KiB", 2048)],
)
def test_a_limit_is_a_size(said: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT, said)
    assert memory_at_hand() == size


@pytest.mark.parametrize("said", ["much", "-1G", "0", "3X", "G", "1,5G"])
def test_a_limit_that_is_none_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT, said)
    with pytest.raises(SoritesError) as error:
        memory_at_hand()
    assert str(error.value) == f"SORITES_MEMORY is {said!r}: give a size, such as 3G or 800M"


def test_without_a_limit_it_is_what_the_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT, "")
    found = memory_at_hand()
    assert found is None or found > 1 << 20


def test_local_domains_need_what_is_kept_of_them() -> None:
    whole = memory_needed(WORLD, local=False)
    assert memory_needed(WORLD, local=True) == whole + LOCAL_BYTES


def test_more_memory_is_needed_for_more_memberships() -> None:
    larger = build_world(synthetic_ontology(200, 600))
    assert memory_needed(larger, local=False) > memory_needed(WORLD, local=False)


def test_an_ontology_too_large_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = memory_needed(WORLD, local=False)
    monkeypatch.setenv(LIMIT, str(2 * needed))
    refuse_too_large(WORLD, local=False, workers=2)
    with pytest.raises(SoritesError) as error:
        refuse_too_large(WORLD, local=False, workers=3)
    classes, members = len(WORLD.members), len(WORLD.members.columns)
    assert str(error.value) == (
        f"the ontology, {classes} classes with 300 individuals and {members:,} memberships, needs"
        f" about {needed / 1e6:,.0f} MB of memory in each of 3 processes, and"
        f" {2 * needed / 1e6:,.0f} MB are at hand: compile with --workers 2, or set SORITES_MEMORY"
        " if more may be taken"
    )
    monkeypatch.setenv(LIMIT, "1M")
    with pytest.raises(SoritesError, match=r"keep a branch of the hierarchy \(ontology.branch\)"):
        refuse_too_large(WORLD, local=False, workers=1)
