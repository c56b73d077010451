"""Reactome's flat files: gene sets (GMT) and the relation table, as an ontology of pathways.

Both files are on https://reactome.org/download-data. A line of the GMT file is a pathway's
name, its stable id and the symbols of its genes; a line of the table is a pathway's id and
the id of a part of it, for every species.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from sys import intern

from sorites.errors import SourceError
from sorites.sources.ontologies.ontology import Ontology, build_ontology, check_name
from sorites.sources.ontologies.ontology_format import OntologyFormat, Section
from sorites.sources.ontologies.table_rows import numbered_lines

__all__ = ["REACTOME", "read_reactome"]


def read_reactome(
    members: Path, hierarchy: Path, *, branch: str | None = None, drop_empty: bool = False
) -> Ontology:
    """Read the pathways of the species that the GMT file is about, with genes as members.

    ``members`` is the GMT file, ``hierarchy`` the relation table; ``branch`` is the stable id
    or the name of the root to keep, such as ``Disease``. A pathway of the table that the GMT
    file does not have has neither name nor genes: it goes by its id and counts as empty.
    Gene symbols are ids and names of individuals at once.

    Raises SourceError, with file and line, for lines that are not of these forms, ids that
    stand twice, files that share no id, and whatever build_ontology refuses.
    """
    names: dict[str, str] = {}
    genes: list[tuple[str, str]] = []
    for line, (name, id, *symbols) in _rows(members, 3, "NAME, ID and the members"):
        if id in names:
            raise SourceError(f"{members}:{line}: the id {id} stands on an earlier line too")
        check_name(name, f"the class {id}", f"{members}:{line}")
        names[id] = name
        # A gene stands in dozens of sets: its symbol is kept once.
        genes += [(id, intern(symbol)) for symbol in symbols]
    if not names:
        raise SourceError(f"{members}: the file is empty")

    species = {_species(id) for id in names}
    edges: list[tuple[str, str]] = []
    table_ids: set[str] = set()
    sets = frozenset(names)
    for _, columns in _rows(hierarchy, 2, "PARENT and CHILD", most=2):
        parent, child = columns
        table_ids.update(columns)
        if _species(parent) in species and _species(child) in species:
            edges.append((child, parent))
            names.setdefault(parent, parent)
            names.setdefault(child, child)
    if not table_ids & sets:
        raise SourceError(
            f"{members}: no id of it, such as {min(sets)}, stands in {hierarchy}, which has ids "
            f"such as {min(table_ids, default='none')}. The second column must be the id; swap "
            "the first two if the id is first"
        )
    return build_ontology(
        names, edges, genes, {}, where=str(hierarchy), branch=branch, drop_empty=drop_empty
    )


def _read(section: Section, files: Mapping[str, Path]) -> Ontology:
    branch = section.get("branch")
    return read_reactome(
        files[str(section["members"])],
        files[str(section["hierarchy"])],
        branch=None if branch is None else str(branch),
        drop_empty=section.get("empty_classes") == "drop",
    )


REACTOME = OntologyFormat("reactome", ("members", "hierarchy"), _read)
"""Reactome's flat files as a format that a spec can name."""


def _species(id: str) -> str:
    """The species of a stable id: ``HSA`` of ``R-HSA-1643685``."""
    return id.split("-")[1] if id.count("-") >= 2 else ""


def _rows(
    path: Path, least: int, form: str, most: float = math.inf
) -> Iterator[tuple[int, list[str]]]:
    """The lines of a table, numbered from 1, as their columns, none of them empty."""
    for number, line in numbered_lines(path):
        if not line:
            raise SourceError(f"{path}:{number}: an empty line")
        columns = line.split("\t")
        if not least <= len(columns) <= most:
            found = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
            raise SourceError(f"{path}:{number}: {found}; a line is {form}, with tabs between them")
        if not all(columns):
            raise SourceError(f"{path}:{number}: an empty column; remove the tab")
        yield number, columns
