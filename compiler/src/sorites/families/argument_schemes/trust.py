"""For the card: the templates with their formulas, which nothing but a reader can vouch for."""

from __future__ import annotations

from sorites.families.argument_schemes.words import ASSERTED, DENIED, Words
from sorites.logic.sentence_templates import MAIN, Template
from sorites.release.describe.markdown import code, escape, table

__all__ = ["TRUSTED", "templates_table"]

TRUSTED = """\
Proofs are about formulas, and readers see words. `sorites verify` reads every sentence back to
its formula by these templates and the names of the item, so each sentence says one thing; that a
text says what its formula says is checked by a grammar of English function words, which reads the
text itself or, where there is one, the gloss that a person has reviewed. What must be trusted is
this table, and that names in the ontology mean what readers take them to mean."""


def templates_table(words: Words) -> str:
    """Each formula and its texts: every wording, every form of the clause, and its gloss."""
    rows = []
    for saying in words.templates.by_shape.values():
        symbols = saying.formula.symbols
        order = [*symbols.predicates, *symbols.individuals]
        for wording in saying.wordings:
            for clause, template in wording.clauses.items():
                rows.append(
                    [
                        code(str(saying.formula)),
                        escape(_shown(template, order)),
                        escape(wording.name if clause == MAIN else f"{wording.name}, {clause}"),
                        escape(words.glosses.get((saying.formula.shape, wording.name), "")),
                    ]
                )
    for key in (ASSERTED, DENIED):
        phrase = words.phrases[key]
        shown = phrase.around(
            "{sentence}" if phrase.clause == MAIN else f"{{sentence:{phrase.clause}}}"
        )
        rows.append([f"({key})", escape(shown), "", escape(words.glosses.get(("", key), ""))])
    columns = ["Formula", "Text", "Wording", "Gloss"]
    if not words.glosses:
        rows = [row[:3] for row in rows]
        columns = columns[:3]
    return f"{TRUSTED}\n\n{table(columns, rows)}"


def _shown(template: Template, order: list[str]) -> str:
    text = ""
    for literal, index, form in template.parts:
        text += literal
        if index >= 0:
            text += f"{{{order[index]}:{form}}}" if form else f"{{{order[index]}}}"
    return text
