"""The synsets of a source → concepts: which synsets are one, and by which name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sorites.errors import SourceError
from sorites.sources.lexicons.policies import MOST_EXAMPLES, Policies, Repeats

__all__ = ["Concepts", "SynsetRow", "gather_concepts"]


class SynsetRow(NamedTuple):
    """A synset: its key in the source, its lexicon, its id there, its ILI if any, its POS.

    An ILI should stand for one synset within a ``scope``.
    """

    key: int
    scope: str
    id: str
    ili: str | None
    pos: str


@dataclass(frozen=True, slots=True)
class Concepts:
    """``ids`` goes from the keys of synsets to concepts, ``pos`` from concepts to POS.

    ``unlinked`` are the keys of the synsets that were left out for want of an ILI,
    ``without_ili`` counts those and the ones that were kept.
    """

    ids: dict[int, str]
    pos: dict[str, str]
    unlinked: frozenset[int]
    without_ili: int
    pos_conflicts: int
    repeated: Repeats


def gather_concepts(synsets: Iterable[SynsetRow], policies: Policies, *, where: str) -> Concepts:
    """Name the concepts of a source, in its order.

    Raises SourceError for an ILI that two synsets of one lexicon use, where the policy is to
    refuse it, and for a synset without ILI whose own id is another concept's.
    """
    ids: dict[int, str] = {}
    pos: dict[str, str] = {}
    owner: dict[tuple[str, str], str] = {}
    kept: set[str] = set()
    unlinked: set[int] = set()
    conflicts: set[str] = set()
    repeated: dict[tuple[str, str], list[str]] = {}
    for row in synsets:
        if not row.ili:
            if policies.without_ili == "leave-out":
                unlinked.add(row.key)
                continue
            if row.id in kept:
                raise SourceError(
                    f"{where}: two synsets without ILI have the id '{row.id}', which is to name "
                    "them; rename one of the two, or leave such synsets out (`without_ili`)"
                )
            kept.add(row.id)
            ids[row.key] = row.id
            pos[row.id] = row.pos
            continue
        first = owner.setdefault((row.scope, row.ili), row.id)
        if first != row.id:
            if policies.ilis == "refuse":
                raise SourceError(_repeated(row, first, where))
            repeated.setdefault((row.scope, row.ili), [first]).append(row.id)
            if policies.ilis == "first":
                continue
        ids[row.key] = row.ili
        if pos.setdefault(row.ili, row.pos) != row.pos:
            conflicts.add(row.ili)
    taken = kept & {ili for _, ili in owner}
    if taken:
        raise SourceError(
            f"{where}: '{min(taken)}' is the id of a synset without ILI and an ILI; rename the "
            "synset, or leave such synsets out (`without_ili`)"
        )
    examples = [
        f"{ili}: {', '.join(names)}" for (_, ili), names in list(repeated.items())[:MOST_EXAMPLES]
    ]
    return Concepts(
        ids=ids,
        pos=pos,
        unlinked=frozenset(unlinked),
        without_ili=len(unlinked) + len(kept),
        pos_conflicts=len(conflicts),
        repeated=Repeats(len(repeated), tuple(examples)),
    )


def _repeated(row: SynsetRow, first: str, where: str) -> str:
    lexicon = f"lexicon '{row.scope}': " if row.scope else ""
    return (
        f"{where}: {lexicon}ILI '{row.ili}' is used by two synsets, '{first}' and '{row.id}'; an "
        "ILI stands for one concept: set `lexicon.ilis` to first or join, merge the synsets, or "
        "correct one of the two"
    )
