from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites.canonical import digest
from sorites.errors import InvalidRelease, InvalidSpec, SoritesError, SourceError, UnreadableSpec
from sorites.pipeline import FAMILIES, check_spec, compile_spec, prove_again
from sorites.progress import Silent
from sorites.release.files.fingerprint import content_sha256
from sorites.release.files.parquet import file_sha256
from sorites.release.manifest.manifest import all_content_sha256
from sorites.specfile.load import kinds
from tests.small_spec import SCHEMES, small_spec

ITEMS = "data/items/test-00000-of-00001.parquet"


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_spec(tmp_path_factory.mktemp("spec"))


@pytest.fixture(scope="module")
def compiled(spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_spec(spec, tmp_path_factory.mktemp("out"), workers=1, progress=Silent())


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_there_is_a_family_for_every_kind_and_a_kind_for_every_family() -> None:
    assert sorted(FAMILIES) == sorted(kinds())


def test_every_spec_of_the_repository_is_valid(root: Path) -> None:
    folders = [root / "specs", *(root / "specs" / of for of in ("sample", "papers", "audits"))]
    paths = [path for folder in folders for path in folder.glob("*.yaml")]
    assert len(paths) >= 11
    for path in paths:
        assert check_spec(path).kind in FAMILIES


@pytest.mark.parametrize(("hash_seed", "workers"), [("0", 2), ("1", 1)])
def test_the_same_bytes_whatever_the_hash_seed_and_the_number_of_workers(
    spec: Path, compiled: Path, tmp_path: Path, hash_seed: str, workers: int
) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from sorites.pipeline import compile_spec; from sorites.progress import Silent\n"
        "if __name__ == '__main__':\n"
        "    compile_spec(Path(sys.argv[1]), Path(sys.argv[2]),"
        " workers=int(sys.argv[3]), progress=Silent())\n"
    )
    script = tmp_path / "compile.py"
    script.write_text(program)
    root = Path(__file__).resolve().parents[2]
    subprocess.run(
        [sys.executable, script, spec, tmp_path / "out", str(workers)],
        check=True,
        env={
            **os.environ,
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": os.pathsep.join(
                str(root / part) for part in ("compiler/src", "evaluators/src", ".")
            ),
        },
    )
    again = tmp_path / "out" / compiled.parent.name / compiled.name
    assert tree(again) == tree(compiled)


def test_another_seed_makes_other_items(compiled: Path, tmp_path: Path) -> None:
    other = small_spec(tmp_path / "spec", lambda data: data.update(seed=7, name="other"))
    folder = compile_spec(other, tmp_path / "out", workers=1, progress=Silent())
    first, second = (pq.read_table(place / ITEMS)["argument"] for place in (compiled, folder))
    assert set(first.to_pylist()) != set(second.to_pylist())


def test_progress_is_told_in_stages_that_end(spec: Path, tmp_path: Path) -> None:
    told: dict[str, list[int]] = {}

    class Watching:
        def stage(self, name: str, total: int) -> Callable[[int], None]:
            steps = told.setdefault(name, [total, 0])

            def advance(more: int) -> None:
                steps[1] += more

            return advance

    compile_spec(spec, tmp_path, workers=1, progress=Watching())
    assert {"finding bindings", "proving items"} <= told.keys()
    assert all(total == done for total, done in told.values())
    assert told["proving items"] == [len(SCHEMES)] * 2


def test_compiling_again_leaves_the_release_as_it_is(spec: Path, tmp_path: Path) -> None:
    folder = compile_spec(spec, tmp_path, workers=1, progress=Silent())
    before = tree(tmp_path)
    assert compile_spec(spec, tmp_path, workers=1, progress=Silent()) == folder
    assert tree(tmp_path) == before


def test_a_published_version_never_changes(spec: Path, tmp_path: Path) -> None:
    compile_spec(spec, tmp_path / "out", workers=1, progress=Silent())
    before = tree(tmp_path / "out")
    other = small_spec(tmp_path / "spec", lambda data: data["items"].update(arguments=2))
    with pytest.raises(SoritesError, match="this version is there already"):
        compile_spec(other, tmp_path / "out", workers=1, progress=Silent())
    assert tree(tmp_path / "out") == before


