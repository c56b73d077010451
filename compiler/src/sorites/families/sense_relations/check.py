"""What a JSON Schema cannot say of a spec of this kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from wn.constants import SENSE_RELATIONS, SYNSET_RELATIONS

from sorites.canonical import Json
from sorites.errors import Problem
from sorites.families.sense_relations.plan import Lexicalisation, PartnerLemma, Plan, read_plan
from sorites.families.sense_relations.splits import read_splits
from sorites.licences import (
    LICENCES,
    IncompatibleLicences,
    merge_licences,
    name_of,
)
from sorites.names import did_you_mean
from sorites.sources.lexicons.cygnet import EARLIER_NAMES
from sorites.sources.lexicons.language_codes import standard_code
from sorites.specfile.model import Spec

__all__ = ["check"]

_Section: TypeAlias = Mapping[str, Json]

# Cygnet has some types of its own beside WN-LMF's.
_KNOWN_TYPES = sorted(
    {
        *SYNSET_RELATIONS,
        *SENSE_RELATIONS,
        *EARLIER_NAMES,
        "derivation_of",
        "pertainym_of",
        "participle_of",
        "domain",
        "has_domain",
    }
)


def check(spec: Spec) -> list[Problem]:
    """Every problem of a spec's own sections; needs no source."""
    plan = read_plan(cast("_Section", spec.document.data))
    return [
        *_sources(spec, plan),
        *_wordnets(spec, plan),
        *_relations(spec, plan),
        *_filters(spec, plan),
        *_splits(spec),
        *_tasks(spec, plan),
    ]


def _splits(spec: Spec) -> Iterator[Problem]:
    shares = read_splits(cast("_Section", spec.document.data)).shares
    # In hundredths of a per cent: sums of shares such as 0.7 and 0.3 are not exact.
    if round(sum(shares.values()) * 10_000) >= 10_000:
        yield spec.document.problem(
            ("splits",),
            f"{' and '.join(f'{name} {share:g}' for name, share in shares.items())} leave nothing "
            "for the test",
            "the shares of train and validation together must be less than 1",
        )


def _sources(spec: Spec, plan: Plan) -> Iterator[Problem]:
    path = ("lexicon", "sources")
    if plan.format == "cygnet" and len(plan.sources) > 1:
        yield spec.document.problem(
            path, "a lexicon of the format `cygnet` is one database", "keep one of the sources"
        )
    if plan.policies.without_ili == "keep":
        if plan.format == "cygnet":
            yield spec.document.problem(
                ("lexicon", "without_ili"),
                "the synsets of a Cygnet database have no lasting name but their ILI",
                "leave `without_ili` out",
            )
        if len(spec.languages) > 1:
            yield spec.document.problem(
                ("lexicon", "without_ili"),
                "synsets without ILI link no languages, and the spec has several",
                "leave `without_ili` out, or make a data set in one language",
            )
    same: dict[str, str] = {}
    for index, language in enumerate(spec.languages):
        other = same.setdefault(standard_code(language), language)
        if other != language:
            yield spec.document.problem(
                ("languages", index),
                f"'{language}' and '{other}' are codes of one language",
                "keep one of the two",
            )
    for index, source in enumerate(plan.sources):
        if source not in spec.sources:
            yield spec.document.problem(
                (*path, index),
                f"no source is called '{source}'",
                did_you_mean(source, spec.sources),
            )


def _wordnets(spec: Spec, plan: Plan) -> Iterator[Problem]:
    path = ("lexicon", "wordnets")
    unknown = False
    for index, wordnet in enumerate(plan.wordnets):
        for position, language in enumerate(wordnet.languages):
            if language not in spec.languages:
                yield spec.document.problem(
                    (*path, index, "languages", position),
                    f"'{language}' is not a language of the spec",
                    did_you_mean(language, spec.languages),
                )
        if wordnet.license not in LICENCES:
            unknown = True
            yield spec.document.problem(
                (*path, index, "license"),
                f"'{wordnet.license}' is not a licence whose compatibility is known",
                did_you_mean(wordnet.license, LICENCES),
            )
    for language in spec.languages:
        if not any(language in wordnet.languages for wordnet in plan.wordnets):
            yield spec.document.problem(
                path,
                f"no wordnet is named for '{language}'",
                "say whose glosses these are, and under which licence",
            )
    if unknown or not plan.wordnets:
        return
    try:
        laxest, allowed = merge_licences([(each.name, each.license) for each in plan.wordnets])
    except IncompatibleLicences as error:
        yield spec.document.problem(path, str(error))
        return
    if spec.license not in allowed:
        strictest = next(
            each
            for each in plan.wordnets
            if not {spec.license} & merge_licences([("", each.license)])[1]
        )
        yield spec.document.problem(
            ("license",),
            f"'{spec.license}' is not a licence that '{strictest.name}' "
            f"({name_of(strictest.license)}) allows",
            f"the laxest that all wordnets allow is {laxest}",
        )


