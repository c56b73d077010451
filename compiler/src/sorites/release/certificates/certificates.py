"""What shows the labels of a release, as a config of its own that only checkers load.

A family certifies the rows that it made: from its tables come certificates, and what check.py must
be told to read the sentences. The config has the split ``refutations``, each of which serves many
rows under their own names, and the split ``rows``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

import pyarrow as pa

from sorites.canonical import Json
from sorites.logic.certificates.shown import Refutation
from sorites.release.certificates import check
from sorites.release.content import Column, Content, Split, schema_of

__all__ = [
    "CHECKER",
    "COLUMNS",
    "CONFIG",
    "SCHEMA",
    "SPLITS",
    "Certificate",
    "Certificates",
    "Readings",
    "certificate_tables",
    "certified",
    "each_once",
    "told",
]

CONFIG = "certificates"
CHECKER = "check.py"
"""The file of a release that checks its certificates."""

_TEXT = pa.string()
_TEXTS = pa.list_(pa.string())

COLUMNS = (
    Column(
        "config", _TEXT, "The config of the rows; null for a refutation and for rows of any config."
    ),
    Column(
        "key", _TEXT, "Names a refutation; or tells the rows: see what check.py looks for under it."
    ),
    Column("formulas", _TEXTS, "Of a refutation: formulas that cannot all be true."),
    Column(
        "clauses",
        _TEXTS,
        "Of a refutation: clauses, literals with spaces between, each of which unit propagation"
        " finds from the clauses of the formulas and those before it; the last is empty.",
    ),
    Column("refutation", _TEXT, "Of rows: the refutation that shows the verdict."),
    Column("symbols", _TEXTS, "Of rows: what the refutation calls each of their symbols."),
    Column(
        "model_true",
        _TEXT,
        "Of rows: a model of the premises in which the conclusion is true. It is everybody there"
        " is, a colon, and the atoms that are true.",
    ),
    Column(
        "model_false", _TEXT, "Of rows: a model of the premises in which the conclusion is false."
    ),
    Column(
        "needed",
        _TEXTS,
        "Of rows: for each gold premise a model of the others in which the conclusion is false.",
    ),
    Column("source", _TEXTS, "Of rows whose label is a source's: what the source says, and where."),
)
"""The columns of both splits."""

SCHEMA = schema_of(COLUMNS)

SPLITS = {
    "refutations": "Refutations, each under names of its own.",
    "rows": "What shows the labels, for all rows with one key.",
}
"""The splits, in their order, and what each holds."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What shows the label of all rows with one key; the fields are columns of the split."""

    config: str | None
    key: str
    refutation: Refutation | None = None
    symbols: tuple[str, ...] | None = None
    model_true: str | None = None
    model_false: str | None = None
    needed: tuple[str, ...] | None = None
    source: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Readings:
    """What check.py must be told of sentences, for release.json.

    ``templates`` are formulas and the texts that say them, by the form of the clause; ``words``
    are, by symbol, words of the vocabulary by form; ``further`` is what one family alone has.
    ``imports``: every predicate is true of somebody.
    """

    templates: Sequence[Mapping[str, Json]] = ()
    words: Mapping[str, Mapping[str, str]] | None = None
    imports: bool = False
    further: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Certificates:
    """Certificates in the order in which rows first ask for them: tables by the split's name."""

    tables: Mapping[str, pa.Table]
    readings: Readings

    @staticmethod
    def of(rows: Sequence[Certificate], readings: Readings) -> Certificates:
        """Certificates that are all at hand."""
        return Certificates(certificate_tables(rows), readings)


def certificate_tables(rows: Sequence[Certificate]) -> dict[str, pa.Table]:
    """The rows of both splits for some certificates: each refutation once, where first asked for.

    Tables of several parts, one after another, are those of the whole once ``each_once`` has been
    asked of the refutations.
    """
    shared = dict.fromkeys(row.refutation for row in rows if row.refutation is not None)
    refutations = [
        {"key": each.name, "formulas": each.formulas, "clauses": each.steps} for each in shared
    ]
    own = [
        {
            "config": row.config,
            "key": row.key,
            "refutation": None if row.refutation is None else row.refutation.name,
            "symbols": row.symbols,
            "model_true": row.model_true,
            "model_false": row.model_false,
            "needed": row.needed,
            "source": row.source,
        }
        for row in rows
    ]
    return {
        name: pa.Table.from_pylist(table, schema=SCHEMA)
        for name, table in (("refutations", refutations), ("rows", own))
    }


def each_once(refutations: pa.Table) -> pa.Table:
    """Refutations without those whose name stood before."""
    seen: set[str] = set()
    first = []
    for name in refutations["key"].to_pylist():
        first.append(name not in seen)
        seen.add(name)
    return refutations.filter(pa.array(first, type=pa.bool_()))


def certified(content: Content, found: Certificates) -> Content:
    """The content with its certificates, and with the program that checks them."""
    program = files("sorites.release.certificates").joinpath(CHECKER).read_text(encoding="utf-8")
    return replace(
        content,
        splits=(
            *content.splits,
            *(
                Split(CONFIG, name, text, COLUMNS, found.tables[name])
                for name, text in SPLITS.items()
                if found.tables[name].num_rows
            ),
        ),
        files={**content.files, CHECKER: program},
        certificates=told(found.readings),
    )


def told(readings: Readings) -> dict[str, Json]:
    """What release.json tells check.py."""
    return {
        "version": check.VERSION,
        "readings": {
            "templates": list(readings.templates),
            "words": dict(readings.words or {}),
            "imports": readings.imports,
            **(readings.further or {}),
        },
    }
