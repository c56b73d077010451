"""Rows and certificates spoilt in five ways, and what an independent prover says of the outcome.

A spoilt row or certificate is either refused by check.py, or harmless: then the label is what Z3
proves from the row's words (or what the lexicon says of the concepts), as if nothing had happened.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sorites.release.certificates import check

__all__ = ["KINDS", "Spoilt", "accepted", "spoil"]

KINDS = ("literal flipped", "clause dropped", "atom added", "label turned", "word changed")

Row = dict[str, Any]


@dataclass(frozen=True)
class Spoilt:
    """A row with its certificate, one of the two changed; ``key`` is the certificate's."""

    config: str
    row: Row
    key: tuple[str | None, str]
    own: Row
    shared: Row | None


Way = Callable[[Spoilt, random.Random, Mapping[str, Any]], Spoilt | None]


def accepted(release: check.Release, spoilt: Spoilt) -> bool:
    """Whether check.py takes the row with that certificate."""
    kept, shared = release.own.get(spoilt.key), dict(release.shared)
    release.own[spoilt.key] = spoilt.own
    if spoilt.shared is not None:
        release.shared[spoilt.shared["key"]] = spoilt.shared
    ways = {"argument-schemes": release.argument, "veridicality": release.verb}
    way = ways.get(release.manifest["kind"], release.pair)
    try:
        way(spoilt.config, spoilt.row)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    finally:
        release.shared = shared
        if kept is None:
            del release.own[spoilt.key]
        else:
            release.own[spoilt.key] = kept
    return True


def spoil(
    kind: str, whole: Spoilt, chance: random.Random, words: Mapping[str, Any]
) -> Spoilt | None:
    """A copy with one thing changed; None where there is no such thing in it."""
    changed = copy.deepcopy(whole)
    return _WAYS[kind](changed, chance, words)


def _models(own: Row) -> list[tuple[str, int]]:
    places = [(name, -1) for name in ("model_true", "model_false") if own[name]]
    return places + [("needed", number) for number in range(len(own["needed"] or ()))]


def _edit_model(whole: Spoilt, chance: random.Random, edit: Callable[[list[str]], object]) -> bool:
    places = _models(whole.own)
    if not places:
        return False
    name, number = chance.choice(places)
    text = whole.own[name] if number < 0 else whole.own[name][number]
    everybody, _, facts = text.partition(":")
    atoms = facts.split()
    edit(atoms)
    changed = f"{everybody}:{''.join(f' {atom}' for atom in atoms)}"
    if number < 0:
        whole.own[name] = changed
    else:
        whole.own[name][number] = changed
    return changed != text


def _flip_literal(whole: Spoilt, chance: random.Random, words: Mapping[str, Any]) -> Spoilt | None:
    """A literal of the conclusion, of the refutation, or of a model: true for false."""
    if whole.own["source"] is not None:
        number = chance.randrange(len(whole.own["source"]))
        kind, one, two = whole.own["source"][number].rsplit(" ", 2)
        whole.own["source"][number] = f"{kind} {two} {one}"
        if chance.random() < 0.7:
            row = whole.row
            for name in ("ili", "gloss", "language", "lemmas"):
                row[f"{name}_1"], row[f"{name}_2"] = row[f"{name}_2"], row[f"{name}_1"]
        return whole
    if chance.random() < 0.7 and (flipped := _other_phrase(whole, words)):
        return flipped
    if whole.shared is not None and chance.random() < 0.5:
        number = chance.randrange(len(whole.shared["formulas"]))
        formula = whole.shared["formulas"][number]
        place = chance.choice([found.start() for found in re.finditer(r"\w+\(", formula)])
        whole.shared["formulas"][number] = f"{formula[:place]}-{formula[place:]}"
        return whole

    def flip(atoms: list[str]) -> None:
        if atoms:
            del atoms[chance.randrange(len(atoms))]

    return whole if _edit_model(whole, chance, flip) else None


def _other_phrase(whole: Spoilt, words: Mapping[str, Any]) -> Spoilt | None:
    """The conclusion denied where it was asserted, in words and as a formula; the rest stays."""
    row = whole.row
    if "conclusion" not in row:
        opposite = words["opposites"].get((row["tense"], row["hypothesis_formula"]))
        if opposite is None:
            return None
        row["hypothesis"], row["hypothesis_formula"] = opposite
        return whole
    asserted, denied = words["phrases"]
    old, new = (asserted, denied) if row["polarity"] == "asserted" else (denied, asserted)
    if not row["conclusion"].startswith(old):
        return None
    row["conclusion"] = new + row["conclusion"][len(old) :]
    formula = row["conclusion_formula"]
    row["conclusion_formula"] = formula[1:] if row["polarity"] == "denied" else f"-{formula}"
    row["polarity"] = "denied" if row["polarity"] == "asserted" else "asserted"
    return whole


