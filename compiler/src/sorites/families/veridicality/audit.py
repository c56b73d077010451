"""What audit.json says of a release of this kind: balance, leaks, duplicates, agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from sorites.canonical import Json
from sorites.families.veridicality.embedded import NO, YES
from sorites.families.veridicality.judgements import Judgement
from sorites.families.veridicality.naturalistic import SuitablePairs
from sorites.families.veridicality.rows import Part
from sorites.families.veridicality.synthetic import SyntheticPairs
from sorites.families.veridicality.verbs import Verb
from sorites.logic.prover import Prover
from sorites.release.audit.bag_of_words import bag_of_words_accuracy

__all__ = ["CELLS", "Tables", "audit", "counts", "overlaps", "shared_sentences"]

Tables: TypeAlias = "Mapping[tuple[str, str], pa.Table]"

CELLS = ((YES, YES), (YES, NO), (NO, YES), (NO, NO))
"""Labels of f(s1) to s1 and of s1 to s2."""

_MEGAVERIDICALITY = "megaveridicality"


def audit(
    tables: Tables,
    *,
    drawn: Mapping[str, SyntheticPairs],
    suitable: SuitablePairs | None,
    judgements: Sequence[Judgement],
    verbs: Sequence[Verb],
    prover: Prover,
    rejected: Mapping[str, int],
) -> dict[str, Json]:
    """The family's entries of audit.json."""
    own = {key: table for key, table in tables.items() if key[0] != "human"}
    refused: dict[str, int] = dict(rejected)
    found: dict[str, Json] = {
        "parts": {"/".join(key): _parts(table) for key, table in own.items()},
        "cells": {"/".join(key): cells for key, table in own.items() if (cells := _cells(table))},
        "environments": {"/".join(key): _environments(table) for key, table in own.items()},
        "verbs_and_tenses": {"/".join(key): _spread(table) for key, table in own.items()},
        "overlaps": {config: overlaps(splits) for config, splits in _by_config(own).items()},
        "shared_sentences": {
            config: shared_sentences(splits) for config, splits in _by_config(own).items()
        },
        "hypothesis_only": _hypothesis_only(own),
        "prover": {"checks": prover.checks, "answered_from_memory": prover.repeated},
    }
    for config, pairs in drawn.items():
        shapes = {name: dict(by_label) for name, by_label in pairs.shapes.items()}
        found["shapes" if config == "synthetic" else f"shapes of {config}"] = shapes
        refused.update({f"{config}: {reason}": n for reason, n in pairs.rejected.items()})
    if suitable is not None:
        found["source_pairs"] = {
            "can be embedded": len(suitable.pairs),
            "refused": [
                f"pair {key}: {reason}" for key, reason in sorted(suitable.reasons.items())
            ],
        }
        refused.update({f"naturalistic: {reason}": n for reason, n in suitable.rejected.items()})
    found["rejected"] = dict(sorted(refused.items()))
    if judgements:
        found["human"] = _human(judgements, verbs)
    return found


def counts(tables: Tables) -> dict[str, Json]:
    """Rows by label, for each split."""
    return {
        "/".join(key): dict(sorted(Counter(table.column("label").to_pylist()).items()))
        for key, table in tables.items()
    }


def overlaps(splits: Mapping[str, pa.Table]) -> dict[str, Json]:
    """Inferences that two splits of a config share, or that one holds twice; all are 0 or wrong.

    ``two labels`` counts inferences that occur with both labels, which noise may not cause.
    """
    pairs = {name: [*_inferences(table)] for name, table in splits.items()}
    shared: dict[str, Json] = {
        f"{one} and {other}": len({*pairs[one]} & {*pairs[other]})
        for one, other in combinations(sorted(pairs), 2)
    }
    everything = [pair for of_split in pairs.values() for pair in of_split]
    labels: dict[tuple[str, str], set[str]] = {}
    for name, table in splits.items():
        for pair, label in zip(pairs[name], table.column("label").to_pylist(), strict=True):
            labels.setdefault(pair, set()).add(label)
    shared["repeated within a split"] = sum(len(p) - len({*p}) for p in pairs.values())
    shared["with two labels"] = sum(len(found) > 1 for found in labels.values())
    shared["premise is hypothesis"] = sum(one == other for one, other in everything)
    return shared


def shared_sentences(splits: Mapping[str, pa.Table]) -> dict[str, Json]:
    """For each two parts, how many different premises and hypotheses they share, and of how many.

    That a composite shares its premise with one part and its hypothesis with the other is what
    makes it one; a reader can then see how much of a test was met in training, in other pairs.
    """
    texts: dict[str, dict[str, set[str]]] = {}
    for table in splits.values():
        columns = [table.column(name).to_pylist() for name in ("part", "premise", "hypothesis")]
        for part, premise, hypothesis in zip(*columns, strict=True):
            of_part = texts.setdefault(part, {"premises": set(), "hypotheses": set()})
            of_part["premises"].add(premise)
            of_part["hypotheses"].add(hypothesis)
    found: dict[str, Json] = {}
    for one, other in combinations(sorted(texts), 2):
        found[f"{one} and {other}"] = {
            f"{kind} of {'both' if shared else part}": number
            for kind in ("premises", "hypotheses")
            for shared, part, number in (
                (False, one, len(texts[one][kind])),
                (False, other, len(texts[other][kind])),
                (True, "", len(texts[one][kind] & texts[other][kind])),
            )
        }
    return found


