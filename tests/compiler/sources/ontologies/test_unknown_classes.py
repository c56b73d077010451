"""Leaving out a class changes no truth about those that stay: every small hierarchy is tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest

from sorites.errors import SourceError
from sorites.sources.ontologies import unknown_classes
from sorites.sources.ontologies.unknown_classes import describe

CLASSES = "ABCD"


def subsets(items: Iterable[tuple[str, str]] | str) -> Iterator[tuple[object, ...]]:
    found = list(items)
    for size in range(len(found) + 1):
        yield from combinations(found, size)


def truths(edges: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which class stands under which, by one step or several."""
    found = set(edges)
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return found


def test_every_hierarchy_of_four_classes() -> None:
    tried = 0
    for edges in subsets(combinations(CLASSES, 2)):
        full = truths(edges)  # type: ignore[arg-type]
        for known in subsets(CLASSES):
            members = [(id, id.lower()) for id in CLASSES]
            described = describe(known, edges, members, "")  # type: ignore[arg-type]
            assert truths(described.edges) == {
                (child, parent) for child, parent in full if {child, parent} <= {*known}
            }
            closed = truths(described.edges)
            held = {
                (above, member)
                for id, member in described.members
                for above in (id, *(parent for child, parent in closed if child == id))
            }
            assert held == {
                (above, member)
                for id, member in members
                for above in (id, *(parent for child, parent in full if child == id))
                if above in known
            }
            tried += 1
    assert tried == 2**6 * 2**4


def test_a_cycle_of_unknown_classes_ends() -> None:
    edges = [("a", "x"), ("x", "y"), ("y", "x"), ("y", "b")]
    assert describe({"a", "b"}, edges, [("x", "m")], "").edges == (("a", "b"),)
    assert describe({"a", "b"}, edges, [("x", "m")], "").members == (("b", "m"),)


def test_the_work_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = [(f"a{i}", "x") for i in range(30)] + [("x", f"b{i}") for i in range(30)]
    known = {id for edge in edges for id in edge} - {"x"}
    assert len(describe(known, edges, (), "file").edges) == 900
    monkeypatch.setattr(unknown_classes, "MOST_STEPS", 500)
    with pytest.raises(SourceError) as caught:
        describe(known, edges, (), "file")
    assert str(caught.value) == "file: leaving out unknown classes takes more than 500 steps"
