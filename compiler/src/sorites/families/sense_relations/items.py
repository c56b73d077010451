"""Sense pairs → rows: a pair of glosses for each ordered pair of languages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
    k = len(languages)
    pair = np.repeat(np.arange(len(pairs)), k * k)
    first = np.tile(np.repeat(np.arange(k), k), len(pairs))
    second = np.tile(np.arange(k), len(pairs) * k)
    # Each cell is made once, and stands in every row that it is of.
    columns = {name: (cells, pair) for name, cells in _of_pairs(pairs, lexicon).items()}
    columns |= {"language_1": (languages, first), "language_2": (languages, second)}
    for name, cells in _of_glosses(pairs, lexicon, languages).items():
        columns[name] = cells, pair * k + (first if name.endswith("_1") else second)
    types = {column.name: column.type for column in COLUMNS}
    table = {
        name: pa.array(cells, type=types[name]).take(pa.array(places))
        for name, (cells, places) in columns.items()
    }
    named = (table["pair_id"], table["language_1"], table["language_2"])
    table["id"] = pc.binary_join_element_wise(*named, "-")
    return pa.table([table[column.name] for column in COLUMNS], schema=schema_of(COLUMNS))


def _of_pairs(pairs: Sequence[SensePair], lexicon: Lexicon) -> dict[str, Sequence[object]]:
    """Cells that are the same in all rows of a pair, by column."""
    pos = lexicon.pos
    return {
        "pair_id": [pair.id for pair in pairs],
        "relation": [pair.relation for pair in pairs],
        "label": [pair.label for pair in pairs],
        "types": [pair.types for pair in pairs],
        "pos": ["-".join(dict.fromkeys((pos[pair.first], pos[pair.second]))) for pair in pairs],
        "ili_1": [pair.first for pair in pairs],
        "ili_2": [pair.second for pair in pairs],
    }


def _of_glosses(
    pairs: Sequence[SensePair], lexicon: Lexicon, languages: Sequence[str]
) -> dict[str, Sequence[object]]:
    """Cells of one sense in one language, by column: of each pair, of each language."""
    found: dict[str, Sequence[object]] = {}
    for number in (1, 2):
        glosses: list[str] = []
        lemmas: list[Sequence[str]] = []
        held: list[str] = []
        for pair, language in product(pairs, languages):
            own, partner = (pair.first, pair.second) if number == 1 else (pair.second, pair.first)
            words = lexicon.lemmas[language]
            gloss = lexicon.glosses[language][own]
            glosses.append(gloss)
            lemmas.append(words.get(own, ()))
            held.append(first_word_in(gloss, words.get(partner, ()), language, PARTNER) or "")
        found[f"gloss_{number}"] = glosses
        found[f"lemmas_{number}"] = lemmas
        found[f"partner_{number}"] = held
    return found
