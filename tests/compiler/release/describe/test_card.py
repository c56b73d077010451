from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from datasets import Features
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCard
from markdown_it import MarkdownIt

from sorites.release.content import Column, Content
from sorites.release.describe.card import canary
from sorites.release.describe.card_metadata import size_category
from sorites.release.write import write_release
from sorites.specfile.model import Spec
from tests.compiler.release.sample import ITEM_COLUMNS, items, split_of


def known(name: str) -> Any:
    return json.loads((files("datasets.utils.resources") / name).read_text())


@pytest.fixture
def readme(release: Path) -> str:
    return (release / "README.md").read_text(encoding="utf-8")


def test_the_hub_reads_the_metadata(readme: str) -> None:
    data = DatasetCard(readme).data.to_dict()
    assert data["language"] == ["en", "no"]
    assert data["license"] == "cc-by-4.0"
    assert data["pretty_name"] == "Café menu, a *small* test"
    assert data["size_categories"] == ["n<1K"]
    assert data["task_categories"] == ["text-classification"]
    assert data["tags"] == ["menus", "benchmark", "croissant", "sorites"]
    assert data["source_datasets"] == ["extended|other-menu"]
    assert {*data["annotations_creators"]} <= {*known("creators.json")["annotations"]}
    assert {*data["language_creators"]} <= {*known("creators.json")["language"]}
    assert {*data["size_categories"]} <= {*known("size_categories.json")}
    assert data["multilinguality"] in known("multilingualities.json")
    assert {*data["language"]} <= {*known("languages.json")}


def test_datasets_reads_the_configs(readme: str, content: Content) -> None:
    data = DatasetCard(readme).data
    configs = MetadataConfigs.from_dataset_card_data(data)
    assert [*configs] == ["items", "exemplars", "pairs"]
    assert configs.get_default_config_name() == "items"
    described = {info["config_name"]: info for info in data.to_dict()["dataset_info"]}
    for split in content.splits:
        info = described[split.config]
        assert Features._from_yaml_list(info["features"]) == Features.from_arrow_schema(
            split.table.schema
        )
        assert [(s["name"], s["num_examples"]) for s in info["splits"]] == [
            (split.name, split.table.num_rows)
        ]


@pytest.mark.parametrize(
    ("rows", "category"),
    [(1, "n<1K"), (999, "n<1K"), (1_000, "1K<n<10K"), (86_400, "10K<n<100K"), (10**6, "1M<n<10M")],
)
def test_sizes_have_the_hubs_names(rows: int, category: str) -> None:
    assert size_category(rows) == category
    assert category in known("size_categories.json")


def test_a_licence_of_ones_own_has_a_name_and_a_link(
    spec: Spec, content: Content, tmp_path: Path
) -> None:
    own = replace(
        spec, license="other", license_name="café-1", license_link="https://example.org/licence"
    )
    text = (write_release(own, content, tmp_path / "out") / "README.md").read_text("utf-8")
    data = DatasetCard(text).data.to_dict()
    assert (data["license"], data["license_name"], data["license_link"]) == (
        "other",
        "café-1",
        "https://example.org/licence",
    )
    assert "[`café-1`](https://example.org/licence)" in text


def test_a_stranger_finds_every_section(readme: str) -> None:
    assert re.findall(r"^## (.*)$", readme, re.MULTILINE) == [
        "What it is for",
        "Contents",
        "How to load",
        "A row of each config",
        "Columns",
        "Labels",
        "How it was made",
        "What was proved",
        "What was left out",
        "Drinks",
        "How to evaluate",
        "Known limits",
        "Sources, licences and attribution",
        "How to cite",
        "Contamination canary",
    ]
    assert "| `items/test` | True | 20 | 50.0% |" in readme
    assert "- Of 50 cold drinks asked for, the menu has 3." in readme
    assert "--task entailment --setting few-shot --model MODEL" in readme
    assert "@misc{doe2025, author = {Doe, Jo}, title = {What the {C}afé Serves}" in readme
    assert f"sorites:cafe-menu:{canary('cafe-menu')}" in readme


def test_the_code_that_loads_is_python(readme: str) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    compile(block, "README.md", "exec")
    assert 'revision="v1.0.0"' in block