def test_the_release_loads_as_a_dataset(compiled: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    items = load_dataset(str(compiled), "items", split="test", cache_dir=str(tmp_path))
    assert items.to_list() == pq.read_table(compiled / ITEMS).to_pylist()
    assert len(items) > 100
    exemplars = load_dataset(str(compiled), "exemplars", split="train", cache_dir=str(tmp_path))
    assert len(exemplars) >= 2


def test_a_whole_release_is_verified(compiled: Path) -> None:
    assert prove_again(compiled).name == "small"


def test_the_papers_own_design_is_one_field_away(tmp_path: Path) -> None:
    path = small_spec(
        tmp_path / "spec",
        lambda data: data["items"].update(negatives="denials"),
        schemes=SCHEMES[:2],
    )
    folder = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    rows = pq.read_table(folder / ITEMS).to_pylist()
    assert {(row["verdict"], row["polarity"], row["negative"]) for row in rows} == {
        ("entailed", "asserted", None),
        ("contradicted", "denied", "conclusion denied"),
    }
    assert all(row["partner"] for row in rows)
    prove_again(folder)


def forged(compiled: Path, folder: Path, change: Callable[[list[dict[str, Any]]], object]) -> Path:
    """The release with other rows and every checksum made to fit them."""
    config = "denials" if change in OF_DENIALS else "items"
    shown = ITEMS.replace("items", config)
    place = folder / "small" / "1.0.0"
    for name, content in tree(compiled).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    old = pq.read_table(place / shown)
    rows = old.to_pylist()
    change(rows)
    table = pa.Table.from_pylist(rows, schema=old.schema)
    pq.write_table(table, place / shown)
    record = json.loads((place / "release.json").read_bytes())
    for split in record["splits"]:
        if split["config"] == config:
            split["content_sha256"] = content_sha256(table)
            split["rows"] = split["files"][0]["rows"] = len(rows)
            split["files"][0].update(
                sha256=file_sha256(place / shown), bytes=(place / shown).stat().st_size
            )
    record["content_sha256"] = all_content_sha256(record["splits"])
    assert digest(record["spec"]["document"]) == record["spec"]["sha256"]
    (place / "release.json").write_text(json.dumps(record))
    return place


def first(rows: list[dict[str, Any]], verdict: str, **wanted: Any) -> dict[str, Any]:
    return next(
        row
        for row in rows
        if row["verdict"] == verdict and all(row[key] == wanted[key] for key in wanted)
    )


def flip_a_label(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "entailed")
    row["label"] = False


def flip_a_verdict(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "undetermined")
    row.update(label=True, verdict="entailed", gold_premises=[1])


def miss_a_gold_premise(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "entailed", distractors=2)
    row["gold_premises"] = row["gold_premises"][:-1]


def add_a_gold_premise(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "entailed", distractors=1)
    row["gold_premises"] = list(range(1, len(row["premises"]) + 1))


def name_a_premise_that_is_not_there(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "entailed")
    row["gold_premises"] = [*row["gold_premises"], 99]


def name_a_premise_before_the_first(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "entailed", distractors=0)
    row["gold_premises"] = [len(row["premises"]), 0]


def name_a_premise_twice(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "entailed")
    row["gold_premises"] = [*row["gold_premises"], row["gold_premises"][0]]


def select_for_what_does_not_follow(rows: list[dict[str, Any]]) -> None:
    first(rows, "contradicted")["gold_premises"] = [1]


def lose_a_partner(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "contradicted")
    row["partner"] = "0" * 16


def take_anothers_partner(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "contradicted")
    other = next(
        entry
        for entry in rows
        if entry["verdict"] == "contradicted" and entry["argument"] != row["argument"]
    )
    row["partner"], other["partner"] = other["partner"], row["partner"]


def pair_two_with_other_words(rows: list[dict[str, Any]]) -> None:
    """Opposite phrases after the same premises, and a verdict that holds, of another conclusion."""
    row = first(rows, "contradicted", polarity="denied")
    row["conclusion_formula"] = "-" + row["premise_formulas"][0]


def forget_a_binding(rows: list[dict[str, Any]]) -> None:
    first(rows, "entailed")["bindings"].pop()


def write_a_formula_otherwise(rows: list[dict[str, Any]]) -> None:
    row = first(rows, "entailed", scheme="hypothetical syllogism 1")
    row["conclusion_formula"] = row["conclusion_formula"].replace("x.(", "x. (")


def write_no_formula(rows: list[dict[str, Any]]) -> None:
    first(rows, "entailed")["conclusion_formula"] = "all x.(F(x) -> "


def lose_a_formula(rows: list[dict[str, Any]]) -> None:
    first(rows, "entailed")["conclusion_formula"] = None


def lose_the_gold(rows: list[dict[str, Any]]) -> None:
    first(rows, "entailed")["gold_premises"] = None


def lose_a_sentence(rows: list[dict[str, Any]]) -> None:
    first(rows, "entailed")["premises"].pop()


def repeat_an_id(rows: list[dict[str, Any]]) -> None:
    rows[-1]["id"] = rows[0]["id"]


OF_DENIALS = (
    select_for_what_does_not_follow,
    lose_a_partner,
    take_anothers_partner,
    pair_two_with_other_words,
)
"""Lies about arguments whose conclusion is contradicted."""

LIES: dict[Callable[[list[dict[str, Any]]], object], str] = {
    flip_a_label: "item {id}: the label is False and the verdict entailed",
    flip_a_verdict: "item {id}: the verdict is undetermined, not entailed",
    miss_a_gold_premise: "are not the only minimal set that suffices",
    add_a_gold_premise: "are not the only minimal set that suffices",
    name_a_premise_that_is_not_there: "item {id}",
    name_a_premise_before_the_first: "item {id}",
    name_a_premise_twice: "item {id}",
    select_for_what_does_not_follow: (
        "item {id}: gold premises for a conclusion that does not follow"
    ),
    lose_a_partner: "item {id}: its partner is not beside it or is another's",
    take_anothers_partner: "item {id}: its partner is not beside it or is another's",
    pair_two_with_other_words: "item {id}: the sentence for ",
    forget_a_binding: "item {id}: nothing is bound to ",
    write_a_formula_otherwise: "is not in NLTK's form",
    write_no_formula: "item {id}: at character ",
    lose_a_formula: "item {id}",
    lose_the_gold: "item {id}",
    lose_a_sentence: "item {id}: there are not as many premises as formulas for them",
    repeat_an_id: "item {id}",
}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_lie_under_the_right_checksums_is_found_by_proof(
    lie: Callable[[list[dict[str, Any]]], object], compiled: Path, tmp_path: Path
) -> None:
    place = forged(compiled, tmp_path, lie)
    config = "denials" if lie in OF_DENIALS else "items"
    data = ITEMS.replace("items", config)
    honest = {row["id"]: row for row in pq.read_table(compiled / data).to_pylist()}
    changed = [
        row["id"] for row in pq.read_table(place / data).to_pylist() if honest[row["id"]] != row
    ]
    with pytest.raises(InvalidRelease) as caught:
        prove_again(place)
    # The certificate shows it too, in its own words, or the partner's row does.
    assert f"item {changed[0]}: " in str(caught.value)
    with pytest.raises(InvalidRelease) as caught:
        prove_again(place, with_z3=True)
    told = str(caught.value)
    assert LIES[lie].format(id=changed[0]) in told
    starts = (f"{place}: {config}/test, item ", f"{place}: {config}, item ")
    assert all(line.startswith(starts) for line in told.splitlines())


def test_an_honest_copy_with_recomputed_checksums_is_verified(
    compiled: Path, tmp_path: Path
) -> None:
    prove_again(forged(compiled, tmp_path, lambda rows: None))


def test_a_release_of_a_kind_that_is_not_known(compiled: Path, tmp_path: Path) -> None:
    place = forged(compiled, tmp_path, lambda rows: None)
    record = json.loads((place / "release.json").read_bytes())
    record["kind"] = record["spec"]["document"]["kind"] = "horoscopes"
    record["spec"]["sha256"] = digest(record["spec"]["document"])
    (place / "release.json").write_text(json.dumps(record))
    with pytest.raises(InvalidRelease) as caught:
        prove_again(place)
    assert str(caught.value) == (
        f"{place}: a release of kind horoscopes, which this version does not know"
    )


def test_what_cannot_be_read_and_what_is_not_valid_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSpec):
        check_spec(tmp_path / "none.yaml")
    path = small_spec(tmp_path, lambda data: data.pop("title"))
    with pytest.raises(InvalidSpec):
        check_spec(path)


