"""Specs validated: a good one becomes a Spec, a bad one gives every problem in people's words."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from referencing.exceptions import Unresolvable

from sorites.errors import InvalidSpec
from sorites.specfile.load import kinds, load_document
from sorites.specfile.model import Spec
from sorites.specfile.reader import read_text
from sorites.specfile.schemas import Schemas, load_schemas
from sorites.specfile.yaml_nodes import parse

Load = Callable[[str], Spec]


@pytest.fixture(scope="session")
def schemas(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Schemas:
    folder = tmp_path_factory.mktemp("schemas")
    shutil.copy(root / "specs" / "schemas" / "common.schema.json", folder)
    shutil.copy(root / "tests" / "fixtures" / "menus.schema.json", folder)
    return load_schemas(folder)


@pytest.fixture
def menu(root: Path) -> str:
    return (root / "tests" / "fixtures" / "menu.yaml").read_text(encoding="utf-8")


@pytest.fixture
def load(schemas: Schemas, tmp_path: Path) -> Load:
    path = tmp_path / "menu.yaml"
    return lambda text: load_document(read_text(text, path), path, schemas=schemas)


def problems(load: Load, text: str) -> list[str]:
    with pytest.raises(InvalidSpec) as caught:
        load(text)
    return [str(problem).rpartition("menu.yaml:")[2] for problem in caught.value.problems]


def test_a_valid_spec(load: Load, menu: str, tmp_path: Path) -> None:
    spec = load(menu)
    assert (spec.kind, spec.name, str(spec.version), spec.seed) == (
        "menus",
        "cafe-menu",
        "1.0.0",
        7,
    )
    assert spec.languages == ("en",)
    assert spec.card.limits == ("Prices are left out.",)
    assert spec.card.uses == ()
    pin = spec.sources["menu"]
    assert (pin.id, pin.max_bytes, pin.file_name) == ("menu", 5000, "menu card.ttl.gz")
    assert spec.document.locate(("dishes", 0, "price")).line == 34
    assert spec.path == tmp_path / "menu.yaml"


def cases() -> list[dict[str, Any]]:
    file = Path(__file__).parents[2] / "fixtures" / "menu-problems.yaml"
    found: Any = parse(file.read_text(encoding="utf-8"), file.name).value
    return list(found)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["new"][:40])
def test_each_problem(load: Load, menu: str, case: dict[str, Any]) -> None:
    assert case["old"] in menu
    assert problems(load, menu.replace(case["old"], case["new"], 1)) == case["problems"]


def test_all_problems_at_once_by_position(load: Load, menu: str) -> None:
    text = menu.replace("seed: 7", "seed: x").replace("name: cafe-menu", "name: A")
    found = problems(load, text.replace("price: 4", "prize: 4"))
    assert [problem.split(": ")[1] for problem in found] == ["name", "seed", "dishes[0].prize"]


def test_a_file_of_the_spec_through_a_link(load: Load, menu: str, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.ttl"
    outside.write_text("")
    (tmp_path / "menu.ttl").symlink_to(outside)
    url = "url: https://example.org/menus/menu%20card.ttl.gz?raw=1"
    assert problems(load, menu.replace(url, "file: menu.ttl")) == [
        "16:11: sources.menu.file: menu.ttl leads out of the folder of the spec\n"
        "    put the file itself there, not a link"
    ]
    (tmp_path / "menu.ttl").unlink()
    (tmp_path / "menu.ttl").write_text("")
    pin = load(menu.replace(url, "file: menu.ttl")).sources["menu"]
    assert (pin.file, pin.url, pin.file_name) == (tmp_path / "menu.ttl", None, "menu.ttl")


def test_no_schema_comes_from_the_network(root: Path) -> None:
    schema = {"$ref": "https://json-schema.org/draft-07/schema#"}
    validator = Schemas({"x.schema.json": schema}).validator("x")
    validator.check_schema(schema)
    # jsonschema itself knows the meta-schema; nothing else is to be had.
    other = {"$ref": "https://example.org/x.schema.json"}
    with pytest.raises(Unresolvable):
        list(Schemas({"x.schema.json": other}).validator("x").iter_errors({}))


def test_the_shipped_schemas_are_draft_7_and_describe_everything(root: Path) -> None:
    shipped = load_schemas()
    assert kinds() == shipped.kinds()
    for name in shipped.documents:
        schema = json.loads((root / "specs" / "schemas" / name).read_text(encoding="utf-8"))
        Draft7Validator.check_schema(schema)
        assert _undescribed(schema, name) == []


def _undescribed(schema: Any, path: str) -> list[str]:
    """Properties without a description, of their own or of what they refer to."""
    found: list[str] = []
    if isinstance(schema, dict):
        for name, value in schema.get("properties", {}).items():
            if isinstance(value, dict) and not {"description", "$ref", "const"} & set(value):
                found.append(f"{path}/{name}")
        for key, value in schema.items():
            found += _undescribed(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            found += _undescribed(value, f"{path}/{index}")
    return found
