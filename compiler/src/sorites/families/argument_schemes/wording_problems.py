"""Whether the sentences of a spec say one thing each, and what their formulas say."""

from __future__ import annotations

from collections.abc import Iterator

from sorites.characters import fold
from sorites.errors import Problem
from sorites.families.argument_schemes.english import EnglishReader
from sorites.families.argument_schemes.words import ASSERTED, DENIED, Words
from sorites.logic.formulas import Formula, negation, rename
from sorites.logic.sentence_templates import MAIN, Forms, Phrase, Saying, Template, in_form
from sorites.specfile.reader import Document, DocumentPath

__all__ = ["wording_problems"]

_BARE = Phrase("", "")


def wording_problems(words: Words, document: Document) -> list[Problem]:
    """Two shapes with one wording, phrases that do not deny, and texts that say something else."""
    return [
        *_naming_problems(words, document),
        *_missing_clauses(words, document),
        *_alike(words, document),
        *_read_in_english(words, document),
    ]


def _naming_problems(words: Words, document: Document) -> Iterator[Problem]:
    classes = {fold(text) for text in words.vocabulary.classes.values()}
    for text in words.vocabulary.individuals.values():
        if fold(text) in classes:
            yield document.problem(
                ("vocabulary", "individual"),
                "a class and an individual of one name would be called alike",
                'add what tells them apart, such as gene {name} and the pathway "{name}"',
            )
            return


def _missing_clauses(words: Words, document: Document) -> Iterator[Problem]:
    wanted = {phrase.clause for phrase in words.phrases.values()}
    for saying, name, clauses in _wordings(words):
        for clause in sorted(wanted - clauses.keys()):
            yield document.problem(
                words.places[saying.formula.shape, name],
                f"the text has no form {clause}, which a phrase before conclusions asks for",
                f"write {{{MAIN}: …, {clause}: …}}",
            )


def _alike(words: Words, document: Document) -> Iterator[Problem]:
    """Sentences that look the same and say something else, over all names that they could have."""
    asserted, denied = (words.phrases[key] for key in (ASSERTED, DENIED))
    if _folded(asserted) == _folded(denied):
        yield document.problem(
            ("vocabulary", DENIED),
            "the phrase reads as the one that asserts: nobody could tell them apart",
            "a phrase that denies is, for example, it is false that {sentence}",
        )
        return
    seen: dict[str, tuple[Formula, DocumentPath]] = {}
    for phrases in ([_BARE], [asserted, denied]):
        seen.clear()
        for saying, name, clauses in _wordings(words):
            place = words.places[saying.formula.shape, name]
            for phrase in phrases:
                template = clauses.get(phrase.clause)
                if template is None:
                    continue
                skeleton, formula = _skeleton(saying, template, words, phrase)
                said = negation(formula) if phrase is denied else formula
                other = seen.setdefault(skeleton, (said, place))
                if other[0] != said and other[1] != place:
                    yield document.problem(
                        place,
                        f"the text for {saying.formula} reads like that of another formula:"
                        f' "{phrase.around(_shown(saying, template))}"',
                        "two shapes need two wordings",
                    )
                    break


def _folded(phrase: Phrase) -> tuple[str, str]:
    return fold(phrase.before), fold(phrase.after)


def _skeleton(
    saying: Saying, template: Template, words: Words, phrase: Phrase
) -> tuple[str, Formula]:
    """A sentence with numbers for names, and its formula over the numbers."""
    symbols = saying.formula.symbols
    order = [*symbols.predicates, *symbols.individuals]
    numbers: dict[int, int] = {}
    text = ""
    for literal, index, form in template.parts:
        text += fold(literal)
        if index < 0:
            continue
        called: Forms = (
            words.vocabulary.classes
            if index < len(symbols.predicates)
            else words.vocabulary.individuals
        )
        number = numbers.setdefault(index, len(numbers))
        kind = "c" if index < len(symbols.predicates) else "i"
        text += fold(in_form(called, form)).replace("{name}", f"\x00{kind}{number}\x00")
    new = {
        order[index]: f"Q{number}" if index < len(symbols.predicates) else f"q{number}"
        for index, number in numbers.items()
    }
    return fold(phrase.before) + text + fold(phrase.after), rename(saying.formula, new)


def _shown(saying: Saying, template: Template) -> str:
    symbols = saying.formula.symbols
    order = [*symbols.predicates, *symbols.individuals]
    return "".join(
        literal if index < 0 else f"{literal}{{{order[index]}}}"
        for literal, index, _ in template.parts
    )


def _read_in_english(words: Words, document: Document) -> Iterator[Problem]:
    reader = EnglishReader(words)
    for key in (ASSERTED, DENIED):
        if fault := reader.phrase_fault(key):
            yield document.problem(
                ("vocabulary", key),
                fault,
                "reword it, or give {text: …, gloss: …} with a gloss that a person has reviewed",
            )
    for saying, name, _ in _wordings(words):
        if fault := reader.template_fault(saying, name):
            yield document.problem(
                words.places[saying.formula.shape, name],
                fault,
                "reword it, or add a gloss that a person has reviewed: what it says in English,"
                " such as every thing in {F} is in {G}",
            )


def _wordings(words: Words) -> Iterator[tuple[Saying, str, dict[str, Template]]]:
    for saying in words.templates.by_shape.values():
        for wording in saying.wordings:
            yield saying, wording.name, dict(wording.clauses)