def _by_config(tables: Tables) -> dict[str, dict[str, pa.Table]]:
    found: dict[str, dict[str, pa.Table]] = {}
    for (config, split), table in tables.items():
        found.setdefault(config, {})[split] = table
    return found


def _inferences(table: pa.Table) -> Iterator[tuple[str, str]]:
    yield from zip(
        table.column("premise").to_pylist(), table.column("hypothesis").to_pylist(), strict=True
    )


def _parts(table: pa.Table) -> dict[str, Json]:
    """For each part, rows by label and by verdict."""
    columns = [table.column(name).to_pylist() for name in ("part", "label", "verdict")]
    found: dict[str, dict[str, int]] = {}
    for part, label, verdict in zip(*columns, strict=True):
        of_part = found.setdefault(part, {})
        of_part[label] = of_part.get(label, 0) + 1
        of_part[verdict] = of_part.get(verdict, 0) + 1
    return {part: dict(sorted(of_part.items())) for part, of_part in sorted(found.items())}


def _cells(table: pa.Table) -> dict[str, Json]:
    """Composites by the labels of their two parts."""
    columns = [
        table.column(name).to_pylist() for name in ("part", "label_veridical", "label_embedded")
    ]
    found = Counter((v, e) for part, v, e in zip(*columns, strict=True) if part == Part.COMPOSITE)
    return {"/".join(cell): found[cell] for cell in CELLS} if found else {}


def _environments(table: pa.Table) -> dict[str, Json]:
    """Rows by label for each environment, polarity and depth of the clauses above s1."""
    columns = [
        table.column(name).to_pylist() for name in ("environment", "polarity", "depth", "label")
    ]
    found: dict[str, dict[str, int]] = {}
    for environment, polarity, depth, label in zip(*columns, strict=True):
        if environment is not None:
            of = found.setdefault(f"{environment}, polarity {polarity}, depth {depth}", {})
            of[label] = of.get(label, 0) + 1
    return {name: dict(sorted(of.items())) for name, of in sorted(found.items())}


def _spread(table: pa.Table) -> dict[str, Json]:
    """The fewest and the most rows of a verb, and the rows of each tense."""
    verbs = Counter(verb for verb in table.column("verb").to_pylist() if verb is not None)
    tenses = Counter(table.column("tense").to_pylist())
    return {
        "verbs": len(verbs),
        "fewest rows of a verb": min(verbs.values(), default=0),
        "most rows of a verb": max(verbs.values(), default=0),
        "tenses": dict(sorted(tenses.items())),
    }


def _hypothesis_only(tables: Tables) -> dict[str, Json]:
    """How often the words of s2 alone give away the label of s1 → s2; 0.5 is chance.

    Folds keep the rows of one hypothesis together.
    """
    found: dict[str, Json] = {}
    for config in ("synthetic", "control", "naturalistic"):
        rows = [
            row
            for split in ("train", "validation")
            if (config, split) in tables
            for row in tables[config, split].select(["part", "hypothesis", "label"]).to_pylist()
            if row["part"] == Part.EMBEDDED
        ]
        texts = [row["hypothesis"] for row in rows]
        if len(set(texts)) > 1:
            labels = [row["label"] for row in rows]
            found[config] = round(bag_of_words_accuracy(texts, labels, texts), 4)
    return found


def _human(judgements: Sequence[Judgement], verbs: Sequence[Verb]) -> dict[str, Json]:
    """The share of pairs whose majority is the label: in all, by part, cell and verb.

    Beside each verb stand its mean rating in the part veridical (1 to 5) and its mean rating in
    other studies; their correlation over the verbs is Pearson's.
    """
    found: dict[str, Json] = {
        "pairs": len(judgements),
        "agreement": _agreement(judgements),
        "by part": {
            part: _agreement([j for j in judgements if j.part == part])
            for part in (Part.VERIDICAL, Part.COMPOSITE)
        },
        "composites by cell": {
            "/".join(cell): _agreement(
                [
                    j
                    for j in judgements
                    if j.part == Part.COMPOSITE and (j.label_veridical, j.label_embedded) == cell
                ]
            )
            for cell in CELLS
        },
    }
    by_verb: dict[str, Json] = {}
    means: list[tuple[float, float]] = []
    for verb in verbs:
        own = [j for j in judgements if j.verb == verb.name]
        veridical = [j for j in own if j.part == Part.VERIDICAL]
        if not veridical:
            continue
        mean = sum(j.human_mean for j in veridical) / len(veridical)
        other = verb.judgements.get(_MEGAVERIDICALITY)
        by_verb[verb.name] = {
            "signature": verb.signature,
            "veridical": _agreement(veridical),
            "composite": _agreement([j for j in own if j.part == Part.COMPOSITE]),
            "mean rating": round(mean, 4),
            _MEGAVERIDICALITY: other,
        }
        if other is not None:
            means.append((mean, other))
    found["by verb"] = by_verb
    if len(means) > 1:
        ours, theirs = np.array(means).T
        found["correlation with megaveridicality"] = round(
            float(np.corrcoef(ours, theirs)[0, 1]), 4
        )
    return found


def _agreement(judgements: Sequence[Judgement]) -> float | None:
    if not judgements:
        return None
    return round(sum(j.human_label == j.label for j in judgements) / len(judgements), 4)
