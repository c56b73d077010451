"""A spec for a first look at a file: what its columns are, and what its labels seem to mean."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites.errors import SoritesError
from sorites.logic.notations.known import NOTATIONS
from sorites.logic.prover import Verdict
from sorites.names import did_you_mean
from sorites.sources.sentence_pairs.table_formats import TableFormat, TableLayout, read_values

__all__ = ["FirstLook", "draft_spec"]

_FORMATS = {
    ".jsonl": TableFormat.JSONL,
    ".ndjson": TableFormat.JSONL,
    ".parquet": TableFormat.PARQUET,
    ".csv": TableFormat.CSV,
    ".tsv": TableFormat.TSV,
}
_MAX_LINE = 1_000_000

_MEANINGS = (
    {"entailment": "entailed", "neutral": "undetermined", "contradiction": "contradicted"},
    {"true": "entailed", "false": "contradicted", "uncertain": "undetermined"},
    {"true": "entailed", "false": "contradicted", "unknown": "undetermined"},
    {"yes": "entailed", "no": "contradicted", "unknown": "undetermined"},
    {"yes": "entailed", "no": "contradicted", "maybe": "undetermined"},
    {"entailed": "entailed", "undetermined": "undetermined", "contradicted": "contradicted"},
    {"yes": "entailed", "no": ("contradicted", "undetermined")},
    {"valid": "entailed", "invalid": ("contradicted", "undetermined")},
    {"entailment": "entailed", "not_entailment": ("contradicted", "undetermined")},
    {"entailment": "entailed", "not-entailment": ("contradicted", "undetermined")},
)
"""Sets of labels whose meaning is not in doubt, in small letters."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The columns of a file, the notation of its formulas, and what its labels mean.

    ``premises`` is one column that holds them all, or several of one each. Where ``labels`` is
    empty, they are looked up among sets of labels that are well known.
    """

    premises: tuple[str, ...]
    conclusion: str
    label: str
    notation: str
    labels: Mapping[str, tuple[str, ...]]
    id: str | None = None
    existential: bool = False


def draft_spec(file: Path, look: FirstLook) -> str:
    """The YAML of a spec that audits a file beside it.

    Raises SoritesError for a format or a notation that is not known and for labels whose meaning
    nobody has said, SourceError for a file that cannot be read.
    """
    layout = TableLayout(_format(file), max_line=_MAX_LINE)
    if look.notation not in NOTATIONS:
        raise SoritesError(
            f'unknown notation "{look.notation}": {did_you_mean(look.notation, NOTATIONS)}'
        )
    if not file.is_file():
        raise SoritesError(f"{file} is not a file")
    labels = look.labels or _well_known(file, layout, look.label)
    _refuse_unknown(labels)
    premises = look.premises[0] if len(look.premises) == 1 else list(look.premises)
    name = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-") or "audit"
    if not name[0].isalpha():
        name = f"audit-{name}"
    means = [
        f"  {_quoted(label)}: {_quoted(says[0] if len(says) == 1 else list(says))}"
        for label, says in labels.items()
    ]
    answers = ", ".join(f"{_quoted(label)}: {_quoted(label)}" for label in labels)
    lines = [
        "# yaml-language-server: $schema=schemas/audit.schema.json",
        "kind: audit",
        f"name: {name}-audited",
        "version: 1.0.0",
        f"title: {_quoted(f'{file.name} with proved labels')}",
        f"summary: {_quoted(f'The rows of {file.name} with the labels that are proved.')}",
        "license: unknown                # that of the source, such as cc-by-sa-4.0",
        "languages: [en]",
        "seed: 0",
        "sources:",
        "  data:",
        f"    file: {_quoted(file.name)}     # or url, or hub: {{repo, revision, path}}",
        '    version: "1"',
        "    license: unknown",
        f"    attribution: {_quoted(f'The authors of {file.name}')}",
        f"    sha256: {_quoted(_sha256(file))}",
        "data:",
        f"  format: {layout.format.value}",
        "  splits: {data: data}",
        *([f"  id: {_quoted(look.id)}"] if look.id is not None else []),
        f"  premises: {_quoted(premises)}",
        f"  conclusion: {_quoted(look.conclusion)}",
        f"  label: {_quoted(look.label)}",
        f"reading: {{notation: {look.notation}}}",
        *(["all: [modern, existential]"] if look.existential else []),
        "labels:",
        *means,
        "tasks:",
        "  entailment:",
        "    title: Does the conclusion follow?",
        "    description: Given premises and a conclusion, say how the conclusion stands to them.",
        "    data: {config: items, split: data}",
        "    id: id",
        "    answer:",
        "      format: choice",
        f"      labels: {{{answers}}}",
        "      gold: label",
        "    prompts:",
        "      zero-shot:",
        "        user: |-",
        "          Premises:",
        "          {% for premise in premises %}{{ loop.index }}. {{ premise }}",
        "          {% endfor %}",
        "          Conclusion: {{ conclusion }}",
        "",
        f"          Answer with one of: {', '.join(labels)}.",
        "    score: {metrics: [accuracy, responses], clusters: story}",
    ]
    return "\n".join(lines) + "\n"


def _format(file: Path) -> TableFormat:
    found = _FORMATS.get(file.suffix.lower())
    if found is None:
        known = ", ".join(_FORMATS)
        raise SoritesError(f"{file.name} is none of {known}: write a spec that says its format")
    return found


def _well_known(file: Path, layout: TableLayout, column: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, None] = {}
    for _, values in read_values(file, layout, [column]):
        value = values[column]
        if value is not None:
            found[value if isinstance(value, str) else json.dumps(value)] = None
        if len(found) > 20:
            raise SoritesError(f"the column {column} holds more than 20 labels: is it the one?")
    for meanings in _MEANINGS:
        if {label.lower() for label in found} == meanings.keys():
            return {label: _several(meanings[label.lower()]) for label in sorted(found)}
    shown = ", ".join(sorted(found)[:20])
    raise SoritesError(
        f"what the labels {shown} mean is not known: say so, each with --labels "
        "LABEL=entailed, contradicted or undetermined"
    )


def _refuse_unknown(labels: Mapping[str, Sequence[str]]) -> None:
    known = [each.value for each in Verdict if each is not Verdict.UNKNOWN]
    for label, says in labels.items():
        for verdict in says:
            if verdict not in known:
                raise SoritesError(
                    f'{label}: unknown verdict "{verdict}": {did_you_mean(verdict, known)}'
                )


def _several(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _quoted(value: str | list[str]) -> str:
    """A text or a list of texts as JSON, which is YAML."""
    return json.dumps(value, ensure_ascii=False)


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
