"""The sample of argument schemes cut down to a few arguments, written anew as a spec."""

from __future__ import annotations

import copy
import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sorites.specfile.reader import read

SAMPLE = Path(__file__).resolve().parent.parent / "specs" / "sample" / "syllobio-nli.yaml"

SCHEMES = (
    ("generalized modus ponens", "base"),
    ("generalized modus tollens", "negation"),
    ("hypothetical syllogism 1", "base"),
    ("disjunctive syllogism", "base"),
)

Change = Callable[[dict[str, Any]], object]


def small_spec(
    folder: Path,
    change: Change | None = None,
    *,
    ontology: Callable[[str], str] | None = None,
    pinned: bool = True,
    schemes: Sequence[tuple[str, str]] = SCHEMES,
) -> Path:
    """Write a spec of four schemes, eight arguments each, and its ontology, into a folder.

    It has no analyses. ``change`` alters the document, ``ontology`` the text of the Turtle file,
    whose checksum is then the right one unless ``pinned`` is false.
    """
    data = copy.deepcopy(read(SAMPLE).data)
    assert isinstance(data, dict)
    data["name"], data["version"] = "small", "1.0.0"
    # The tables and figures of the paper compare what a spec this small does not hold.
    del data["analyses"]
    keys = {*schemes}
    data["schemes"] = [entry for entry in data["schemes"] if _key(entry) in keys]
    data["exemplars"] = [entry for entry in data["exemplars"] if _key(entry) in keys]
    data["items"] = {
        "arguments": 8,
        "distractors": 2,
        "denials": {"arguments": 4, "distractors": [0, 1]},
        "counterfactual": {"arguments": 4, "distractors": [1]},
        "synthetic_names": "LLLLD",
    }
    folder.mkdir(parents=True, exist_ok=True)
    (pin,) = data["sources"].values()
    source = folder / pin["file"]
    shutil.copyfile(SAMPLE.parent / pin["file"], source)
    if ontology is not None:
        text = ontology(source.read_text(encoding="utf-8"))
        source.write_text(text, encoding="utf-8")
        if pinned:
            pin["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    if change is not None:
        change(data)
    path = folder / "small.yaml"
    # JSON is YAML.
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return path


def _key(entry: dict[str, Any]) -> tuple[str, str]:
    return entry["scheme"], entry["variant"]
