"""The one model into which every ontology is read: classes, their hierarchy and their members."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sorites.characters import find_hidden, name_of
from sorites.errors import SourceError

__all__ = ["Ontology", "OntologyClass", "build_ontology", "check_name"]

_LISTED = 20
_LONGEST_NAME = 1_000
_MOST_STEPS = 100_000_000
# What opens a tag, and entities; a lone ">" is none: "NIK-->noncanonical …" names a real pathway.
_MARKUP = re.compile(r"<|&(#\d+|#x[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")


@dataclass(frozen=True, slots=True)
class OntologyClass:
    """A class: ``members`` are the ids of its own individuals and of all its descendants'."""

    id: str
    name: str
    parents: tuple[str, ...]
    members: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ontology:
    """Classes sorted by id (each with at least one member), and the names of individuals by id.

    Parents are classes of the ontology, sorted: where a branch was asked for, its root has
    none. ``empty`` names, sorted, the classes that were dropped because nothing is a member
    of them. ``unnamed`` are the ids of classes that no sentence may name; ``left_out`` holds
    names by the reason for which classes or individuals are not named or not there.
    """

    classes: tuple[OntologyClass, ...]
    individuals: Mapping[str, str]
    empty: tuple[str, ...] = ()
    unnamed: frozenset[str] = frozenset()
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def levels(self) -> dict[str, int]:
        """Class id to its distance from the nearest root (0 for a root)."""
        children: dict[str, list[str]] = {}
        for cls in self.classes:
            for parent in cls.parents:
                children.setdefault(parent, []).append(cls.id)
        levels = {cls.id: 0 for cls in self.classes if not cls.parents}
        queue = deque(levels)
        while queue:
            parent = queue.popleft()
            for child in children.get(parent, ()):
                if child not in levels:
                    levels[child] = levels[parent] + 1
                    queue.append(child)
        return levels


def build_ontology(
    names: Mapping[str, str],
    edges: Iterable[tuple[str, str]],
    members: Iterable[tuple[str, str]],
    individuals: Mapping[str, str],
    *,
    where: str,
    branch: str | None = None,
    drop_empty: bool = False,
) -> Ontology:
    """Check and close an ontology: restrict to a branch, propagate members to ancestors.

    ``names`` maps class ids to names, ``edges`` are (child id, parent id), ``members`` are
    (class id, individual id), ``branch`` is the id or the name of the root to keep. ``where``
    (the file) starts every message.

    Raises SourceError for: an edge or member of an unknown class, a cycle (named in full), an
    unknown or ambiguous branch, a name that is empty or has control characters or markup, a
    class without members unless ``drop_empty``, a hierarchy so deep and full that it is too much
    work, and an ontology in which nothing is left.
    """
    parents: dict[str, set[str]] = {id: set() for id in names}
    for child, parent in edges:
        for id in (child, parent):
            if id not in names:
                raise SourceError(
                    f"{where}: the hierarchy has {child} under {parent}, but there is no class {id}"
                )
        parents[child].add(parent)
    own: dict[str, set[str]] = {id: set() for id in names}
    for id, individual in members:
        if id not in names:
            raise SourceError(f"{where}: {individual} is a member of {id}, which is not a class")
        own[id].add(individual)

    kept = _branch(names, parents, branch, where) if branch is not None else set(names)
    parents = {id: parents[id] & kept for id in kept}
    order = _parents_last(parents, names, where)
    steps = 0
    for id in order:
        check_name(names[id], f"the class {id}", where)
        steps += len(parents[id]) * len(own[id])
        if steps > _MOST_STEPS:
            raise SourceError(
                f"{where}: to give every class the members of those below it takes more than "
                f"{_MOST_STEPS:,} steps. Keep a branch of the hierarchy, or fewer members"
            )
        for parent in parents[id]:
            own[parent] |= own[id]

    empty = sorted(names[id] for id in kept if not own[id])
    if empty and not drop_empty:
        raise SourceError(
            f"{where}: {len(empty)} of {len(kept)} classes have no members: {_list(empty)}. "
            "Give them members, or let the spec drop empty classes."
        )
    classes = tuple(
        # All ancestors of a class with members have members, so its parents are all here.
        OntologyClass(id, names[id], tuple(sorted(parents[id])), frozenset(own[id]))
        for id in sorted(kept)
        if own[id]
    )
    if not classes:
        raise SourceError(f"{where}: no class has a member")
    present = sorted(frozenset[str]().union(*(cls.members for cls in classes)))
    named = {id: individuals.get(id, id) for id in present}
    for id, name in named.items():
        check_name(name, f"the individual {id}", where)
    return Ontology(classes, named, tuple(empty))


