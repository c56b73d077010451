"""The rows of every config but the human one, and the columns that they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

import pyarrow as pa

from sorites.release.content import Column, schema_of

__all__ = ["COLUMNS", "FLIPPED", "STEP", "Part", "Row", "table_of"]


class Part(StrEnum):
    """The three parts of a transitive inference, as the column ``part`` names them."""

    VERIDICAL = "veridical"
    EMBEDDED = "embedded"
    COMPOSITE = "composite"


@dataclass(frozen=True, slots=True)
class Row:
    """One inference; the fields are the columns ``COLUMNS``, in their order."""

    id: str
    premise: str
    hypothesis: str
    label: str
    verdict: str
    part: str
    pair: str
    verb: str | None
    signature: str | None
    complement: str | None
    tense: str
    frame: str | None
    environment: str | None
    polarity: str | None
    depth: int
    above: str | None
    label_veridical: str | None
    label_embedded: str | None
    premise_formula: str | None
    hypothesis_formula: str | None
    connectives: int | None
    nesting: int | None
    shape: str | None
    source_id: str | None


_TEXT = pa.string()
_NUMBER = pa.int32()

COLUMNS = (
    Column("id", _TEXT, "Identity of the row, the same in every config that holds it."),
    Column("premise", _TEXT, "The premise, without a full stop; a question keeps its mark."),
    Column("hypothesis", _TEXT, "The hypothesis, without a full stop."),
    Column("label", _TEXT, "yes: the premise entails the hypothesis; unk: it does not."),
    Column(
        "verdict",
        _TEXT,
        "Finer than the label: entailed, contradicted (the premise rules the hypothesis out) or "
        "undetermined.",
    ),
    Column(
        "part",
        _TEXT,
        "veridical: f(s1) to s1; embedded: s1 to s2; composite: f(s1) to s2, where f(s1) is s1 "
        "below a clause-embedding verb.",
    ),
    Column("pair", _TEXT, "The embedded pair s1, s2 from which the row is made."),
    Column("verb", _TEXT, "The innermost embedding verb; null in the part embedded."),
    Column(
        "signature",
        _TEXT,
        "What the verb says about its complement in a positive and in a negated clause: + that "
        "it is true, - that it is false, o nothing.",
    ),
    Column(
        "complement",
        _TEXT,
        "that: a finite clause; to: an infinitive; passive: a finite clause below an impersonal "
        "passive. Null in the part embedded.",
    ),
    Column("tense", _TEXT, "past or present: the tense of the verb, or of the pair by itself."),
    Column("frame", _TEXT, "The main clause around the verb; null in the part embedded."),
    Column(
        "environment",
        _TEXT,
        "What stands around the main clause's verb: positive, negated, question, conditional, "
        "modal or quantified (a negative subject); null in the part embedded.",
    ),
    Column(
        "polarity",
        _TEXT,
        "The polarity at which the innermost verb stands: positive, negative, unknown, or none "
        "below a verb that says nothing about its complement; null in the part embedded.",
    ),
    Column("depth", _NUMBER, "Embedding verbs above s1; 0 in the part embedded."),
    Column(
        "above",
        _TEXT,
        "The verbs above the innermost, from the outside in, with > between them; null without.",
    ),
    Column("label_veridical", _TEXT, "The label of f(s1) to s1; null in the part embedded."),
    Column("label_embedded", _TEXT, "The label of s1 to s2; null in the part veridical."),
    Column(
        "premise_formula",
        _TEXT,
        "What the premise commits to, in the notation of NLTK; null where it commits to nothing "
        "about its complement or where the sentences are not from a grammar.",
    ),
    Column(
        "hypothesis_formula",
        _TEXT,
        "What the hypothesis says; null where the sentences are not from a grammar.",
    ),
    Column("connectives", _NUMBER, "Logical connectives in the formula of s1."),
    Column("nesting", _NUMBER, "Connectives inside one another in the formula of s1."),
    Column("shape", _TEXT, "s1 with the categories of its open words, in the past tense."),
    Column("source_id", _TEXT, "The pair's id in the source; null for sentences of a grammar."),
)

FLIPPED = Column("flipped", pa.bool_(), "Whether the label was flipped: it is not the true one.")
STEP = Column("step", pa.int32(), "The place of the verb in the order in which verbs are added.")

assert tuple(column.name for column in COLUMNS) == tuple(field.name for field in fields(Row))


def table_of(
    rows: Sequence[Row], further: Column | None = None, values: Sequence[object] = ()
) -> pa.Table:
    """The rows as a table; ``further`` is one more column, with its values."""
    columns = {column.name: [getattr(row, column.name) for row in rows] for column in COLUMNS}
    if further is None:
        return pa.table(columns, schema=schema_of(COLUMNS))
    columns[further.name] = list(values)
    return pa.table(columns, schema=schema_of((*COLUMNS, further)))
