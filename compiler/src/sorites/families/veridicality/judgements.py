"""Human judgements of veridical and composite inferences, as a config of their own.

Every rating stays in its row. Any table of ratings can be read by the columns that a spec names;
the file that was published with the paper has a form of its own (Yanaka, Mineshima and Inui 2021,
section 4.4): three ratings a pair from 1, definitely not true, to 5, definitely true. 4 and 5 count
as yes, and the majority decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import pyarrow as pa

from sorites.errors import SourceError
from sorites.families.veridicality.clauses.stacks import Construction, Stack
from sorites.families.veridicality.composites import composite_label
from sorites.families.veridicality.embedded import NO, YES
from sorites.families.veridicality.polarity import Environment
from sorites.families.veridicality.rows import Part
from sorites.families.veridicality.verbs import Complement, Sign, Verb
from sorites.release.content import Column, schema_of
from sorites.sources.sentence_pairs.table_formats import TableLayout, read_rows, read_table

__all__ = [
    "HUMAN_COLUMNS",
    "THRESHOLD",
    "Judgement",
    "RatingColumns",
    "RatingTable",
    "human_table",
    "majority",
    "read_judgements",
    "read_ratings",
]

_COLUMNS = ("pair_ID", "genre", "verb", "sentence1", "sentence2", "gold_label", "crowd_score")
_PARTS = {"fpp": Part.VERIDICAL, "fph": Part.COMPOSITE}
_EMBEDDED = {"entailment": YES, "neutral": NO}
THRESHOLD = 4
"""The rating from which on people say yes, on the scale of the published file, 1 to 5."""


@dataclass(frozen=True, slots=True)
class RatingColumns:
    """What the columns of a table of ratings are called.

    Rows are numbered where ``id`` is None; without ``environment`` every clause is positive.
    ``ratings`` holds a list of whole numbers, with commas between them.
    """

    premise: str
    hypothesis: str
    verb: str
    ratings: str
    id: str | None = None
    environment: str | None = None


@dataclass(frozen=True, slots=True)
class RatingTable:
    """How ratings are written, their scale, and the rating from which on people say yes."""

    layout: TableLayout
    columns: RatingColumns
    scale: tuple[int, int]
    threshold: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged pair; the fields are the columns ``HUMAN_COLUMNS``, in their order."""

    id: str
    premise: str
    hypothesis: str
    label: str
    part: str
    verb: str
    signature: str
    complement: str
    tense: str | None
    environment: str
    polarity: str
    depth: int
    label_veridical: str
    label_embedded: str | None
    human_label: str
    human_scores: list[int]
    human_mean: float
    source_id: str


HUMAN_COLUMNS = (
    Column("id", pa.string(), "Identity of the row."),
    Column("premise", pa.string(), "The premise as it was shown."),
    Column("hypothesis", pa.string(), "The hypothesis as it was shown."),
    Column(
        "label", pa.string(), "yes or unk, by the verb's signature and the rule for composites."
    ),
    Column("part", pa.string(), "veridical: f(s1) to s1; composite: f(s1) to s2."),
    Column("verb", pa.string(), "The embedding verb."),
    Column("signature", pa.string(), "What the verb says about its complement."),
    Column("complement", pa.string(), "that: a finite clause; to: an infinitive."),
    Column("tense", pa.string(), "past or present; null where the source does not say."),
    Column("environment", pa.string(), "What stands around the verb, as in the other configs."),
    Column("polarity", pa.string(), "The polarity at which the verb stands."),
    Column("depth", pa.int32(), "Embedding verbs above s1."),
    Column("label_veridical", pa.string(), "The label of f(s1) to s1."),
    Column(
        "label_embedded",
        pa.string(),
        "The label of s1 to s2 in its source; null in the part veridical.",
    ),
    Column("human_label", pa.string(), "yes if most ratings reach the threshold, else unk."),
    Column("human_scores", pa.list_(pa.int32()), "Each rating, on the scale of the source."),
    Column("human_mean", pa.float64(), "The mean rating."),
    Column("source_id", pa.string(), "The id of the pair s1, s2 in its source."),
)

assert tuple(c.name for c in HUMAN_COLUMNS) == tuple(f.name for f in fields(Judgement))


