"""The definitions of a source → one gloss for each concept and language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sorites.characters import shown
from sorites.errors import SourceError
from sorites.sources.lexicons.concepts import Concepts
from sorites.sources.lexicons.language_codes import base_language, matcher
from sorites.sources.lexicons.policies import MOST_EXAMPLES, Policy, Repeats

__all__ = ["GlossRow", "Glosses", "gather_glosses"]

_SEPARATOR = "; "
_LONGEST_EXAMPLE = 80  # characters of each gloss


class GlossRow(NamedTuple):
    """A definition: the key of its synset, its language, its lexicon's language, its text."""

    synset: int
    language: str
    lexicon_language: str
    text: str


@dataclass(frozen=True, slots=True)
class Glosses:
    """``by_language`` goes from language to concept to gloss; see ``Lexicon`` for the counts."""

    by_language: dict[str, dict[str, str]]
    repeated: Repeats
    others: Mapping[str, int]
    secondary: int
    cleaned: int


def gather_glosses(
    rows: Iterable[GlossRow],
    concepts: Concepts,
    languages: Sequence[str],
    policy: Policy,
    *,
    where: str,
) -> Glosses:
    """Give each concept one gloss in each language that has some for it.

    Characters that hide or reorder text are taken out, and counted: no row has them. A gloss in the
    language itself goes before one in a variant of it, and one of the language's
    own lexicon before one that the lexicon of another language gives. Of several equal ones one
    is taken; what becomes of several different ones the policy says.

    Raises SourceError for a language without glosses, and where the policy is to refuse several.
    """
    standing = _standing(languages)
    found: dict[str, dict[str, str]] = {language: {} for language in languages}
    # Only what is not of the first rank, and not alone, is written down: most glosses are both.
    ranks: dict[tuple[str, str], int] = {}
    several: dict[tuple[str, str], list[str]] = {}
    others: Counter[str] = Counter()
    unlinked: dict[str, set[int]] = {language: set() for language in languages}
    secondary = cleaned = 0
    for synset, marked, lexicon_language, given in rows:
        text = shown(given)
        if not text.strip():
            continue
        wanted = standing(marked, lexicon_language)
        if wanted is None:
            others[marked] += 1
            continue
        language, rank = wanted
        concept = concepts.ids.get(synset)
        if concept is None:
            if synset in concepts.unlinked:
                unlinked[language].add(synset)
            continue
        cleaned += text is not given
        place = language, concept
        present = found[language].setdefault(concept, text)
        if present is text and place not in ranks:
            if rank:
                ranks[place] = rank
            continue
        before = ranks.get(place, 0)
        if rank > before:
            secondary += 1
        elif rank < before:
            secondary += len(several.pop(place, (present,)))
            found[language][concept] = text
            ranks[place] = rank
        elif text not in several.get(place, (present,)):
            several.setdefault(place, [present]).append(text)
            if policy == "refuse":
                raise SourceError(_repeated(place, several[place], where))
    for language in languages:
        if not found[language]:
            raise SourceError(_none(language, found, others, len(unlinked[language]), where))
    if policy == "join":
        for (language, concept), texts in several.items():
            found[language][concept] = _SEPARATOR.join(texts)
    examples = tuple(
        f"{concept} ({language}): {' | '.join(map(_short, texts))}"
        for (language, concept), texts in list(several.items())[:MOST_EXAMPLES]
    )
    repeated = Repeats(len(several), examples)
    return Glosses(found, repeated, dict(sorted(others.items())), secondary, cleaned)


def _standing(languages: Sequence[str]) -> Callable[[str, str], tuple[str, int] | None]:
    """From a gloss's language and its lexicon's to the language asked for and the gloss's rank."""
    match = matcher(languages)

    @cache
    def standing(language: str, lexicon_language: str) -> tuple[str, int] | None:
        matched = match(language)
        if matched is None:
            return None
        foreign = base_language(language) != base_language(lexicon_language)
        return matched.language, 2 * foreign + (not matched.exact)

    return standing


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_EXAMPLE else text[:_LONGEST_EXAMPLE] + "…"


def _repeated(place: tuple[str, str], texts: Sequence[str], where: str) -> str:
    language, concept = place
    return (
        f"{where}: '{concept}' has two glosses in '{language}', '{texts[0]}' and '{texts[1]}'; "
        "set `lexicon.glosses` to first or join, or remove one of the two"
    )


def _none(
    language: str,
    found: Mapping[str, Mapping[str, str]],
    others: Mapping[str, int],
    unlinked: int,
    where: str,
) -> str:
    if unlinked:
        named = f" in '{language}'" if len(found) > 1 else ""
        return (
            f"{where}: {unlinked:,} synsets have glosses{named} but none has an ILI, which links "
            "synsets; for a data set in one language set `lexicon.without_ili` to keep"
        )
    counts = {code: len(texts) for code, texts in found.items() if texts} | dict(others)
    known = ", ".join(f"{code} ({count})" for code, count in sorted(counts.items()))
    return (
        f"{where}: no synset has a gloss in '{language}'; languages with glosses: "
        f"{known or 'none'}; correct `languages`, or add a wordnet of that language"
    )
