"""Names of an ontology made fit to stand in a sentence, each for one thing.

Names that are alike for a reader (see ``characters.fold``) must not stand for two things: they
are told apart by a parent, or whoever bears them is left out. An individual that is left out
leaves the classes too, so that no statement is true or false because of somebody who cannot be
named; a class that is left out stays in the hierarchy, and no sentence is about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import regex

from sorites.canonical import Json
from sorites.characters import fold, tidy
from sorites.errors import SourceError
from sorites.sources.ontologies.ontology import Ontology, OntologyClass

__all__ = ["NameRules", "name_ontology", "pattern_fault", "read_name_rules"]

SECONDS_FOR_A_NAME = 1.0
"""For one pattern on one name; an expression that takes longer would take for ever."""

LISTED = 5


@dataclass(frozen=True, slots=True)
class NameRules:
    """How names become text.

    ``clean`` are regular expressions and what replaces their matches, one after the other;
    ``keep`` must match a whole name that stays; ``by_parent`` is a text with {name} and
    {parent} that tells classes of one name apart; ``refuse_shared`` raises an error for names
    that are still alike, instead of leaving out who bears them.
    """

    clean: tuple[tuple[str, str], ...] = ()
    keep: str | None = None
    by_parent: str | None = None
    refuse_shared: bool = False

    def apply(self, name: str) -> str:
        """A name tidied and cleaned; raises SourceError where a pattern takes too long."""
        text = tidy(name)
        for pattern, replacement in self.clean:
            text = _replaced(pattern, replacement, text)
        return tidy(text)

    def keeps(self, name: str) -> bool:
        """Whether a cleaned name stays; raises SourceError where the pattern takes too long."""
        return bool(name) and (self.keep is None or _fits(self.keep, name))


def read_name_rules(section: Mapping[str, Json]) -> NameRules:
    """The rules of a section that fits its JSON Schema."""
    steps = cast("Sequence[Mapping[str, Json]]", section.get("clean", ()))
    return NameRules(
        tuple((str(step["pattern"]), str(step.get("replace", ""))) for step in steps),
        None if section.get("keep") is None else str(section["keep"]),
        None if section.get("by_parent") is None else str(section["by_parent"]),
        section.get("shared") == "refuse",
    )


def pattern_fault(pattern: str, replacement: str = "") -> str | None:
    """What is wrong with a regular expression or its replacement; None if nothing is."""
    try:
        regex.compile(pattern).sub(replacement, "", timeout=SECONDS_FOR_A_NAME)
        # A replacement is read where something matches: so here, whatever the pattern is.
        regex.compile(f"(?:{pattern})?").sub(replacement, "", timeout=SECONDS_FOR_A_NAME)
    except (regex.error, IndexError) as error:
        return f"not a regular expression: {error}"
    except TimeoutError:
        return "the expression takes too long"
    return None


def name_ontology(
    ontology: Ontology, classes: NameRules, individuals: NameRules, *, where: str
) -> Ontology:
    """An ontology under the names that its sentences use.

    ``left_out`` of the result says who is not named and why. Raises SourceError for names that
    are alike where the rules refuse them, a pattern that takes too long, and an ontology in
    which nobody is left.
    """
    left_out: dict[str, tuple[str, ...]] = dict(ontology.left_out)
    called = {id: individuals.apply(name) for id, name in ontology.individuals.items()}
    dropped = {id for id, name in called.items() if not individuals.keeps(name)}
    _note(left_out, "individuals whose name the spec does not keep", _names(ontology, dropped))
    rest = {id: name for id, name in called.items() if id not in dropped}
    shared = [ids for ids in _alike(rest) if len(ids) > 1]
    if shared and individuals.refuse_shared:
        raise SourceError(
            f"{where}: {_described('individuals', shared, called)}. Clean the names in "
            "ontology.individual_names, or let it leave out who shares one"
        )
    alike = {id for ids in shared for id in ids}
    _note(left_out, "individuals who share a name", _names(ontology, alike))
    named = {id: name for id, name in rest.items() if id not in alike}
    if not named:
        raise SourceError(f"{where}: no individual has a name that is kept and its own")

    kept_ids = frozenset(named)
    kept = [replace(entry, members=entry.members & kept_ids) for entry in ontology.classes]
    empty = sorted(entry.name for entry in kept if not entry.members)
    inhabited = tuple(
        replace(entry, name=classes.apply(entry.name)) for entry in kept if entry.members
    )
    renamed = _told_apart(inhabited, classes)
    unnamed = _unnamed(renamed, classes, where)
    _note(
        left_out,
        "classes that share a name",
        sorted(entry.name for entry in renamed if entry.id in unnamed),
    )
    return Ontology(
        renamed,
        named,
        tuple(sorted([*ontology.empty, *empty])),
        unnamed=unnamed,
        left_out=left_out,
    )


def _told_apart(classes: tuple[OntologyClass, ...], rules: NameRules) -> tuple[OntologyClass, ...]:
    """Classes of one name and different members, told apart by an ancestor of their own."""
    if rules.by_parent is None:
        return classes
    by_id = {entry.id: entry for entry in classes}
    names = {entry.id: entry.name for entry in classes}
    for ids in _alike(names):
        if len({by_id[id].members for id in ids}) < 2:
            continue
        above = {id: _ancestors(id, by_id) for id in ids}
        for id in ids:
            others = {fold(name) for other in ids if other != id for name in above[other]}
            own = next((name for name in above[id] if fold(name) not in others), None)
            if own is not None:
                text = rules.by_parent.replace("{parent}", own, 1)
                names[id] = text.replace("{name}", by_id[id].name, 1)
    return tuple(replace(entry, name=names[entry.id]) for entry in classes)


def _ancestors(id: str, by_id: Mapping[str, OntologyClass]) -> list[str]:
    """The names above a class, the nearest first."""
    found: dict[str, None] = {}
    level = [id]
    while level:
        level = sorted({parent for each in level for parent in by_id[each].parents} - found.keys())
        found |= dict.fromkeys(level)
    return [by_id[each].name for each in found]


def _unnamed(classes: Sequence[OntologyClass], rules: NameRules, where: str) -> frozenset[str]:
    """The classes that no sentence may name; of those with the same members the first is left."""
    by_id = {entry.id: entry for entry in classes}
    names = {entry.id: entry.name for entry in classes}
    unnamed: set[str] = {id for id, name in names.items() if not rules.keeps(name)}
    shared = []
    for ids in _alike({id: name for id, name in names.items() if id not in unnamed}):
        if len({by_id[id].members for id in ids}) > 1:
            shared.append(ids)
            unnamed.update(ids)
        else:
            unnamed.update(ids[1:])
    if shared and rules.refuse_shared:
        raise SourceError(
            f"{where}: {_described('classes', shared, names)}. Clean the names in "
            "ontology.class_names, tell them apart by_parent, or let it leave them out"
        )
    return frozenset(unnamed)


def _alike(names: Mapping[str, str]) -> list[list[str]]:
    """Ids by the name that a reader sees, in the order of the ids."""
    groups: dict[str, list[str]] = {}
    for id in sorted(names):
        groups.setdefault(fold(names[id]), []).append(id)
    return list(groups.values())


def _described(what: str, shared: Sequence[Sequence[str]], names: Mapping[str, str]) -> str:
    """In words who shares a name."""
    shown = [" and ".join(f"{names[id]!r} ({id})" for id in ids[:2]) for ids in shared[:LISTED]]
    more = f", and {len(shared) - LISTED} more" if len(shared) > LISTED else ""
    return f"{sum(map(len, shared))} {what} share a name: {', '.join(shown)}{more}"


def _names(ontology: Ontology, ids: Iterable[str]) -> list[str]:
    return sorted(ontology.individuals[id] for id in ids)


def _note(left_out: dict[str, tuple[str, ...]], why: str, names: Sequence[str]) -> None:
    if names:
        left_out[why] = tuple(names)


def _replaced(pattern: str, replacement: str, name: str) -> str:
    try:
        text: str = regex.compile(pattern).sub(replacement, name, timeout=SECONDS_FOR_A_NAME)
    except TimeoutError:
        raise _endless(pattern, name) from None
    return text


def _fits(pattern: str, name: str) -> bool:
    try:
        return regex.compile(pattern).fullmatch(name, timeout=SECONDS_FOR_A_NAME) is not None
    except TimeoutError:
        raise _endless(pattern, name) from None


def _endless(pattern: str, name: str) -> SourceError:
    return SourceError(
        f"the pattern {pattern} takes too long on the name {name!r}: write it without "
        "repetitions inside one another"
    )
