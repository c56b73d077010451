"""Arguments with faults planted by a seed: the same in every notation, and what must be found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sorites.families.audit.faults import FaultKind
from sorites.logic.first_order.trees import Node
from sorites.logic.notations.known import NOTATIONS
from sorites.logic.notations.nltk_notation import NLTK
from sorites.logic.notations.parser import read_formula
from sorites.logic.notations.writer import write_formula

# Sound and complete: premises and conclusion over the predicates f, g, h, the relation r and the
# individual a, with the label that holds; no premise follows from the others.
FORMS = [
    (["all x.(F(x) -> G(x))", "all x.(G(x) -> H(x))"], "all x.(F(x) -> H(x))", "entailment"),
    (["all x.(F(x) -> G(x))", "F(A)"], "G(A)", "entailment"),
    (["all x.(F(x) -> exists y.(G(y) & R(x,y)))", "F(A)"], "exists y.R(A,y)", "entailment"),
    (["all x.(F(x) -> -G(x))", "F(A)"], "G(A)", "contradiction"),
    (["all x y.(R(x,y) -> R(y,x))", "R(A,B)"], "-R(B,A)", "contradiction"),
    (["all x.(F(x) | G(x))", "-F(A)"], "-G(A)", "contradiction"),
    (["all x.(F(x) -> G(x))", "G(A)"], "F(A)", "neutral"),
    (["all x.(F(x) -> G(x))", "exists x.G(x)"], "exists x.F(x)", "neutral"),
    (["all x y.(R(x,y) -> R(y,x))", "R(A,B)"], "R(B,B)", "neutral"),
    (["F(A) | G(A)", "F(A) -> H(B)"], "H(B)", "neutral"),
]
LABELS = ("entailment", "neutral", "contradiction")


@dataclass
class Planted:
    """Rows of two splits by notation, and the faults: kind, split and id."""

    rows: dict[str, list[dict[str, object]]] = field(
        default_factory=lambda: {"train": [], "test": []}
    )
    expected: set[tuple[FaultKind, str, str]] = field(default_factory=set)

    def write(self, folder: Path) -> dict[str, Path]:
        """The files of both splits."""
        paths = {}
        for split, rows in self.rows.items():
            paths[split] = folder / f"{split}.jsonl"
            paths[split].write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return paths


class _Maker:
    def __init__(self, notation: str, seed: int) -> None:
        self.notation = NOTATIONS[notation]
        self.random = Random(seed)
        self.made = Planted()
        self.number = 0

    def say(self, formula: str, names: dict[str, str]) -> str:
        """A formula of FORMS with names, in the notation."""
        out, word = "", ""
        for character in formula + " ":
            if character.isalnum() or character == "_":
                word += character
                continue
            out += names.get(word, word) + character
            word = ""
        text = write_formula(self.read(out.strip()), self.notation)
        return self.upper(text) if self.notation.id == "tptp" else text

    @staticmethod
    def read(text: str) -> Node:
        return read_formula(text, NLTK)

    @staticmethod
    def upper(text: str) -> str:
        """Variables as the TPTP has them."""
        for variable in "xy":
            for before in "[(, ":
                for after in "]), ":
                    text = text.replace(
                        f"{before}{variable}{after}", f"{before}{variable.upper()}{after}"
                    )
        return text

    def names(self) -> dict[str, str]:
        """New names for every row, so that no two rows are the same by chance."""
        self.number += 1
        return {
            **{letter: f"pred{letter.lower()}{self.number}" for letter in "FGHR"},
            **{letter: f"ind{letter.lower()}{self.number}" for letter in "AB"},
        }

    def row(self, split: str, **changes: object) -> dict[str, object]:
        premises, conclusion, label = self.random.choice(FORMS)
        names = self.names()
        row: dict[str, object] = {
            "id": f"row{self.number}",
            "premises": [self.say(premise, names) for premise in premises],
            "conclusion": self.say(conclusion, names),
            "label": label,
            **changes,
        }
        self.made.rows[split].append(row)
        return row

    def expect(self, kind: FaultKind, split: str, row: dict[str, object]) -> None:
        self.made.expected.add((kind, split, str(row["id"])))

    def plant(self) -> Iterator[None]:
        """One fault of each kind, in rows of their own."""
        row = self.row("train")
        row["label"] = self.random.choice([each for each in LABELS if each != row["label"]])
        self.expect(FaultKind.WRONG_LABEL, "train", row)
        yield

        names = self.names()
        row = self.row(
            "train",
            premises=[self.say(text, names) for text in ("F(A)", "all x.(F(x) -> G(x))", "-G(A)")],
        )
        self.expect(FaultKind.CONTRADICTORY, "train", row)
        yield

        names = self.names()
        row = self.row(
            "test",
            premises=[self.say(text, names) for text in ("all x.(F(x) -> G(x))", "F(A)", "G(A)")],
            conclusion=self.say("H(A)", names),
            label="neutral",
        )
        self.expect(FaultKind.REDUNDANT, "test", row)
        yield

        first = self.row("train")
        other = self.random.choice([each for each in LABELS if each != first["label"]])
        self.names()
        again = {**first, "id": f"row{self.number}", "label": other}
        again["premises"] = [*reversed(list(first["premises"]))]  # type: ignore[call-overload]
        self.made.rows["train"].append(again)
        self.expect(FaultKind.CONFLICT, "train", again)
        # Of two labels for one argument one is wrong.
        self.expect(FaultKind.WRONG_LABEL, "train", again)
        yield

        first = self.row("train")
        self.names()
        leaked = {**first, "id": f"row{self.number}"}
        self.made.rows["test"].append(leaked)
        self.expect(FaultKind.LEAK, "test", leaked)
        yield

        row = self.row("test")
        row["conclusion"] = str(row["conclusion"]) + " )"
        self.expect(FaultKind.UNREAD, "test", row)
        yield

        names = self.names()
        row = self.row(
            "train",
            premises=[self.say(text, names) for text in ("F(A)", "F(A,B)")],
            conclusion=self.say("F(A) & F(A,B)", names),
            label="entailment",
        )
        self.expect(FaultKind.TWO_ARITIES, "train", row)
        yield


def planted(notation: str, seed: int, sound: int = 30) -> Planted:
    """Sound rows with one fault of each kind strewn among them."""
    maker = _Maker(notation, seed)
    plants = maker.plant()
    for number in range(sound):
        maker.row(maker.random.choice(["train", "test"]))
        if number % 4 == 3:
            next(plants, None)
    for _ in plants:
        pass
    return maker.made