def _branch(
    names: Mapping[str, str], parents: Mapping[str, Collection[str]], branch: str, where: str
) -> set[str]:
    """The ids of the root that ``branch`` means and of everything below it."""
    roots = [branch] if branch in names else sorted(id for id in names if names[id] == branch)
    if not roots:
        raise SourceError(f"{where}: there is no class with the id or the name {branch!r}")
    if len(roots) > 1:
        raise SourceError(
            f"{where}: {len(roots)} classes have the name {branch!r}: {_list(roots)}. "
            "Give the id of the one that is meant."
        )
    children: dict[str, list[str]] = {}
    for child, above in parents.items():
        for parent in above:
            children.setdefault(parent, []).append(child)
    kept = {roots[0]}
    queue = [roots[0]]
    while queue:
        for child in children.get(queue.pop(), ()):
            if child not in kept:
                kept.add(child)
                queue.append(child)
    return kept


def _parents_last(
    parents: Mapping[str, Collection[str]], names: Mapping[str, str], where: str
) -> list[str]:
    """The classes in an order in which each stands before its parents (Kahn 1962)."""
    waiting = dict.fromkeys(parents, 0)
    for above in parents.values():
        for parent in above:
            waiting[parent] += 1
    order = [id for id in sorted(parents) if waiting[id] == 0]
    for id in order:
        for parent in sorted(parents[id]):
            waiting[parent] -= 1
            if waiting[parent] == 0:
                order.append(parent)
    if len(order) < len(parents):
        left = {id for id, children in waiting.items() if children}
        cycle = [names[id] for id in _cycle(parents, left)]
        raise SourceError(
            f"{where}: the hierarchy has a cycle: {' < '.join(cycle)}. Remove one of its edges."
        )
    return order


def _cycle(parents: Mapping[str, Collection[str]], left: Collection[str]) -> list[str]:
    """A cycle among classes that each have a child among them, from a class back to itself."""
    child_of: dict[str, str] = {}
    for child in sorted(left, reverse=True):
        for parent in parents[child]:
            child_of[parent] = child
    # Every class left has a child that is left, so going down must come back to a class.
    walk = [min(left)]
    seen = {walk[0]: 0}
    while child_of[walk[-1]] not in seen:
        walk.append(child_of[walk[-1]])
        seen[walk[-1]] = len(walk) - 1
    loop = walk[seen[child_of[walk[-1]]] :][::-1]
    first = loop.index(min(loop))
    return [*loop[first:], *loop[: first + 1]]


def check_name(name: str, what: str, where: str) -> None:
    """Raise SourceError for a name that is empty, endless, or has control characters or markup."""
    hidden = find_hidden(name)
    if hidden is not None:
        raise SourceError(
            f"{where}: the name of {what} holds the control character {name_of(name[hidden])}"
        )
    if not name.strip():
        raise SourceError(f"{where}: the name of {what} is empty")
    if len(name) > _LONGEST_NAME:
        raise SourceError(f"{where}: the name of {what} is longer than {_LONGEST_NAME} characters")
    if _MARKUP.search(name):
        raise SourceError(f"{where}: the name of {what} holds markup: {name!r}")


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
