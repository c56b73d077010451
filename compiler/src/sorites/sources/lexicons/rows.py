"""What every adapter reads from its format, and the lexicon that is made of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sorites.characters import shown
from sorites.sources.lexicons.concepts import SynsetRow, gather_concepts
from sorites.sources.lexicons.glosses import GlossRow, gather_glosses
from sorites.sources.lexicons.language_codes import matcher
from sorites.sources.lexicons.lexicon import Lexicon, Wordnet
from sorites.sources.lexicons.policies import Policies
from sorites.sources.lexicons.words import WordRow

__all__ = ["LexiconRows", "build_lexicon"]


@dataclass(frozen=True, slots=True)
class LexiconRows:
    """The rows of a source, in its order; synsets are known by the keys that it gives them.

    ``words`` gives those of a set of synsets. ``synset_relations`` and ``sense_relations`` are
    (type, key of the source synset, key of the target synset).
    """

    synsets: Iterable[SynsetRow]
    glosses: Iterable[GlossRow]
    words: Callable[[frozenset[int]], Iterable[WordRow]]
    synset_relations: Iterable[tuple[str, int, int]]
    sense_relations: Iterable[tuple[str, int, int]]
    wordnets: Sequence[Wordnet] = field(default=())


def build_lexicon(
    rows: LexiconRows, languages: Sequence[str], policies: Policies, *, where: str
) -> Lexicon:
    """Check and index rows; ``where`` (the file) starts every message.

    Raises SourceError for a language without glosses, and for what the policies refuse.
    """
    concepts = gather_concepts(rows.synsets, policies, where=where)
    glosses = gather_glosses(rows.glosses, concepts, languages, policies.glosses, where=where)
    everywhere = frozenset.intersection(*map(frozenset, glosses.by_language.values()))
    wanted = frozenset(key for key, concept in concepts.ids.items() if concept in everywhere)
    lemmas, forms = _words(rows.words(wanted), languages, concepts.ids)
    match = matcher(languages)
    return Lexicon(
        pos=concepts.pos,
        glosses=glosses.by_language,
        lemmas=lemmas,
        forms=forms,
        synset_relations=_by_type(rows.synset_relations, concepts.ids),
        sense_relations=_by_type(rows.sense_relations, concepts.ids),
        wordnets=tuple(each for each in rows.wordnets if match(each.language) is not None),
        synsets_without_ili=concepts.without_ili,
        pos_conflicts=concepts.pos_conflicts,
        repeated_glosses=glosses.repeated,
        repeated_ilis=concepts.repeated,
        other_glosses=glosses.others,
        secondary_glosses=glosses.secondary,
        cleaned_glosses=glosses.cleaned,
    )


_Words: TypeAlias = "dict[str, dict[str, tuple[str, ...]]]"


def _words(
    rows: Iterable[WordRow], languages: Sequence[str], concepts: Mapping[int, str]
) -> tuple[_Words, _Words]:
    match = matcher(languages)
    lemmas, forms = (
        {language: defaultdict[str, dict[str, None]](dict) for language in languages}
        for _ in range(2)
    )
    for synset, language, form, is_lemma in rows:
        matched = match(language)
        word = shown(form)
        if matched is not None and word.strip():
            words = lemmas if is_lemma else forms
            words[matched.language][concepts[synset]][word] = None
    return _as_tuples(lemmas), _as_tuples(forms)


def _as_tuples(words: Mapping[str, Mapping[str, Iterable[str]]]) -> _Words:
    return {
        language: {ili: tuple(its_words) for ili, its_words in by_ili.items()}
        for language, by_ili in words.items()
    }


def _by_type(
    rows: Iterable[tuple[str, int, int]], concepts: Mapping[int, str]
) -> dict[str, frozenset[tuple[str, str]]]:
    related: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for name, source, target in rows:
        first, second = concepts.get(source), concepts.get(target)
        if first is not None and second is not None:
            related[name].add((first, second))
    return {name: frozenset(pairs) for name, pairs in related.items()}
