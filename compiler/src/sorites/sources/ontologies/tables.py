"""Ontologies from tables that a spec describes: gene sets, annotations, hierarchies.

A line of a table speaks of one class: what it is called, what stands above it, who its members
are. So gene sets in any order of columns (GMT), annotations with one member a line (GAF) and
tables of parents need no code, and a class table of its own, in OBO or obographs JSON, may say
the names and the hierarchy of what the tables give members.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from sorites.canonical import Json
from sorites.errors import SourceError
from sorites.sources.ontologies.class_graphs import OBSOLETE, ClassGraph, with_leaves
from sorites.sources.ontologies.obo import read_obo
from sorites.sources.ontologies.obographs import read_obographs
from sorites.sources.ontologies.ontology import Ontology, build_ontology, check_name
from sorites.sources.ontologies.ontology_format import OntologyFormat, Section
from sorites.sources.ontologies.table_layout import Layout, layout_faults, read_layouts
from sorites.sources.ontologies.table_rows import Row, table_rows
from sorites.sources.ontologies.unknown_classes import UNKNOWN, describe, refuse_unknown

__all__ = ["TABLE", "read_tables"]

CLASS_READERS = {"obo": read_obo, "obographs": read_obographs}
MOST_MEMBERS = 20_000_000
LONGEST_PATH = 1_000


@dataclass(slots=True)
class _Found:
    """What the rows of all tables say, as they are read."""

    names: dict[str, str] = field(default_factory=dict)
    mentioned: set[str] = field(default_factory=set)
    edges: set[tuple[str, str]] = field(default_factory=set)
    members: dict[str, set[str]] = field(default_factory=dict)
    individuals: dict[str, str] = field(default_factory=dict)
    paths: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    count: int = 0


def read_tables(
    tables: Iterable[tuple[Layout, Path]],
    *,
    where: str,
    classes: ClassGraph | None = None,
    subclasses: bool = False,
    branch: str | None = None,
    drop_unknown: bool = False,
    drop_empty: bool = False,
) -> Ontology:
    """Read tables, one after the other, as one ontology.

    A class goes by what the column ``class`` holds, else by its name. ``classes`` gives names
    and a hierarchy in addition. With ``subclasses`` no table holds members: the classes with
    nothing below them are the individuals. Where anything gives names, a class without one is
    unknown: refused with examples, or with ``drop_unknown`` left out and counted.

    Raises SourceError, with file and line, for rows that a layout refuses, a class or a member
    with two names, a class whose whole set of members stands twice and differs, a path that
    may mean two classes, and whatever build_ontology refuses.
    """
    found = _Found()
    if classes is not None:
        found.names.update(classes.names)
        found.edges.update(classes.edges)
    for layout, path in tables:
        _read_table(layout, path, found)
    _place_paths(found)
    obsolete = {} if classes is None else classes.obsolete
    if not found.names:
        ids = found.mentioned | {id for edge in found.edges for id in edge}
        found.names.update({id: id for id in ids})
    used = found.mentioned | {id for edge in found.edges for id in edge}
    unknown = sorted(used - found.names.keys() - obsolete.keys())
    if not drop_unknown:
        refuse_unknown(unknown, where)
    left_out = {OBSOLETE: tuple(sorted(obsolete.values())), UNKNOWN: tuple(unknown)}
    left_out = {why: names for why, names in left_out.items() if names}
    if subclasses:
        graph = ClassGraph(found.names, tuple(sorted(found.edges)), obsolete)
        built = with_leaves(graph, where=where, branch=branch, drop_unknown=True)
        return replace(built, left_out={**built.left_out, **left_out})

    pairs = ((id, member) for id in sorted(found.members) for member in found.members[id])
    described = describe(found.names, found.edges, pairs, where)
    built = build_ontology(
        found.names,
        described.edges,
        described.members,
        found.individuals,
        where=where,
        branch=branch,
        drop_empty=drop_empty,
    )
    return replace(built, left_out=left_out)


def _read_table(layout: Layout, path: Path, found: _Found) -> None:
    members = layout.columns.get("members")
    whole: dict[str, tuple[str, frozenset[str]]] = {}
    rows = 0
    for row in table_rows(path, layout):
        rows += 1
        id = _class_of(row, found)
        found.edges.update((id, parent) for parent in row.values.get("parents", ()))
        if members is None:
            continue
        own = row.values["members"]
        if members.rest or members.split is not None:
            place, before = whole.setdefault(id, (row.place, frozenset(own)))
            if before != frozenset(own):
                raise SourceError(
                    f"{row.place}: the class {id} has other members than in {place}. Give the "
                    "two an id each, with a column class"
                )
        kept = found.members.setdefault(id, set())
        before_size = len(kept)
        kept.update(own)
        found.count += len(kept) - before_size
        if found.count > MOST_MEMBERS:
            raise SourceError(f"{row.place}: more than {MOST_MEMBERS:,} members of classes")
        name = row.one("member_name")
        if name is not None:
            for member in own:
                if found.individuals.setdefault(member, name) != name:
                    first = found.individuals[member]
                    raise SourceError(
                        f"{row.place}: the member {member} has two names: {first!r} and {name!r}"
                    )
    if not rows:
        raise SourceError(f"{path}: no row is left: the file is empty, or where leaves out all")


def _class_of(row: Row, found: _Found) -> str:
    """The id of the class that a row speaks of, whose name and path are noted."""
    path = row.values.get("path")
    name = row.one("name")
    if path is not None:
        if len(path) > LONGEST_PATH:
            raise SourceError(f"{row.place}: the path has more than {LONGEST_PATH:,} steps")
        if name is not None and path[0] != name:
            raise SourceError(
                f"{row.place}: the path starts with {path[0]!r}, and the class is {name!r}. A "
                "path leads from the class to the root; set root_first if it starts there"
            )
        name = path[0]
    id = row.one("class") or name or ""
    found.mentioned.add(id)
    if name is not None:
        check_name(name, f"the class {id}", row.place)
        if found.names.setdefault(id, name) != name:
            raise SourceError(
                f"{row.place}: the class {id} has two names: {found.names[id]!r} and {name!r}"
            )
    if path is not None:
        found.paths.append((row.place, id, path))
    return id


def _place_paths(found: _Found) -> None:
    """Turn paths, which are of names, into edges between classes.

    The class that a step means is the one whose own path is what follows, else the only one of
    that name; a name that no row has is a class by itself.
    """
    by_path: dict[tuple[str, ...], set[str]] = {}
    for _, id, path in found.paths:
        by_path.setdefault(path, set()).add(id)
    by_name: dict[str, set[str]] = {}
    for id, name in found.names.items():
        by_name.setdefault(name, set()).add(id)
    for place, id, path in found.paths:
        child = id
        for step in range(1, len(path)):
            name = path[step]
            exact = by_path.get(path[step:])
            meant = exact or by_name.get(name)
            if meant is None:
                check_name(name, f"the class {name}", place)
                found.names[name] = name
                meant = by_name[name] = {name}
            if len(meant) > 1:
                ids = " and ".join(sorted(meant)[:2])
                raise SourceError(
                    f"{place}: the step {name!r} of the path may mean {ids}. Use a column parents"
                )
            (parent,) = meant
            found.edges.add((child, parent))
            if exact:
                break
            child = parent


def _read(section: Section, files: Mapping[str, Path]) -> Ontology:
    branch = section.get("branch")
    layouts = read_layouts(section)
    graph, paths = None, [files[name] for layout in layouts for name in layout.files]
    described = cast("Mapping[str, Json] | None", section.get("classes"))
    if described is not None:
        path = files[str(described["file"])]
        graph = CLASS_READERS[str(described["format"])](path)
        paths.append(path)
    return read_tables(
        [(layout, files[name]) for layout in layouts for name in layout.files],
        where=_listed(paths),
        classes=graph,
        subclasses=section.get("members") == "subclasses",
        branch=None if branch is None else str(branch),
        drop_unknown=section.get("unknown") == "drop",
        drop_empty=section.get("empty_classes") == "drop",
    )


def _listed(paths: Sequence[Path]) -> str:
    return ", ".join(dict.fromkeys(map(str, paths)))


TABLE = OntologyFormat("table", ("tables.files", "classes.file"), _read, faults=layout_faults)
"""Tables as a format that a spec can name."""