def _relations(spec: Spec, plan: Plan) -> Iterator[Problem]:
    owner: dict[str, str] = {}
    for relation in plan.relations:
        path = ("relations", relation.name)
        section = cast("_Section", cast("_Section", _data(spec)["relations"])[relation.name])
        if section.get("inverse") == relation.label:
            yield spec.document.problem(
                (*path, "inverse"),
                "the inverse is the label itself",
                "leave `inverse` out: that makes the relation symmetric",
            )
        for label in dict.fromkeys((relation.label, relation.inverse)):
            other = owner.setdefault(label, relation.name)
            if other != relation.name:
                key = "label" if label == relation.label else "inverse"
                yield spec.document.problem(
                    (*path, key),
                    f"the label '{label}' is one of the relation '{other}' already",
                    "give each relation labels of its own",
                )
        if not (relation.synset_types or relation.sense_types):
            yield spec.document.problem(
                path, "no relation type is named", "give `synset_types`, `sense_types` or both"
            )
        for key, types in (
            ("synset_types", relation.synset_types),
            ("sense_types", relation.sense_types),
        ):
            for index, name in enumerate(types):
                if name not in _KNOWN_TYPES and not name.startswith("other:"):
                    yield spec.document.problem(
                        (*path, key, index),
                        f"'{name}' is not a relation type of WN-LMF or Cygnet",
                        did_you_mean(name, _KNOWN_TYPES),
                    )


def _filters(spec: Spec, plan: Plan) -> Iterator[Problem]:
    if plan.filters[0].name != "glosses":
        yield spec.document.problem(
            ("filters", 0),
            "the first filter must be `glosses`",
            "the others compare glosses, so that each synset must have one in every language",
        )
    seen: set[str] = set()
    for index, step in enumerate(plan.filters):
        if step.name in seen:
            yield spec.document.problem(
                ("filters", index), f"the filter `{step.name}` is there twice", "keep one of them"
            )
        seen.add(step.name)
        find = step.choices.find if isinstance(step.choices, PartnerLemma) else step.choices
        if isinstance(find, Lexicalisation):
            for position, language in enumerate(find.unaccented):
                if language not in spec.languages:
                    yield spec.document.problem(
                        ("filters", index, "unaccented", position),
                        f"'{language}' is not a language of the spec",
                        did_you_mean(language, spec.languages),
                    )


def _tasks(spec: Spec, plan: Plan) -> Iterator[Problem]:
    """A task's labels must be the relations' labels, and its views must turn them rightly."""
    inverses = plan.inverses
    for name, task in cast("Mapping[str, _Section]", spec.tasks).items():
        path: tuple[str | int, ...] = ("tasks", name)
        answer = cast("_Section", task["answer"])
        if answer["gold"] != "label":
            continue
        offered = cast("_Section", answer["labels"])
        for text, value in offered.items():
            if value not in inverses:
                yield spec.document.problem(
                    (*path, "answer", "labels", text),
                    f"'{value}' is not a label of a relation",
                    did_you_mean(str(value), inverses),
                )
        for missing in (label for label in inverses if label not in offered.values()):
            yield spec.document.problem(
                (*path, "answer", "labels"),
                f"no answer stands for the label '{missing}'",
                "add one: each label of `relations` must be possible to give",
            )
        for index, view in enumerate(cast("list[_Section]", task.get("views", []))):
            yield from _view(spec, (*path, "views", index), view, offered, inverses)


def _view(
    spec: Spec,
    path: tuple[str | int, ...],
    view: _Section,
    offered: _Section,
    inverses: Mapping[str, str],
) -> Iterator[Problem]:
    """A view that exchanges the glosses must exchange each label for its inverse, and no other."""
    swapped = {
        frozenset(cast("list[str]", each)) for each in cast("list[Json]", view.get("swap", []))
    }
    turned = frozenset({"gloss_1", "gloss_2"}) in swapped
    text_of = {cast("str", value): text for text, value in offered.items()}
    given = cast("Mapping[str, str]", view.get("labels", {}))
    for label, inverse in inverses.items():
        text, right = text_of.get(label), text_of.get(inverse if turned else label)
        if text is None or right is None or given.get(text, text) == right:
            continue
        yield spec.document.problem(
            (*path, "labels", text),
            f"{text} ({label}) must become {right} ({offered[right]}) in this view",
            f'write "{text}": "{right}"',
        )


def _data(spec: Spec) -> _Section:
    return cast("_Section", spec.document.data)
