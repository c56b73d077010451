"""Aristotle's 24 moods with existential import: each row holds by its words alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from sorites.pipeline import compile_spec, prove_again
from sorites.progress import Silent
from tests.compiler.logic import enumeration
from tests.small_spec import small_spec

MOODS = {
    "A": "all x.({0}(x) -> {1}(x))",
    "E": "all x.({0}(x) -> -{1}(x))",
    "I": "exists x.({0}(x) & {1}(x))",
    "O": "exists x.({0}(x) & -{1}(x))",
}
FIGURES = {"1": ("MP", "SM"), "2": ("PM", "SM"), "3": ("MP", "MS"), "4": ("PM", "MS")}
VALID = (
    "AAA-1", "EAE-1", "AII-1", "EIO-1", "AAI-1", "EAO-1",
    "EAE-2", "AEE-2", "EIO-2", "AOO-2", "EAO-2", "AEO-2",
    "IAI-3", "AII-3", "OAO-3", "EIO-3", "AAI-3", "EAO-3",
    "AEE-4", "IAI-4", "EIO-4", "AAI-4", "AEO-4", "EAO-4",
)  # fmt: skip
ASSUMPTION = "Every pathway named here has at least one gene."
# As the sentences are written, and as a person reads them: not by the compiler's templates. The
# letter of the mood, and which of the two names comes first in the sentence.
READ = {
    r'every gene in the pathway "(.*)" is also in the pathway "(.*)"': "A12",
    r'all genes in the pathway "(.*)" are also in the pathway "(.*)"': "A12",
    r'only genes in the pathway "(.*)" are in the pathway "(.*)"': "A21",
    r'no gene in the pathway "(.*)" is in the pathway "(.*)"': "E12",
    r'all genes in the pathway "(.*)" are outside the pathway "(.*)"': "E12",
    r'only genes outside the pathway "(.*)" are in the pathway "(.*)"': "E21",
    r'some gene in the pathway "(.*)" is also in the pathway "(.*)"': "I12",
    r'at least one gene in the pathway "(.*)" is also in the pathway "(.*)"': "I12",
    r'some gene in the pathway "(.*)" is not in the pathway "(.*)"': "O12",
    r'at least one gene in the pathway "(.*)" is not in the pathway "(.*)"': "O12",
}
WORDINGS = {"every", "all", "only"}


def schemes() -> Iterator[dict[str, Any]]:
    for mood in VALID:
        letters, figure = mood.split("-")
        first, second = FIGURES[figure]
        yield {
            "scheme": mood,
            "variant": "base",
            "premises": [MOODS[letters[0]].format(*first), MOODS[letters[1]].format(*second)],
            "conclusion": MOODS[letters[2]].format("S", "P"),
        }


def read(clause: str, names: dict[str, str]) -> str:
    """A clause as a formula; each name that comes up gets a letter."""
    for pattern, (letter, *order) in READ.items():
        found = re.fullmatch(pattern, clause, flags=re.IGNORECASE)
        if found and '"' not in found[1] + found[2]:
            named = [found[int(place)] for place in order]
            terms = [names.setdefault(name, f"Q{len(names)}") for name in named]
            return MOODS[letter].format(*terms)
    raise AssertionError(clause)


def holds(row: dict[str, Any]) -> bool:
    """Whether the verdict is that of every model of the sentences, and of nothing else."""
    names: dict[str, str] = {}
    premises = [read(text.removesuffix("."), names) for text in row["premises"]]
    said = re.fullmatch(r"It is (true|false) that (.*)\.", row["conclusion"])
    assert said is not None
    conclusion = read(said[2], names)
    if said[1] == "false":
        conclusion = f"-{conclusion}"
    if row["assumptions"] == ASSUMPTION:
        premises += [f"exists x.{name}(x)" for name in names.values()]
    verdict = (
        "entailed"
        if enumeration.entails(premises, conclusion)
        else "contradicted"
        if not enumeration.satisfiable([*premises, conclusion])
        else "undetermined"
    )
    return enumeration.satisfiable(premises) and verdict == row["verdict"]


def test_every_row_of_the_24_moods_holds_by_its_words_and_assumptions(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["schemes"] = [*schemes()]
        data["exemplars"] = []
        data["logic"] = {"existential_import": True, "assumptions": ASSUMPTION}
        data["items"] = {"arguments": 2, "distractors": 2}
        for task in data["tasks"].values():
            task["prompts"].pop("few-shot", None)

    path = small_spec(tmp_path / "spec", change)
    made = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    prove_again(made)
    seen: set[str] = set()
    wordings: set[str] = set()
    needed = False
    for data in sorted((made / "data").glob("*/t*.parquet")):
        for row in pq.read_table(data).to_pylist():
            assert row["assumptions"] == ASSUMPTION
            assert holds(row), row
            seen.add(row["scheme"])
            wordings.add(row["wording"])
            needed = needed or not holds({**row, "assumptions": None})
    assert needed
    assert wordings == WORDINGS
    assert seen == {*VALID}, json.dumps(sorted({*VALID} - seen))
