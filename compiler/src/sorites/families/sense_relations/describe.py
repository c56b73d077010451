"""What a lexicon holds, and how many pairs of each relation the filters of a spec leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from sorites.errors import Problem, SoritesError
from sorites.families.description import Description, Table, examples
from sorites.families.sense_relations.build import plan_of, read_lexicon
from sorites.families.sense_relations.exemplars import choose_exemplars, without_shared_synsets
from sorites.families.sense_relations.filters import Dropped, apply_filters
from sorites.families.sense_relations.pairs import SensePair, sense_pairs
from sorites.families.sense_relations.plan import Plan
from sorites.sources.lexicons.lexicon import Lexicon, count_by_pos, file_name
from sorites.specfile.model import Spec

__all__ = ["describe"]


def describe(spec: Spec, files: Mapping[str, Path]) -> Description:
    """Synsets, glosses, senses and policies of the lexicon; pairs of each relation."""
    plan = plan_of(spec)
    if any(name not in files for name in plan.sources):
        return Description()
    try:
        lexicon = read_lexicon(plan, files, spec.languages)
    except SoritesError as error:
        return Description(problems=(spec.document.problem(("lexicon",), str(error)),))
    where = ", ".join(file_name(files[source]) for source in plan.sources)
    absent: dict[str, Problem] = {}
    found = [*_pairs(plan, lexicon, spec, where, absent)]
    # Without relations: what a filter empties is told of below, all of it at once.
    kept, steps = apply_filters(found, lexicon, spec.languages, plan.filters, (), where=where)
    problems = [*absent.values(), *_emptied(spec, plan, absent, found, kept, steps)]
    items: Sequence[SensePair] = ()
    if not problems:
        try:
            shown = choose_exemplars(kept, plan.relations, plan.exemplars, spec.seed, where=where)
            items = without_shared_synsets(kept, shown)
        except SoritesError as error:
            problems.append(spec.document.problem(("exemplars",), str(error)))
        else:
            if not items:
                message = f"all {len(kept):,} pairs share a synset with an exemplar"
                problems.append(spec.document.problem(("exemplars",), message))
    tables = (
        _synsets(lexicon, spec.languages),
        _languages(lexicon, spec.languages),
        _policies(plan, lexicon),
        _relations(plan, found, kept, items),
        Table(
            "Filters",
            ("Filter", "Pairs before", "Dropped"),
            tuple((step.filter, step.before, step.pairs) for step in steps),
        ),
    )
    return Description(tuple(table for table in tables if table.rows), tuple(problems))


def _pairs(
    plan: Plan, lexicon: Lexicon, spec: Spec, where: str, absent: dict[str, Problem]
) -> Iterator[SensePair]:
    """The pairs of every relation that the lexicon has; the others become problems by name."""
    for relation in plan.relations:
        try:
            yield from sense_pairs(lexicon, [relation], where=where).pairs
        except SoritesError as error:
            absent[relation.name] = spec.document.problem(("relations", relation.name), str(error))


def _emptied(
    spec: Spec,
    plan: Plan,
    absent: Collection[str],
    found: Sequence[SensePair],
    kept: Sequence[SensePair],
    steps: Sequence[Dropped],
) -> Iterator[Problem]:
    had = Counter(pair.relation for pair in found)
    have = Counter(pair.relation for pair in kept)
    for relation in plan.relations:
        if relation.name in absent or have[relation.name]:
            continue
        if not had[relation.name]:
            yield spec.document.problem(
                ("relations", relation.name),
                "it holds from synsets to themselves or in both directions alone, which has no "
                "label",
                "correct its types, or give it one label for both directions",
            )
            continue
        last = [step for step in steps if step.by_relation.get(relation.name)][-1]
        yield spec.document.problem(
            ("relations", relation.name),
            f"none of its {had[relation.name]:,} pairs is left: the filter '{last.filter}' dropped "
            f"the last {last.by_relation[relation.name]:,}",
            "loosen the filter, choose fewer languages, or leave the relation out",
        )


def _synsets(lexicon: Lexicon, languages: Sequence[str]) -> Table:
    glossed = lexicon.fully_glossed(languages)
    by_pos = count_by_pos(lexicon, glossed)
    return Table(
        "Lexicon",
        ("", "Found"),
        (
            ("synsets", len(lexicon.pos)),
            ("of them, glossed in every language", len(glossed)),
            *((f"    {pos}", count) for pos, count in by_pos.items()),
            ("relations between synsets", sum(map(len, lexicon.synset_relations.values()))),
            ("relations between senses", sum(map(len, lexicon.sense_relations.values()))),
        ),
    )


def _languages(lexicon: Lexicon, languages: Sequence[str]) -> Table:
    """Senses are those of the synsets that have a gloss in every language."""
    return Table(
        "Languages",
        ("Language", "Glosses", "Senses", "Other forms"),
        tuple(
            (
                language,
                len(lexicon.glosses[language]),
                sum(map(len, lexicon.lemmas[language].values())),
                sum(map(len, lexicon.forms[language].values())),
            )
            for language in languages
        ),
    )


def _policies(plan: Plan, lexicon: Lexicon) -> Table:
    policies = plan.policies
    others = [f"{code} ({count:,})" for code, count in lexicon.other_glosses.items()]
    rows = (
        (
            f"repeated glosses (lexicon.glosses: {policies.glosses})",
            lexicon.repeated_glosses.concepts,
            examples(lexicon.repeated_glosses.examples),
        ),
        (
            f"repeated ILIs (lexicon.ilis: {policies.ilis})",
            lexicon.repeated_ilis.concepts,
            examples(lexicon.repeated_ilis.examples),
        ),
        (
            f"synsets without ILI (lexicon.without_ili: {policies.without_ili})",
            lexicon.synsets_without_ili,
            "",
        ),
        ("glosses in other languages", sum(lexicon.other_glosses.values()), examples(others)),
        (
            "glosses of a variant or of another language's lexicon, not needed",
            lexicon.secondary_glosses,
            "",
        ),
        ("glosses that held hidden characters", lexicon.cleaned_glosses, ""),
        ("synsets with conflicting parts of speech", lexicon.pos_conflicts, ""),
    )
    return Table("Policies", ("What", "How many", "Such as"), tuple(row for row in rows if row[1]))


def _relations(
    plan: Plan, found: Sequence[SensePair], kept: Sequence[SensePair], items: Sequence[SensePair]
) -> Table:
    had, have, used = (Counter(pair.relation for pair in pairs) for pairs in (found, kept, items))
    return Table(
        "Relations",
        ("Relation", "Pairs", "After the filters", "Without the exemplars"),
        tuple(
            (each.name, had[each.name], have[each.name], used[each.name]) for each in plan.relations
        ),
    )
