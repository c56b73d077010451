"""Verbs as a spec lists them, with the forms that they need in its constructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sorites.families.veridicality.clauses.language import Language
from sorites.families.veridicality.clauses.operators import KINDS, words_of
from sorites.families.veridicality.polarity import Sign
from sorites.families.veridicality.reports import Report
from sorites.families.veridicality.verbs import Complement, UnknownForm, Verb, derive_form

__all__ = ["read_verbs"]


def read_verbs(
    entries: Sequence[Mapping[str, Any]], language: Language, needed: set[str], tell: Report
) -> tuple[Verb, ...]:
    """The verbs; ``needed`` names further forms (participle, past_plural) that must be known.

    Told are a form that is missing, a verb that stands twice with one kind of complement, a form
    of two verbs, and a lemma that is a construction of its own: *be known*, *not know*.
    """
    verbs: list[Verb] = []
    owner: dict[str, str] = {}
    for index, entry in enumerate(entries):
        lemma = entry["lemma"]
        path = ("verbs", index)
        _refuse_construction(lemma, language, index, tell)
        forms = _forms(entry, language, needed, index, tell)
        positive, negative = entry["signature"].split("/")
        verb = Verb(
            lemma,
            forms["present"] or "",
            forms["past"] or "",
            Sign(positive),
            Sign(negative),
            {name: float(mean) for name, mean in entry.get("judgements", {}).items()},
            Complement(entry.get("complement", Complement.THAT)),
            forms["participle"],
            forms["present_plural"],
            forms["past_plural"],
            language.marker,
        )
        if verb.name in {known.name for known in verbs}:
            tell((*path, "lemma"), f"{verb.name} stands twice", "leave one out")
        if not (verb.present and verb.past):
            continue
        for form in dict.fromkeys((verb.present, verb.past)):
            if owner.setdefault(form, lemma) != lemma:
                tell(path, f"{form} is a form of both {owner[form]} and {lemma}", "")
        verbs.append(verb)
    return tuple(verbs)


def _forms(
    entry: Mapping[str, Any], language: Language, needed: set[str], index: int, tell: Report
) -> dict[str, str | None]:
    lemma = entry["lemma"]
    forms: dict[str, str | None] = {}
    for name, tag in (("present", "VBZ"), ("past", "VBD"), ("participle", "VBN")):
        wanted = name != "participle" or name in needed
        forms[name] = entry.get(name)
        if forms[name] is None and wanted:
            reason = "its language does not say where forms can be looked up"
            try:
                forms[name] = derive_form(lemma, tag) if language.english else None
            except UnknownForm as error:
                reason = str(error)
            if forms[name] is None:
                message = f"the {name} of {lemma} is missing: {reason}"
                tell(("verbs", index), message, f"add {name}: …")
    forms |= {name: entry.get(name) for name in ("present_plural", "past_plural")}
    if forms["past_plural"] is None and "past_plural" in needed and not language.english:
        message = f"the past_plural of {lemma} is missing, and a subject is in the plural"
        tell(("verbs", index), message, "add past_plural: …")
    return forms


def _refuse_construction(lemma: str, language: Language, index: int, tell: Report) -> None:
    """Refuse what the environments cannot negate or ask, or what is an operator already."""
    first = words_of(lemma)[0]
    words = {word for forms in language.auxiliaries.values() for word in forms.values()}
    if first in words | {*language.auxiliaries}:
        tell(
            ("verbs", index, "lemma"),
            f"'{lemma}' begins with the auxiliary {first}, which is negated and asked otherwise "
            "than a verb",
            "for a passive write the verb by itself, and voices: [passive]",
        )
    for word, kind in language.operators.found(lemma):
        tell(
            ("verbs", index, "lemma"),
            f"'{word}' in '{lemma}' {KINDS[kind]}",
            "write the verb by itself, and its environments",
        )
