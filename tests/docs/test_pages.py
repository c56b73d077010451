"""What the documentation shows is what happens."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.blocks import DOCS, ROOT, blocks, pages
from tests.docs.conftest import TOKEN
from tests.docs.running import THIS_PYTHON, environment_of, follow, unknown_options
from tests.hub.server import Hub
from tests.wheels import installed

NEWCOMER = DOCS / "tutorials" / "argument-schemes.md"

LANGUAGES = {"sh", "python", "text", "yaml", "json", "turtle", "none", "xml"}


def _name(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_every_block_is_of_a_language_that_is_checked(page: Path) -> None:
    assert [
        (each.where, each.language) for each in blocks(page) if each.language not in LANGUAGES
    ] == []


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_every_command_and_option_exists(page: Path) -> None:
    shell = [each for each in blocks(page) if each.language == "sh"]
    assert [(each.where, fault) for each in shell for fault in unknown_options(each)] == []


def test_a_newcomer_with_the_two_wheels_gets_to_a_published_release(
    tmp_path: Path, hub: Hub
) -> None:
    python = installed(tmp_path / "environment", "sorites", "sorites-eval[figures]")
    folder = tmp_path / "empty"
    folder.mkdir()
    follow(
        NEWCOMER, folder, {**environment_of(python, tmp_path, hub.url), "HF_TOKEN": TOKEN}, python
    )
    assert [*hub.repositories] == [("datasets", "your-name/arguments")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in pages() if page != NEWCOMER and any(each.runs for each in blocks(page))],
    ids=_name,
)
def test_a_page_can_be_followed(page: Path, tmp_path: Path, hub: Hub) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    sources = os.pathsep.join(str(ROOT / place) for place in ("compiler/src", "evaluators/src"))
    environment = {
        **environment_of(THIS_PYTHON, tmp_path, hub.url),
        "HF_TOKEN": TOKEN,
        "PYTHONPATH": sources,
    }
    follow(page, folder, environment, THIS_PYTHON)
