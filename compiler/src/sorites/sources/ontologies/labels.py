"""Which label of several names a class or an individual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from sorites.canonical import Json
from sorites.errors import SourceError

__all__ = ["Labels", "read_labels"]

LISTED = 20


@dataclass(frozen=True, slots=True)
class Labels:
    """``languages`` in the order in which they are wanted, "" for labels without one.

    Labels in other languages are passed over; with no languages, none is. Of several labels in
    the best language, ``first`` takes the one that sorts first, else they are refused.
    """

    languages: tuple[str, ...] = ()
    first: bool = False

    def choose(
        self, labels: Mapping[str, Iterable[tuple[str, str]]], what: str
    ) -> tuple[dict[str, str], tuple[str, ...]]:
        """A name for each id that has one, from (text, language), and the names of those with more.

        ``what`` starts a message: where they are, and what they name. Raises SourceError for
        several labels, with the number of ids that have them and twenty examples.
        """
        names: dict[str, str] = {}
        several: dict[str, tuple[str, str]] = {}
        for id in sorted(labels):
            ranked: dict[int, set[str]] = {}
            for text, language in labels[id]:
                rank = self._rank(language)
                if rank is not None:
                    ranked.setdefault(rank, set()).add(text)
            if not ranked:
                continue
            first, *others = sorted(ranked[min(ranked)])
            names[id] = first
            if others:
                several[id] = first, others[0]
        if several and not self.first:
            shown = [f"{id} has {one!r} and {two!r}" for id, (one, two) in several.items()]
            more = f", and {len(shown) - LISTED} more" if len(shown) > LISTED else ""
            raise SourceError(
                f"{what} with several names ({len(shown)}): {', '.join(shown[:LISTED])}{more}. Let "
                "the query select one, name ontology.labels.languages, or set "
                "ontology.labels.several to first"
            )
        return names, tuple(sorted(names[id] for id in several))

    def _rank(self, language: str) -> int | None:
        """The place of a language among those that are wanted; a variant counts for its base."""
        if not self.languages:
            return 0
        tag = language.lower()
        for rank, wanted in enumerate(self.languages):
            if tag == wanted.lower() or (wanted and tag.startswith(f"{wanted.lower()}-")):
                return rank
        return None


def read_labels(section: Mapping[str, Json]) -> Labels:
    """The policy of a section that fits its JSON Schema."""
    found = cast("Mapping[str, Json]", section.get("labels", {}))
    languages = cast("Sequence[Json]", found.get("languages", ()))
    return Labels(tuple(map(str, languages)), found.get("several") == "first")
