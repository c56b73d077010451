"""Human judgements of veridical and composite inferences, as a config of their own.

The published file (Yanaka, Mineshima and Inui 2021, section 4.4) has three ratings a pair from
1, definitely not true, to 5, definitely true; 4 and 5 count as yes, and the majority decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import pyarrow as pa

from sorites.errors import SourceError
from sorites.families.veridicality.composites import composite_label
from sorites.families.veridicality.embedded import NO, YES
from sorites.families.veridicality.rows import Part
from sorites.families.veridicality.verbs import Complement, Sign, Verb
from sorites.release.content import Column, schema_of
from sorites.sources.sentence_pairs.table_formats import read_table

__all__ = ["HUMAN_COLUMNS", "Judgement", "human_table", "read_judgements"]

_COLUMNS = ("pair_ID", "genre", "verb", "sentence1", "sentence2", "gold_label", "crowd_score")
_PARTS = {"fpp": Part.VERIDICAL, "fph": Part.COMPOSITE}
_EMBEDDED = {"entailment": YES, "neutral": NO}
_THRESHOLD = 4


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
    tense: str
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
    Column("tense", pa.string(), "past or present."),
    Column("label_veridical", pa.string(), "The label of f(s1) to s1."),
    Column(
        "label_embedded",
        pa.string(),
        "The label of s1 to s2 in its source; null in the part veridical.",
    ),
    Column("human_label", pa.string(), "yes if most ratings are 4 or 5, else unk."),
    Column("human_scores", pa.list_(pa.int32()), "Each rating, 1 to 5."),
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
        scores = _scores(cells["crowd_score"], where)
        found.append(
            Judgement(
                id=f"h{cells['pair_ID']}-{known[0].lemma}-{tense}-{part}",
                premise=cells["sentence1"].strip(),
                hypothesis=cells["sentence2"].strip(),
                label=label,
                part=part,
                verb=known[0].lemma,
                signature=known[0].signature,
                tense=tense,
                label_veridical=veridical,
                label_embedded=embedded if part == Part.COMPOSITE else None,
                human_label=YES if 2 * sum(s >= _THRESHOLD for s in scores) > len(scores) else NO,
                human_scores=scores,
                human_mean=sum(scores) / len(scores),
                source_id=cells["pair_ID"],
            )
        )
    return tuple(found)


def human_table(judgements: Sequence[Judgement]) -> pa.Table:
    """The judgements as a table."""
    columns: Mapping[str, list[object]] = {
        column.name: [getattr(judgement, column.name) for judgement in judgements]
        for column in HUMAN_COLUMNS
    }
    return pa.table(columns, schema=schema_of(HUMAN_COLUMNS))


def _scores(text: str, where: str) -> list[int]:
    try:
        scores = json.loads(text)
    except ValueError:
        scores = None
    if (
        not isinstance(scores, list)
        or not scores
        or not all(isinstance(s, int) and 1 <= s <= 5 for s in scores)
    ):
        raise SourceError(f"{where}: '{text[:100]}' is no list of ratings from 1 to 5")
    return scores
