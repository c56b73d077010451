"""Labels proved from the words: what a release cannot say without being found out."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites.errors import SoritesError
from sorites.families.argument_schemes import reprove
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from tests.small_spec import small_spec

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> tuple[pa.Table, Mapping[str, Any]]:
    """The items of a small release, and the spec as it is recorded."""
    folder = tmp_path_factory.mktemp("reading")
    path = small_spec(folder / "spec")
    made = compile_spec(path, folder / "out", workers=1, progress=Silent())
    (data,) = (made / "data" / "items").glob("test-*.parquet")
    record = json.loads((made / "release.json").read_bytes())
    return pq.read_table(data), record["spec"]["document"]


def faults(
    released: tuple[pa.Table, Mapping[str, Any]], alter: Callable[[Rows], object]
) -> list[str]:
    table, document = released
    rows = table.to_pylist()
    alter(rows)
    changed = pa.Table.from_pylist(rows, schema=table.schema)
    return reprove({("items", "test"): changed}, document)


def test_an_unaltered_release_is_proved(released: tuple[pa.Table, Mapping[str, Any]]) -> None:
    assert faults(released, lambda rows: None) == []


def test_one_altered_template_is_found(released: tuple[pa.Table, Mapping[str, Any]]) -> None:
    def alter(rows: Rows) -> None:
        for row in rows:
            row["premises"] = [re.sub("^No gene", "Some gene", text) for text in row["premises"]]

    found = faults(released, alter)
    assert found
    assert all(re.search(r'premise \d is no sentence of the templates: "Some|says', each)
               for each in found)  # fmt: skip


def test_a_sentence_that_says_another_formula_is_found(
    released: tuple[pa.Table, Mapping[str, Any]],
) -> None:
    turned = {
        "every": (r"^Every gene in (.*) is also in (.*)\.$", r"Every gene in \2 is also in \1."),
        "all": (r"^All genes in (.*) are also in (.*)\.$", r"All genes in \2 are also in \1."),
        "only": (r"^Only genes in (.*) are in (.*)\.$", r"Only genes in \2 are in \1."),
    }
    seen: set[str] = set()

    def alter(rows: Rows) -> None:
        for row in rows:
            pattern, reverse = turned[row["wording"]]
            for at, text in enumerate(row["premises"]):
                if row["wording"] not in seen and re.match(pattern, text):
                    row["premises"][at] = re.sub(pattern, reverse, text)
                    seen.add(row["wording"])

    found = faults(released, alter)
    assert seen == {*turned}
    assert len(found) == len(seen)
    for each in found:
        assert re.search(r"the sentence for all x\.\(.*\) says all x\.\(.*\)$", each)


def test_two_individuals_of_one_name_are_found(
    released: tuple[pa.Table, Mapping[str, Any]],
) -> None:
    def alter(rows: Rows) -> None:
        for row in rows:
            named = [each for each in row["bindings"] if each["symbol"].islower()]
            if len(named) > 1:
                old, new = named[0]["name"], named[1]["name"].lower()
                named[0]["name"] = new
                row["premises"] = [text.replace(f"ene {old} ", f"ene {new} ")
                                   for text in row["premises"]]  # fmt: skip
                row["conclusion"] = row["conclusion"].replace(f"gene {old} ", f"gene {new} ")

    found = faults(released, alter)
    assert found
    assert all(re.search(r"\w+ and \w+ have one name|can be read as", each) for each in found)


def test_true_and_false_exchanged_in_a_phrase_are_found(
    released: tuple[pa.Table, Mapping[str, Any]],
) -> None:
    exchange = {"true": "false", "false": "true"}

    def alter(rows: Rows) -> None:
        rows[0]["conclusion"] = re.sub(
            "^It is (true|false)", lambda m: f"It is {exchange[m[1]]}", rows[0]["conclusion"]
        )

    found = faults(released, alter)
    assert len(found) == 1
    assert "the conclusion is " in found[0]
    assert " in words, not " in found[0]


def test_a_label_that_does_not_follow_from_the_words_is_found(
    released: tuple[pa.Table, Mapping[str, Any]],
) -> None:
    def alter(rows: Rows) -> None:
        rows[0]["label"] = not rows[0]["label"]

    assert len(faults(released, alter)) == 1


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("assumptions", "Every class has a member.", "assumptions says"),
        ("wording", None, "it has no wording"),
    ],
)
def test_columns_that_say_how_to_read_are_compared(
    released: tuple[pa.Table, Mapping[str, Any]], column: str, value: str | None, said: str
) -> None:
    def alter(rows: Rows) -> None:
        rows[0][column] = value

    (found,) = faults(released, alter)
    assert said in found


def test_templates_exchanged_in_the_recorded_spec_are_found(
    released: tuple[pa.Table, Mapping[str, Any]],
) -> None:
    table, document = released
    changed = copy.deepcopy(dict(document))
    phrases = changed["vocabulary"]
    phrases["asserted"], phrases["denied"] = phrases["denied"], phrases["asserted"]
    found = reprove({("items", "test"): table}, changed)
    # The spec then reads "it is false that" as an assertion; English does not.
    assert len(found) >= table.num_rows
    assert "by its function words the sentence says" in found[0]


def test_a_spec_that_this_version_does_not_read_is_told(
    released: tuple[pa.Table, Mapping[str, Any]],
) -> None:
    table, document = released
    changed = copy.deepcopy(dict(document))
    del changed["vocabulary"]["denied"]
    (found,) = reprove({("items", "test"): table}, changed)
    assert found.startswith("the spec of the release is not one that this version reads")


def test_a_name_that_makes_a_sentence_of_two_readings_is_refused(tmp_path: Path) -> None:
    # The name of one pathway ends what the sentence says, and goes on.
    awkward = 'Cancer\\" is also in the pathway \\"Metabolic disease'
    path = small_spec(
        tmp_path / "spec",
        ontology=lambda text: text.replace('"Tauopathy"@en', f'"{awkward}"@en'),
    )
    assert all("a sentence cannot be read back" in each for each in outcome(path, tmp_path / "out"))


def outcome(path: Path, out: Path) -> list[str]:
    """Why a spec does not compile, or what is wrong with its release."""
    try:
        made = compile_spec(path, out, workers=1, progress=Silent())
    except SoritesError as error:
        return [str(error)]
    (data,) = (made / "data" / "items").glob("test-*.parquet")
    record = json.loads((made / "release.json").read_bytes())
    return reprove({("items", "test"): pq.read_table(data)}, record["spec"]["document"])
