"""Our own releases through the same door: no label of them is wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sorites import api
from sorites.families.audit.faults import FaultKind
from tests.compiler.families.audit.specs import audited, write_spec
from tests.samples import compiled

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
    tmp_path_factory: pytest.TempPathFactory,
    sample: str,
    config: str,
    data: dict[str, object],
    labels: dict[str, object],
) -> None:
    folder = compiled(root / "specs" / "sample" / f"{sample}.yaml", tmp_path_factory)
    # The German sample says that there is some of whatever an argument speaks of.
    universal = "existential" if sample == "german-syllogisms" else "modern"
    assert none_is_wrong(folder / "data" / config, tmp_path, data, labels, universal) >= 200


@pytest.mark.slow
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize(
    ("name", "configs", "data", "labels", "least"),
    [
        ("syllobio-nli", ("items", "denials", "counterfactual"), ARGUMENTS, FOLLOWS, 10_000),
        ("veridical-transitivity", ("synthetic",), VERBS, VERB_LABELS, 2_000),
    ],
)
def test_no_label_of_a_whole_release_is_wrong(
    root: Path,
    tmp_path: Path,
    shared_data: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    configs: tuple[str, ...],
    data: dict[str, object],
    labels: dict[str, object],
    least: int,
) -> None:
    monkeypatch.setenv("SORITES_SOURCES", str(shared_data))
    folder = api.compile(root / "specs" / f"{name}.yaml", tmp_path / "releases", workers=2)
    for config in configs:
        place = tmp_path / config
        place.mkdir()
        read = none_is_wrong(folder / "data" / config, place, data, labels, "modern")
        print(f"{name}/{config}: {read:,} rows, none wrong")
        assert read >= least


def none_is_wrong(
    config: Path,
    scratch: Path,
    data: dict[str, object],
    labels: dict[str, object],
    universal: str,
) -> int:
    """Audit a config of a release as if it were another's; how many rows it has, all read."""
    files = {}
    for path in config.iterdir():
        split = path.name.partition("-")[0]
        files[split] = scratch / f"{split}.parquet"
        shutil.copy(path, files[split])
    spec = write_spec(
        scratch,
        files,
        reading={"notation": "nltk"},
        data={**data, "format": "parquet"},
        labels=labels,
        universals=[universal],
    )
    found = audited(spec, files)
    assert found.read == len(found.rows)
    (agreement,) = found.agreements
    assert (agreement.agree, agreement.differ) == (len(found.rows), 0)
    # An argument may stand there more than once: with other names, wording or tense.
    assert {fault.kind for fault in found.faults} <= {
        FaultKind.DUPLICATE,
        FaultKind.LEAK,
        FaultKind.REDUNDANT,
    }
    return found.read