def test_a_source_that_is_not_what_was_pinned_stops_the_compile(tmp_path: Path) -> None:
    path = small_spec(tmp_path, ontology=lambda text: text + "# more\n", pinned=False)
    with pytest.raises(SourceError):
        compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    assert not (tmp_path / "out").exists()


def _about_more_than_the_premises(data: dict[str, Any]) -> None:
    """H stands in the conclusion alone: valid, and no premise says what H could be."""
    data["schemes"] = [
        {
            "scheme": "weakening",
            "variant": "base",
            "premises": ["all x.(F(x) -> G(x))"],
            "conclusion": "all x.((F(x) & H(x)) -> G(x))",
        }
    ]
    data["exemplars"] = []


def test_a_conclusion_about_what_no_premise_speaks_of_is_an_invalid_spec(tmp_path: Path) -> None:
    path = small_spec(tmp_path, _about_more_than_the_premises)
    with pytest.raises(InvalidSpec, match="conclusion"):
        check_spec(path)


def test_a_predicate_of_two_individuals_is_an_invalid_spec(tmp_path: Path) -> None:
    def binary(data: dict[str, Any]) -> None:
        data["schemes"] = [
            {
                "scheme": "reflexive",
                "variant": "base",
                "premises": ["all x.(F(x) -> R(x,x))", "F(a)"],
                "conclusion": "R(a,a)",
            }
        ]
        for formula in ("all x.(F(x) -> R(x,x))", "R(a,a)", "-R(a,a)"):
            names = "{F} {R}" if "F" in formula else "{a} {R}"
            data["templates"].append({"formula": formula, "text": names})
        data["exemplars"] = []

    with pytest.raises(InvalidSpec, match="R"):
        check_spec(small_spec(tmp_path, binary))


