"""Certificates of gloss pairs: what the lexicon says of the two concepts, by its own types."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
from wn.constants import REVERSE_RELATIONS

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.families.sense_relations.plan import Plan, read_plan
from sorites.progress import Progress
from sorites.release.certificates.certificates import Certificate, Certificates, Readings

__all__ = ["certify"]


def certify(
    tables: Mapping[tuple[str, str], pa.Table],
    document: Mapping[str, Json],
    *,
    engine: Engine,  # noqa: ARG001 - there is nothing to work out
    progress: Progress,  # noqa: ARG001
    scratch: Path | None = None,  # noqa: ARG001
) -> Certificates:
    """One certificate for each pair, in whatever languages: ``TYPE CONCEPT CONCEPT``, each type."""
    plan = read_plan(document)
    labels = {relation.name: relation.label for relation in plan.relations}
    found: dict[str, Certificate] = {}
    names = ("pair_id", "relation", "label", "types", "ili_1", "ili_2")
    for table in tables.values():
        columns = [table.column(name).to_pylist() for name in names]
        for pair, relation, label, types, first, second in zip(*columns, strict=True):
            ends = (first, second) if label == labels[relation] else (second, first)
            said = tuple(" ".join((kind, *ends)) for kind in types)
            found.setdefault(pair, Certificate(None, pair, source=said))
    return Certificates.of([*found.values()], _readings(plan))


def _readings(plan: Plan) -> Readings:
    """The labels of each relation, its types, and by what other type a lexicon may say the same."""
    relations: dict[str, Json] = {}
    reverse: dict[str, Json] = {}
    for relation in plan.relations:
        types = (*relation.synset_types, *relation.sense_types)
        relations[relation.name] = {
            "label": relation.label,
            "inverse": relation.inverse,
            "types": list(types),
        }
        for kind in types:
            other = REVERSE_RELATIONS.get(kind, kind if relation.symmetric else None)
            if other is not None:
                reverse[other] = kind
    return Readings(further={"relations": relations, "reverse": reverse})
