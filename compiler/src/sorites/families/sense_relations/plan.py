"""The sections of a spec that only this kind has, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from sorites.canonical import Json
from sorites.sources.lexicons.policies import Policies, Policy

__all__ = [
    "Direction",
    "Filter",
    "Identical",
    "Length",
    "Lexicalisation",
    "PartnerLemma",
    "Plan",
    "Relation",
    "SourceWordnet",
    "read_plan",
]

Direction: TypeAlias = Literal["forward", "backward", "both"]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of the benchmark: what the lexicon calls it and what its labels are.

    A pair (A, B) has ``label`` if the lexicon says that A has a relation of one of the types to
    B, in WN-LMF's reading: B is the hypernym, the whole, the effect. (B, A) has ``inverse``,
    which is ``label`` again for a symmetric relation. ``direction`` is the order that becomes an
    item. Relations between senses (``sense_types``) are lifted to the senses' synsets.
    """

    name: str
    label: str
    inverse: str
    synset_types: tuple[str, ...]
    sense_types: tuple[str, ...]
    direction: Direction

    @property
    def symmetric(self) -> bool:
        """Whether both orders of a pair have the same label."""
        return self.label == self.inverse


@dataclass(frozen=True, slots=True)
class Identical:
    """Drops pairs whose two glosses are the same, in any or in all of the languages.

    ``compare``: as strings, or with case, marks and final punctuation folded.
    """

    languages: Literal["any", "all"] = "any"
    compare: Literal["exact", "folded"] = "exact"


@dataclass(frozen=True, slots=True)
class Lexicalisation:
    """Drops pairs with a synset whose gloss contains one of its own words.

    ``words``: the lemmas, or every form; ``match``: anywhere, or as a whole word; ``case``:
    Unicode's case folding, the language's own (Turkish I is ı), or none; ``unaccented``: the
    languages whose accents are set aside; ``languages``: in any or in all of them.
    """

    words: Literal["lemmas", "forms"] = "lemmas"
    match: Literal["substring", "word"] = "substring"
    case: Literal["fold", "language", "keep"] = "fold"
    unaccented: tuple[str, ...] = ()
    languages: Literal["any", "all"] = "any"


@dataclass(frozen=True, slots=True)
class PartnerLemma:
    """Drops pairs with a gloss that contains a word of the other synset, found as ``find`` says.

    That the words of related senses stand in each other's definitions is a cue to the relation
    which a reader needs no knowledge of the senses for.
    """

    find: Lexicalisation


@dataclass(frozen=True, slots=True)
class Length:
    """Drops pairs with a gloss of fewer characters than ``characters`` in any language."""

    characters: int


@dataclass(frozen=True, slots=True)
class Filter:
    """One step of the cascade: its name in the spec, and its choices if it has any."""

    name: Literal[
        "glosses",
        "identical-glosses",
        "lexicalisation",
        "partner-lemma",
        "part-of-speech",
        "length",
        "one-relation",
    ]
    choices: Identical | Lexicalisation | PartnerLemma | Length | None = None


@dataclass(frozen=True, slots=True)
class SourceWordnet:
    """A wordnet that the lexicon holds, its languages here and the licence of its glosses."""

    name: str
    languages: tuple[str, ...]
    license: str
    url: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that this kind's own sections say.

    ``exemplars`` is how many sense pairs each label gets; ``nominal_heads`` asks Stanza for the
    share of glosses with a nominal head.
    """

    format: Literal["cygnet", "wn-lmf"]
    sources: tuple[str, ...]
    policies: Policies
    wordnets: tuple[SourceWordnet, ...]
    relations: tuple[Relation, ...]
    filters: tuple[Filter, ...]
    exemplars: int
    nominal_heads: bool

    @property
    def inverses(self) -> dict[str, str]:
        """Label to the label of the same pair in the other order."""
        forward = {each.label: each.inverse for each in self.relations}
        return forward | {each.inverse: each.label for each in self.relations}


_Section: TypeAlias = Mapping[str, Json]


def read_plan(data: _Section) -> Plan:
    """Read the sections of a document that the JSON Schema has found valid."""
    lexicon = cast("_Section", data["lexicon"])
    exemplars = cast("_Section", data.get("exemplars", {}))
    statistics = cast("_Section", data.get("statistics", {}))
    return Plan(
        format=cast("Literal['cygnet', 'wn-lmf']", lexicon["format"]),
        sources=_strings(lexicon["sources"]),
        policies=_policies(lexicon),
        wordnets=tuple(_wordnet(each) for each in cast("list[_Section]", lexicon["wordnets"])),
        relations=tuple(
            _relation(name, section)
            for name, section in cast("Mapping[str, _Section]", data["relations"]).items()
        ),
        filters=tuple(_filter(each) for each in cast("list[_Section]", data["filters"])),
        exemplars=cast("int", exemplars.get("each_label", 1)),
        nominal_heads=cast("bool", statistics.get("nominal_heads", False)),
    )


def _policies(section: _Section) -> Policies:
    usual = Policies()
    return Policies(
        glosses=cast("Policy", section.get("glosses", usual.glosses)),
        ilis=cast("Policy", section.get("ilis", usual.ilis)),
        without_ili=cast(
            "Literal['leave-out', 'keep']", section.get("without_ili", usual.without_ili)
        ),
    )


def _wordnet(section: _Section) -> SourceWordnet:
    return SourceWordnet(
        name=cast("str", section["name"]),
        languages=_strings(section["languages"]),
        license=cast("str", section["license"]),
        url=cast("str", section.get("url", "")),
    )


def _relation(name: str, section: _Section) -> Relation:
    label = cast("str", section["label"])
    return Relation(
        name=name,
        label=label,
        inverse=cast("str", section.get("inverse", label)),
        synset_types=_strings(section.get("synset_types", [])),
        sense_types=_strings(section.get("sense_types", [])),
        direction=cast("Direction", section.get("direction", "forward")),
    )


def _filter(section: _Section) -> Filter:
    choices = {key: value for key, value in section.items() if key != "filter"}
    match section["filter"]:
        case "identical-glosses":
            return Filter(
                "identical-glosses",
                Identical(
                    cast("Literal['any', 'all']", choices.get("languages", "any")),
                    cast("Literal['exact', 'folded']", choices.get("compare", "exact")),
                ),
            )
        case "lexicalisation":
            return Filter("lexicalisation", _lexicalisation(choices))
        case "partner-lemma":
            return Filter("partner-lemma", PartnerLemma(_lexicalisation(choices, match="word")))
        case "length":
            return Filter("length", Length(cast("int", choices["characters"])))
        case "glosses" | "part-of-speech" | "one-relation" as name:
            return Filter(name)
        case other:
            raise ValueError(f"the schema let an unknown filter pass: {other}")


def _lexicalisation(
    choices: _Section, match: Literal["substring", "word"] = "substring"
) -> Lexicalisation:
    usual = Lexicalisation(match=match)
    return Lexicalisation(
        words=cast("Literal['lemmas', 'forms']", choices.get("words", usual.words)),
        match=cast("Literal['substring', 'word']", choices.get("match", usual.match)),
        case=cast("Literal['fold', 'language', 'keep']", choices.get("case", usual.case)),
        unaccented=_strings(choices.get("unaccented", [])),
        languages=cast("Literal['any', 'all']", choices.get("languages", usual.languages)),
    )


def _strings(value: Json) -> tuple[str, ...]:
    return tuple(cast("list[str]", value))
