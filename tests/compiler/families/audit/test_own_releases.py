"""Our own releases through the same door: no label of them is wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sorites import api
from sorites.families.audit.faults import FaultKind
from tests.compiler.families.audit.specs import audited, write_spec

ARGUMENTS: dict[str, object] = {
    "premises": "premise_formulas",
    "conclusion": "conclusion_formula",
    "words": {"premises": "premises", "conclusion": "conclusion"},
}
VERBS = {"premises": "premise_formula", "conclusion": "hypothesis_formula"}
FOLLOWS = {"true": "entailed", "false": ["contradicted", "undetermined"]}
VERB_LABELS = {"yes": "entailed", "unk": ["contradicted", "undetermined"]}


@pytest.mark.parametrize(
    ("sample", "config", "data", "labels"),
    [
        ("german-syllogisms", "items", ARGUMENTS, FOLLOWS),
        ("veridical-transitivity", "synthetic", VERBS, VERB_LABELS),
        pytest.param("syllobio-nli", "items", ARGUMENTS, FOLLOWS, marks=pytest.mark.slow),
        pytest.param("syllobio-nli", "denials", ARGUMENTS, FOLLOWS, marks=pytest.mark.slow),
        pytest.param("syllobio-nli", "counterfactual", ARGUMENTS, FOLLOWS, marks=pytest.mark.slow),
        pytest.param("verb-environments", "synthetic", VERBS, VERB_LABELS, marks=pytest.mark.slow),
        pytest.param("verb-environments", "control", VERBS, VERB_LABELS, marks=pytest.mark.slow),
    ],
)
def test_no_label_of_ours_is_wrong(
    root: Path,
    tmp_path: Path,
    sample: str,
    config: str,
    data: dict[str, object],
    labels: dict[str, object],
) -> None:
    folder = api.compile(root / "specs" / "sample" / f"{sample}.yaml", tmp_path / "releases")
    files = {}
    for path in (folder / "data" / config).iterdir():
        split = path.name.partition("-")[0]
        files[split] = tmp_path / f"{split}.parquet"
        shutil.copy(path, files[split])
    spec = write_spec(
        tmp_path,
        files,
        reading={"notation": "nltk"},
        data={**data, "format": "parquet"},
        labels=labels,
        # The German sample says that there is some of whatever an argument speaks of.
        universals=["existential" if sample == "german-syllogisms" else "modern"],
    )
    found = audited(spec, files)
    assert found.read == len(found.rows) >= 200
    (agreement,) = found.agreements
    assert (agreement.agree, agreement.differ) == (len(found.rows), 0)
    # An argument may stand there more than once: with other names, wording or tense.
    assert {fault.kind for fault in found.faults} <= {
        FaultKind.DUPLICATE,
        FaultKind.LEAK,
        FaultKind.REDUNDANT,
    }
