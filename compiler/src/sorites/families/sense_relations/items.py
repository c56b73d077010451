"""Sense pairs → rows: a pair of glosses for each ordered pair of languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

import pyarrow as pa

from sorites.families.sense_relations.leaks import first_word_in
from sorites.families.sense_relations.pairs import SensePair
from sorites.families.sense_relations.plan import Lexicalisation
from sorites.release.content import Column, schema_of
from sorites.sources.lexicons.lexicon import Lexicon

__all__ = ["COLUMNS", "PARTNER", "pair_table"]

COLUMNS: tuple[Column, ...] = (
    Column("id", pa.string(), "Name of the item: its pair and its two languages."),
    Column("pair_id", pa.string(), "Name of the sense pair; the same in all languages."),
    Column("relation", pa.string(), "The relation between the two senses, whatever their order."),
    Column("label", pa.string(), "How sense 2 is related to sense 1."),
    Column("types", pa.list_(pa.string()), "The lexicon's relation types that state the relation."),
    Column("pos", pa.string(), "Part of speech of both senses; of each, if they differ."),
    Column("ili_1", pa.string(), "Sense 1 in the Collaborative Interlingual Index, or its synset."),
    Column("ili_2", pa.string(), "Sense 2 in the Collaborative Interlingual Index, or its synset."),
    Column("language_1", pa.string(), "Language of gloss 1, as the lexicon writes its code."),
    Column("language_2", pa.string(), "Language of gloss 2, as the lexicon writes its code."),
    Column("gloss_1", pa.string(), "Definition of sense 1, as its wordnet has it."),
    Column("gloss_2", pa.string(), "Definition of sense 2, as its wordnet has it."),
    Column("lemmas_1", pa.list_(pa.string()), "Words for sense 1 in its language; may be empty."),
    Column("lemmas_2", pa.list_(pa.string()), "Words for sense 2 in its language; may be empty."),
    Column(
        "partner_1",
        pa.string(),
        "A word for sense 2, in language 1, that gloss 1 holds, or nothing.",
    ),
    Column(
        "partner_2",
        pa.string(),
        "A word for sense 1, in language 2, that gloss 2 holds, or nothing.",
    ),
)
"""The columns of the items and of the exemplars."""

PARTNER = Lexicalisation(match="word", case="language")
"""How the columns ``partner_1`` and ``partner_2`` look for a word: a lemma, as a whole word."""


def pair_table(pairs: Sequence[SensePair], lexicon: Lexicon, languages: Sequence[str]) -> pa.Table:
    """One row for each pair and ordered pair of languages, in that order.

    Columns are ``COLUMNS``; a table of n pairs and k languages has n·k² rows.
    """
    rows = [(pair, one, two) for pair in pairs for one, two in product(languages, repeat=2)]
    cells = _cells(lexicon)
    # One column at a time: the cells of all are several times the table.
    return pa.table(
        [
            pa.array([cells[column.name](*row) for row in rows], type=column.type)
            for column in COLUMNS
        ],
        schema=schema_of(COLUMNS),
    )


def _cells(lexicon: Lexicon) -> dict[str, Callable[[SensePair, str, str], str | tuple[str, ...]]]:
    """From the name of a column to its cell for a pair and its two languages."""
    pos, glosses, lemmas = lexicon.pos, lexicon.glosses, lexicon.lemmas

    @cache
    def held(ili: str, partner: str, language: str) -> str:
        words = lemmas[language].get(partner, ())
        return first_word_in(glosses[language][ili], words, language, PARTNER) or ""

    return {
        "id": lambda pair, one, two: f"{pair.id}-{one}-{two}",
        "pair_id": lambda pair, one, two: pair.id,
        "relation": lambda pair, one, two: pair.relation,
        "label": lambda pair, one, two: pair.label,
        "types": lambda pair, one, two: pair.types,
        "pos": lambda pair, one, two: "-".join(dict.fromkeys((pos[pair.first], pos[pair.second]))),
        "ili_1": lambda pair, one, two: pair.first,
        "ili_2": lambda pair, one, two: pair.second,
        "language_1": lambda pair, one, two: one,
        "language_2": lambda pair, one, two: two,
        "gloss_1": lambda pair, one, two: glosses[one][pair.first],
        "gloss_2": lambda pair, one, two: glosses[two][pair.second],
        "lemmas_1": lambda pair, one, two: lemmas[one].get(pair.first, ()),
        "lemmas_2": lambda pair, one, two: lemmas[two].get(pair.second, ()),
        "partner_1": lambda pair, one, two: held(pair.first, pair.second, one),
        "partner_2": lambda pair, one, two: held(pair.second, pair.first, two),
    }