def test_an_ontology_without_a_binding_is_said_to_have_none(tmp_path: Path) -> None:
    path = small_spec(
        tmp_path,
        lambda data: data["ontology"].update(branch="ERBB2 signalling in cancer"),
    )
    with pytest.raises(SoritesError, match="the ontology has no binding for any scheme"):
        compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    assert not (tmp_path / "out").exists()


def test_where_distractors_are_too_few_arguments_are_left_out_and_counted(
    tmp_path: Path,
) -> None:
    """The published generator ended in an index error here."""

    def narrow(data: dict[str, Any]) -> None:
        data["items"].update(arguments=2, distractors=16)

    path = small_spec(tmp_path / "spec", narrow, schemes=SCHEMES[2:])
    folder = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    audit = json.loads((folder / "audit.json").read_bytes())
    record = json.loads((folder / "release.json").read_bytes())
    left_out = audit["rejected"]["pairs left out: no distractors were found"]
    rows = pq.read_table(folder / ITEMS).num_rows
    kept = sum(entry["bindings"] for entry in audit["schemes"].values())
    assert left_out > 0
    assert rows == kept * 2 * 17
    assert kept == 2
    # That the ontology has no more bindings would not be true.
    assert any("distractor" in text for text in record["shortfalls"])


def test_where_no_distractors_are_found_it_is_not_the_bindings_that_are_missing(
    tmp_path: Path,
) -> None:
    def alone(data: dict[str, Any]) -> None:
        data["items"].update(arguments=1, distractors=16)

    path = small_spec(tmp_path / "spec", alone, schemes=SCHEMES[2:3])
    with pytest.raises(SoritesError, match="distractor"):
        compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    assert not (tmp_path / "out").exists()