def _drop_clause(whole: Spoilt, chance: random.Random, words: Mapping[str, Any]) -> Spoilt | None:
    """A premise, a formula of the refutation, a step of it, or a statement of the source."""
    if whole.own["source"] is not None:
        del whole.own["source"][chance.randrange(len(whole.own["source"]))]
        return whole
    row = whole.row
    if chance.random() < 0.7 and row.get("gold_premises"):
        gone = chance.choice(row["gold_premises"])
        for column in ("premises", "premise_formulas"):
            del row[column][gone - 1]
        gold = [place for place in row["gold_premises"] if place != gone]
        row["gold_premises"] = [place - (place > gone) for place in gold]
        del whole.own["needed"][0]
        return whole
    if chance.random() < 0.7 and row.get("verb"):
        # The verb with its subject: what it is said of stands alone.
        clause = row["premise"].rpartition(" that ")[2] or row["premise"].rpartition(" to ")[2]
        row["premise"] = clause[:1].upper() + clause[1:]
        return whole
    if whole.shared is None:
        return None
    part = whole.shared[chance.choice(["formulas", "clauses"])]
    del part[chance.randrange(len(part))]
    return whole


def _add_atom(whole: Spoilt, chance: random.Random, words: Mapping[str, Any]) -> Spoilt | None:
    """One more atom that is true in a model, or one more statement of the source."""
    if whole.own["source"] is not None:
        ends = [whole.row["ili_1"], whole.row["ili_2"]]
        chance.shuffle(ends)
        said = " ".join((chance.choice(words["types"]), *ends))
        whole.own["source"].append(said)
        return whole
    texts = [*(whole.row.get("premise_formulas") or ()), whole.row.get("premise_formula") or ""]
    texts += [whole.row.get("conclusion_formula") or whole.row.get("hypothesis_formula") or ""]
    predicates = sorted({name for text in texts for name in re.findall(r"(\w+)\(", text)})

    def add(atoms: list[str]) -> None:
        known = [atom for text in texts for atom in re.findall(r"\w+\([\w,]+\)", text)]
        about = {name for atom in atoms for name in re.findall(r"\w+(?=[,)])", atom)} or {"a"}
        found = {f"{name}({who})" for name in predicates for who in about if "," not in known[0]}
        found |= {atom for atom in known if "(x" not in atom}
        if found - {*atoms}:
            atoms.append(chance.choice(sorted(found - {*atoms})))

    return whole if _edit_model(whole, chance, add) else None


def _turn_label(whole: Spoilt, chance: random.Random, words: Mapping[str, Any]) -> Spoilt | None:
    row = whole.row
    if "relation" in row:
        row["label"] = chance.choice([each for each in words["labels"] if each != row["label"]])
        return whole
    others = [v for v in ("entailed", "contradicted", "undetermined") if v != row["verdict"]]
    entailed = row["verdict"] == "entailed"
    verdict = chance.choice(others) if entailed else "entailed"
    # The liar is careful: verdict, key and gold premises go with the label.
    row["verdict"] = verdict
    positive: Any = (True, False) if "conclusion" in row else ("yes", "unk")
    row["label"] = positive[verdict != "entailed"]
    key = whole.key
    if "conclusion" in row:
        row["gold_premises"] = (
            [] if entailed else chance.sample(range(1, len(row["premises"]) + 1), 1)
        )
        key = (key[0], f"{row['argument']} {verdict} {row['polarity']}")
        whole.own["needed"] = None if entailed else [whole.own["model_false"]]
    return Spoilt(whole.config, row, key, whole.own, whole.shared)


def _change_word(whole: Spoilt, chance: random.Random, words: Mapping[str, Any]) -> Spoilt | None:
    """A word of a sentence for another word of the release's sentences."""
    row = whole.row
    column = chance.choice(
        ["premises", "conclusion"]
        if "conclusion" in row
        else ["gloss_1", "gloss_2"]
        if "relation" in row
        else ["premise", "hypothesis"]
    )
    number = chance.randrange(len(row["premises"])) if column == "premises" else -1
    text = row[column][number] if number >= 0 else row[column]
    parts = text.split(" ")
    place = chance.randrange(len(parts))
    other = chance.choice(words["vocabulary"])
    if other.casefold() == parts[place].casefold():
        return None
    parts[place] = other
    if number >= 0:
        row[column][number] = " ".join(parts)
    else:
        row[column] = " ".join(parts)
    return whole


_WAYS: Mapping[str, Way] = {
    "literal flipped": _flip_literal,
    "clause dropped": _drop_clause,
    "atom added": _add_atom,
    "label turned": _turn_label,
    "word changed": _change_word,
}