def read_judgements(path: Path, verbs: Sequence[Verb]) -> tuple[Judgement, ...]:
    """The judged pairs of the published file, in its order.

    Raises SourceError, with the line, for a verb that is not in the spec, a genre or a list of
    scores of another make, and a label that is not the one that follows from the verb.
    """
    finite = [verb for verb in verbs if verb.complement is Complement.THAT]
    forms = {verb.past: (verb, "past") for verb in finite}
    forms |= {verb.present: (verb, "present") for verb in finite}
    found: list[Judgement] = []
    for line, cells in read_table(path, _COLUMNS):
        where = f"{path.name}:{line}"
        try:
            tense, part, embedded, *_ = cells["genre"].split(".")
            part, embedded = _PARTS[part], _EMBEDDED[embedded]
        except (ValueError, KeyError):
            raise SourceError(f"{where}: unknown genre '{cells['genre'][:100]}'") from None
        known = forms.get(cells["verb"])
        if known is None or known[1] != tense:
            raise SourceError(
                f"{where}: '{cells['verb'][:100]}' is no {tense} form of a verb of the spec"
            )
        veridical = YES if known[0].positive is Sign.TRUE else NO
        label = composite_label(veridical, embedded) if part == Part.COMPOSITE else veridical
        if _EMBEDDED.get(cells["gold_label"]) != label:
            raise SourceError(
                f"{where}: the label '{cells['gold_label'][:100]}' is not {label}, which follows "
                f"from {known[0].lemma} being {known[0].signature}"
            )
        scores = _scores(cells["crowd_score"], (1, 5), where)
        stack = Stack((known[0],))
        found.append(
            Judgement(
                id=f"h{cells['pair_ID']}-{known[0].lemma}-{tense}-{part}",
                premise=cells["sentence1"].strip(),
                hypothesis=cells["sentence2"].strip(),
                label=label,
                part=part,
                verb=known[0].lemma,
                signature=known[0].signature,
                complement=stack.complement,
                tense=tense,
                environment=stack.construction.environment,
                polarity=stack.polarity,
                depth=1,
                label_veridical=veridical,
                label_embedded=embedded if part == Part.COMPOSITE else None,
                human_label=majority(scores, THRESHOLD),
                human_scores=scores,
                human_mean=sum(scores) / len(scores),
                source_id=cells["pair_ID"],
            )
        )
    return tuple(found)


def read_ratings(path: Path, table: RatingTable, verbs: Sequence[Verb]) -> tuple[Judgement, ...]:
    """Ratings of f(s1) → s1 from a table whose columns the spec names, in its order.

    Raises SourceError, with the line, for whatever ``read_rows`` refuses, a verb that is not in
    the spec, an environment that is none, an id that stands twice, and ratings off the scale.
    """
    known = {verb.name: verb for verb in verbs}
    environments = {environment.value: environment for environment in Environment}
    columns = table.columns
    named = (columns.id, columns.premise, columns.hypothesis, columns.verb, columns.ratings)
    wanted = [name for name in (*named, columns.environment) if name is not None]
    found: dict[str, Judgement] = {}
    for number, (where, cells) in enumerate(read_rows(path, table.layout, wanted), 1):
        verb = known.get(cells[columns.verb].strip())
        if verb is None:
            raise SourceError(f"{where}: '{cells[columns.verb][:100]}' is no verb of the spec")
        told = cells[columns.environment].strip() if columns.environment else "positive"
        if told not in environments:
            raise SourceError(
                f"{where}: '{told[:100]}' is no environment; known: {', '.join(environments)}"
            )
        source_id = cells[columns.id].strip() if columns.id else str(number)
        if source_id in found:
            raise SourceError(f"{where}: the id {source_id[:100]} stands twice")
        stack = Stack((verb,), Construction(environments[told]))
        label = YES if stack.sign is Sign.TRUE else NO
        scores = _scores(cells[columns.ratings], table.scale, where)
        found[source_id] = Judgement(
            id=f"h{source_id}",
            premise=cells[columns.premise].strip(),
            hypothesis=cells[columns.hypothesis].strip(),
            label=label,
            part=Part.VERIDICAL,
            verb=verb.name,
            signature=verb.signature,
            complement=stack.complement,
            tense=None,
            environment=stack.construction.environment,
            polarity=stack.polarity,
            depth=1,
            label_veridical=label,
            label_embedded=None,
            human_label=majority(scores, table.threshold),
            human_scores=scores,
            human_mean=sum(scores) / len(scores),
            source_id=source_id,
        )
    return tuple(found.values())


def majority(scores: Sequence[int], threshold: int) -> str:
    """What most people say, who say yes from the threshold on."""
    return YES if 2 * sum(score >= threshold for score in scores) > len(scores) else NO


def human_table(judgements: Sequence[Judgement]) -> pa.Table:
    """The judgements as a table."""
    columns: Mapping[str, list[object]] = {
        column.name: [getattr(judgement, column.name) for judgement in judgements]
        for column in HUMAN_COLUMNS
    }
    return pa.table(columns, schema=schema_of(HUMAN_COLUMNS))


def _scores(text: str, scale: tuple[int, int], where: str) -> list[int]:
    least, most = scale
    try:
        scores = json.loads(text if text.lstrip().startswith("[") else f"[{text}]")
    except (ValueError, RecursionError):
        scores = None
    if (
        not isinstance(scores, list)
        or not scores
        or not all(type(s) is int and least <= s <= most for s in scores)
    ):
        raise SourceError(f"{where}: '{text[:100]}' is no list of ratings from {least} to {most}")
    return scores
