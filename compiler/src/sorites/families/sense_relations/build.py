"""A spec and its lexicon → the content of a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.errors import SoritesError
from sorites.families.sense_relations import card
from sorites.families.sense_relations.audit import audit, by_relation_and_pos
from sorites.families.sense_relations.exemplars import choose_exemplars, without_shared_synsets
from sorites.families.sense_relations.filters import Dropped, apply_filters
from sorites.families.sense_relations.gloss_statistics import gloss_statistics
from sorites.families.sense_relations.items import COLUMNS, pair_table
from sorites.families.sense_relations.nominal_heads import nominal_heads
from sorites.families.sense_relations.pairs import Extraction, SensePair, sense_pairs
from sorites.families.sense_relations.plan import Plan, read_plan
from sorites.families.sense_relations.splits import (
    TEST,
    Ends,
    Splits,
    deal,
    ends_of,
    in_common,
    promise_faults,
    read_splits,
)
from sorites.licences import merge_licences
from sorites.progress import Progress
from sorites.release.content import CardSection, Content, Split, SplitName
from sorites.sources.copies import cache_folder
from sorites.sources.lexicons.cygnet import read_cygnet
from sorites.sources.lexicons.lexicon import Lexicon, file_name
from sorites.sources.lexicons.lmf import read_lmf
from sorites.specfile.model import Spec

__all__ = ["build", "plan_of", "read_lexicon", "split_names"]

_PAIRS = {
    "train": "Gloss pairs to learn from.",
    "validation": "Gloss pairs to choose by, while learning.",
    TEST: "Gloss pairs to be labelled: one row a sense pair and ordered pair of languages.",
}


def build(
    spec: Spec,
    files: Mapping[str, Path],
    *,
    engine: Engine,
    progress: Progress,
    scratch: Path | None = None,
) -> Content:
    """Make gloss pairs of a valid spec and its source files.

    ``files`` maps source ids to verified files, decompressed. ``engine`` and
    ``scratch`` are not needed: the work is a few table scans.

    Raises SourceError for a lexicon that cannot be read or that leaves a relation without
    pairs, SoritesError when the items would be none.
    """
    del engine, scratch
    plan = plan_of(spec)
    advance = progress.stage("lexicon", len(plan.sources))
    lexicon = read_lexicon(plan, files, spec.languages)
    advance(len(plan.sources))
    where = ", ".join(file_name(files[source]) for source in plan.sources)

    advance = progress.stage("sense pairs", 3)
    extraction = sense_pairs(lexicon, plan.relations, where=where)
    advance(1)
    kept, steps = apply_filters(
        extraction.pairs, lexicon, spec.languages, plan.filters, plan.relations, where=where
    )
    advance(1)
    exemplars = choose_exemplars(kept, plan.relations, plan.exemplars, spec.seed, where=where)
    items = without_shared_synsets(kept, exemplars)
    if not items:
        raise SoritesError(
            f"{where}: all {len(kept)} pairs share a synset with an exemplar, so that no item is "
            "left; lower `exemplars.each_label`, or loosen the filters"
        )
    dealt = deal(items, read_splits(_document(spec)), spec.seed)
    for name, pairs in dealt.items():
        if not pairs:
            raise SoritesError(
                f"{where}: no pair is left for the split {name}: {len(items)} pairs are too few for"
                " the shares of `splits`"
            )
    advance(1)
    return _content(spec, plan, lexicon, extraction, steps, kept, exemplars, dealt)


def plan_of(spec: Spec) -> Plan:
    """The plan of a spec that fits its JSON Schema."""
    return read_plan(_document(spec))


def split_names(spec: Spec) -> list[SplitName]:
    """The splits that a spec without problems asks for."""
    items = [("pairs", name) for name in read_splits(_document(spec)).names]
    return [*items, ("exemplars", "train")] if plan_of(spec).exemplars else items


def read_lexicon(plan: Plan, files: Mapping[str, Path], languages: Sequence[str]) -> Lexicon:
    """The lexicon of a plan, from verified files by source id; raises SourceError."""
    paths = [files[source] for source in plan.sources]
    if plan.format == "cygnet":
        return read_cygnet(paths[0], languages, plan.policies)
    return read_lmf(paths, languages, plan.policies, scratch=cache_folder())


def _content(
    spec: Spec,
    plan: Plan,
    lexicon: Lexicon,
    extraction: Extraction,
    steps: Sequence[Dropped],
    kept: Sequence[SensePair],
    exemplars: Sequence[SensePair],
    dealt: Mapping[str, Sequence[SensePair]],
) -> Content:
    items = [pair for pairs in dealt.values() for pair in pairs]
    glossed = lexicon.fully_glossed(spec.languages)
    glosses = _item_glosses(lexicon, items, spec.languages)
    statistics = gloss_statistics(glosses)
    nominal = nominal_heads(glosses) if plan.nominal_heads else {}
    merged, _ = merge_licences([(each.name, each.license) for each in plan.wordnets])
    splits = [
        Split("pairs", name, _PAIRS[name], COLUMNS, pair_table(pairs, lexicon, spec.languages))
        for name, pairs in dealt.items()
    ]
    if exemplars:
        splits.append(
            Split(
                "exemplars",
                "train",
                "Gloss pairs to show in a prompt: the same sense pairs in every pair of languages.",
                COLUMNS,
                pair_table(exemplars, lexicon, spec.languages),
            )
        )
    ends = {name: [ends_of(pair) for pair in pairs] for name, pairs in dealt.items()}
    splits_of = read_splits(_document(spec))
    if faults := [*promise_faults(splits_of.disjoint, ends)]:
        raise SoritesError("\n".join(faults))
    between = len(without_shared_synsets(kept, exemplars)) - len(items)
    audited = audit(
        lexicon,
        spec.languages,
        plan,
        extraction,
        steps,
        kept,
        items,
        statistics=statistics,
        nominal=nominal,
        merged=merged,
        between=between,
    )
    if len(dealt) > 1:
        audited["splits"] = {
            "disjoint": splits_of.disjoint.value,
            "sense pairs": {name: len(pairs) for name, pairs in dealt.items()},
            "between splits, left out": between,
            "in common": in_common(ends),
        }
    rows_each = len(spec.languages) ** 2
    return Content(
        splits=tuple(splits),
        audit=audited,
        counts={
            "sense pairs": by_relation_and_pos(items, lexicon),
            "rows by label": {
                label: count * rows_each
                for label, count in sorted(Counter(pair.label for pair in items).items())
            },
            "exemplar sense pairs": len(exemplars),
        },
        sections=(
            CardSection("Sense pairs", card.pairs_table(items, lexicon)),
            *_split_section(splits_of, ends, between),
            CardSection("Glosses", card.glosses_table(statistics, nominal)),
            CardSection("Wordnets and their licences", card.licences_table(plan, merged)),
        ),
        made=card.made_text(plan, spec.languages, len(glossed)),
        proofs=(
            "Each label is a statement of the lexicon, read from its relations; the inverse of a "
            "label holds of the same pair in the other order. `sorites verify` checks on the rows "
            "that labels, orders and languages agree and that no filter was passed by."
        ),
        rejected=card.filters_table(steps, len(kept) - len(items) - between),
    )


def _split_section(
    splits: Splits, ends: Mapping[str, Sequence[Ends]], between: int
) -> tuple[CardSection, ...]:
    if len(ends) < 2:
        return ()
    return (CardSection("Splits", card.splits_table(splits, ends, between)),)


def _document(spec: Spec) -> Mapping[str, Json]:
    data = spec.document.data
    assert isinstance(data, Mapping)
    return data


def _item_glosses(
    lexicon: Lexicon, items: Sequence[SensePair], languages: Sequence[str]
) -> dict[str, list[str]]:
    ilis = dict.fromkeys(ili for pair in items for ili in (pair.first, pair.second))
    return {language: [lexicon.glosses[language][ili] for ili in ilis] for language in languages}