def test_text_of_a_source_is_shown_and_not_obeyed(
    spec: Spec, content: Content, tmp_path: Path
) -> None:
    hostile = "<img src=x onerror=alert(1)> [x](javascript:y) | `\n# No heading\n---"
    columns = tuple(replace(column, description=hostile) for column in ITEM_COLUMNS)
    split = replace(split_of("items", "test", columns, items("t", 40)), description=hostile)
    pin = replace(spec.sources["menu"], attribution=hostile, license=hostile, version=hostile)
    changed = replace(
        spec,
        title=hostile,
        summary=hostile,
        card=replace(spec.card, limits=(hostile,), uses=(hostile,)),
        citations={"x": f"{hostile}\n```\n# Out"},
        sources={"menu": pin},
    )
    made = write_release(
        changed,
        replace(content, splits=(split, *content.splits[1:]), shortfalls=(hostile,)),
        tmp_path / "out",
    )
    readme = (made / "README.md").read_text("utf-8")
    assert DatasetCard(readme).data.to_dict()["pretty_name"] == hostile
    tokens = MarkdownIt("commonmark").enable("table").parse(DatasetCard(readme).text)
    kinds = {token.type for token in tokens}
    inline = {child.type for token in tokens for child in token.children or []}
    assert not {"html_block", "hr"} & kinds
    assert not {"html_inline", "image"} & inline
    links = {
        child.attrs["href"]
        for token in tokens
        for child in token.children or []
        if child.type == "link_open"
    }
    assert links == {"https://creativecommons.org/licenses/by/4.0/"}
    assert [token.tag for token in tokens if token.type == "heading_open"].count("h1") == 1


def test_many_splits_do_not_fill_pages(spec: Spec, content: Content, tmp_path: Path) -> None:
    more = tuple(split_of(f"more-{n}", "test", ITEM_COLUMNS, items("t", 4)) for n in range(20))
    made = write_release(spec, replace(content, splits=(*content.splits, *more)), tmp_path / "out")
    readme = (made / "README.md").read_text("utf-8")
    assert readme.count("= load_dataset(") == 8
    assert "`items/test`, `exemplars/train`, `more-0/test`" in readme
    assert "`more-5/test` and 14 more:" in readme
    assert readme.count("| `gold_premises` |") == 1
    assert readme.count("| `more-") == 20


def test_columns_that_are_nearly_the_same_are_told_once(
    spec: Spec, content: Content, tmp_path: Path
) -> None:
    fewer = split_of("fewer", "test", ITEM_COLUMNS[:-1], items("f", 4))
    extra = Column("extra", pa.bool_(), "Whether it is more.")
    more = split_of(
        "more", "test", (*ITEM_COLUMNS, extra), [{**row, "extra": True} for row in items("m", 4)]
    )
    made = write_release(
        spec, replace(content, splits=(*content.splits, fewer, more)), tmp_path / "out"
    )
    readme = (made / "README.md").read_text("utf-8")
    assert "\n\n`fewer/test`: as in `items/test`, without `bindings`.\n\n" in readme
    assert (
        "\n\n`more/test`: as in `items/test`, and:\n\n| column | type | meaning |\n"
        "| --- | --- | --- |\n| `extra` | `bool` | Whether it is more. |\n\n"
    ) in readme
    assert readme.count("| `gold_premises` |") == 1


def _rewritten(spec: Spec, content: Content, folder: Path, **card: str) -> str:
    made = write_release(
        replace(spec, card=replace(spec.card, **card), citations={}), content, folder
    )
    return (made / "README.md").read_text(encoding="utf-8")


def test_where_the_spec_names_its_home_commands_work_as_they_stand(
    spec: Spec, content: Content, tmp_path: Path
) -> None:
    readme = _rewritten(spec, content, tmp_path, home="cafe/menu")
    assert 'snapshot_download("cafe/menu", repo_type="dataset", revision="v1.0.0")' in readme
    assert "sorites-eval run cafe/menu@v1.0.0 --task entailment" in readme
    assert "ORG" not in readme


def test_every_config_shows_its_first_row(readme: str, content: Content) -> None:
    shown = re.findall(r"^`(\S+)/(\S+)`:\n\n```json\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    tables = {split.key: split.table for split in content.splits}
    assert [config for config, _, _ in shown] == list(dict.fromkeys(c for c, _ in tables))
    for config, name, text in shown:
        (first,) = tables[config, name].slice(0, 1).to_pylist()
        assert json.loads(text) == json.loads(json.dumps(first, default=str))


def test_a_release_without_papers_is_cited_by_itself(
    spec: Spec, content: Content, tmp_path: Path
) -> None:
    readme = _rewritten(spec, content, tmp_path, home="cafe/menu", date="2026-12-01")
    cited = """\
```bibtex
@misc{cafe-menu,
  title        = {Café menu, a *small* test},
  version      = {1.0.0},
  year         = {2026},
  howpublished = {https://huggingface.co/datasets/cafe/menu},
  note         = {Compiled by Sorites from a declarative spec}
}
```"""
    assert cited in readme
