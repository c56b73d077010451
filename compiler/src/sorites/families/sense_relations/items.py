"""Sense pairs → rows: a pair of glosses for each ordered pair of languages."""

from __future__ import annotations

from collections.abc import Sequence
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
    cells: dict[str, list[str | tuple[str, ...]]] = {column.name: [] for column in COLUMNS}
    orders = list(product(languages, repeat=2))
    for pair in pairs:
        parts = dict.fromkeys((lexicon.pos[pair.first], lexicon.pos[pair.second]))
        held = {
            (ili, language): first_word_in(
                lexicon.glosses[language][ili],
                lexicon.lemmas[language].get(partner, ()),
                language,
                PARTNER,
            )
            for ili, partner in ((pair.first, pair.second), (pair.second, pair.first))
            for language in languages
        }
        for language_1, language_2 in orders:
            row: dict[str, str | tuple[str, ...]] = {
                "id": f"{pair.id}-{language_1}-{language_2}",
                "pair_id": pair.id,
                "relation": pair.relation,
                "label": pair.label,
                "types": pair.types,
                "pos": "-".join(parts),
                "ili_1": pair.first,
                "ili_2": pair.second,
                "language_1": language_1,
                "language_2": language_2,
                "gloss_1": lexicon.glosses[language_1][pair.first],
                "gloss_2": lexicon.glosses[language_2][pair.second],
                "lemmas_1": lexicon.lemmas[language_1].get(pair.first, ()),
                "lemmas_2": lexicon.lemmas[language_2].get(pair.second, ()),
                "partner_1": held[pair.first, language_1] or "",
                "partner_2": held[pair.second, language_2] or "",
            }
            for name, cell in row.items():
                cells[name].append(cell)
    return pa.table(cells, schema=schema_of(COLUMNS))
