"""A model of clauses, or a list of clauses that leads step by step to the empty one."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["solve"]

_Clause = tuple[int, ...]


def solve(clauses: Sequence[_Clause]) -> frozenset[int] | tuple[_Clause, ...]:
    """The atoms that are true in a model with few of them, or the steps of a refutation.

    Davis, Putnam, Logemann and Loveland's search (1962), in which all that nothing asks for is
    false. Where a choice fails, the clause that forbids it is a step: unit propagation from the
    clauses and the steps before finds it (DRUP). The last step is the empty clause.
    """
    known = [*clauses]
    steps: list[_Clause] = []

    def search(chosen: tuple[int, ...]) -> frozenset[int] | None:
        while True:
            true = _propagated(known, chosen)
            if true is None:
                learned = tuple(-literal for literal in chosen)
                known.append(learned)
                steps.append(learned)
                return None
            literal = _asked_for(known, true)
            if literal is None:
                return frozenset(atom for atom in true if atom > 0)
            found = search((*chosen, literal))
            if found is not None:
                return found

    found = search(())
    return tuple(steps) if found is None else found


def _propagated(clauses: Sequence[_Clause], chosen: Sequence[int]) -> set[int] | None:
    """What follows from choices by unit propagation; None where a clause becomes false."""
    true = {*chosen}
    open_ = list(clauses)
    while True:
        size = len(true)
        left: list[_Clause] = []
        for clause in open_:
            free = 0
            number = 0
            for literal in clause:
                if literal in true:
                    break
                if -literal not in true:
                    free = literal
                    number += 1
            else:
                if number == 0:
                    return None
                if number == 1:
                    true.add(free)
                else:
                    left.append(clause)
        if len(true) == size:
            return true
        open_ = left


def _asked_for(clauses: Sequence[_Clause], true: set[int]) -> int | None:
    """An atom of a clause that is false where all undecided atoms are; None if none is."""
    for clause in clauses:
        asked = None
        for literal in clause:
            if literal in true or (literal < 0 and -literal not in true):
                break
            if literal > 0 and -literal not in true and asked is None:
                asked = literal
        else:
            if asked is not None:
                return asked
    return None
