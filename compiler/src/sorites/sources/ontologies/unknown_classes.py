"""Classes that a hierarchy or a membership names, and that no file describes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sorites.errors import SourceError

__all__ = ["MOST_STEPS", "UNKNOWN", "Described", "describe", "refuse_unknown"]

UNKNOWN = "classes that the sources name and do not describe"
"""Why a class is left out, as the audit says it."""

MOST_STEPS = 20_000_000
"""A hierarchy that needs more to be connected past unknown classes is refused."""

LISTED = 20


@dataclass(frozen=True, slots=True)
class Described:
    """Edges (child id, parent id) and members (class id, individual id) of known classes."""

    edges: tuple[tuple[str, str], ...]
    members: tuple[tuple[str, str], ...]


def refuse_unknown(unknown: Sequence[str], where: str) -> None:
    """Raise SourceError, with twenty examples, where there are unknown classes (sorted)."""
    if unknown:
        more = f" and {len(unknown) - LISTED} more" if len(unknown) > LISTED else ""
        raise SourceError(
            f"{where}: classes that are named and not described ({len(unknown)}): "
            f"{', '.join(unknown[:LISTED])}{more}. Use a source that describes them, or set "
            "ontology.unknown to drop"
        )


def describe(
    known: Collection[str],
    edges: Iterable[tuple[str, str]],
    members: Iterable[tuple[str, str]],
    where: str,
) -> Described:
    """The hierarchy and the members of known classes alone, with the same truths about them.

    What stands under a class that is not known stands under the classes above it: being a
    subclass is transitive, and a member of a class is one of all classes above it. So no
    statement about known classes becomes false because of a class that nothing describes.

    Raises SourceError where this takes more than MOST_STEPS.
    """
    above: dict[str, set[str]] = {}
    for child, parent in edges:
        above.setdefault(child, set()).add(parent)
    nearest: dict[str, frozenset[str]] = {}
    steps = 0

    def known_at(id: str) -> frozenset[str]:
        """The class itself if it is known, else the nearest known ones above it."""
        nonlocal steps
        if id in known:
            steps += 1
            return frozenset((id,))
        if id not in nearest:
            seen, queue, found = {id}, [id], set[str]()
            while queue:
                for parent in above.get(queue.pop(), ()):
                    if parent in known:
                        found.add(parent)
                    elif parent not in seen:
                        seen.add(parent)
                        queue.append(parent)
            nearest[id] = frozenset(found)
            steps += len(seen)
        steps += len(nearest[id])
        if steps > MOST_STEPS:
            raise SourceError(
                f"{where}: leaving out unknown classes takes more than {MOST_STEPS:,} steps"
            )
        return nearest[id]

    return Described(
        tuple(
            (child, ancestor)
            for child in sorted(above.keys() & set(known))
            for parent in sorted(above[child])
            for ancestor in sorted(known_at(parent))
        ),
        tuple((found, member) for id, member in members for found in sorted(known_at(id))),
    )
