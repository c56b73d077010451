"""The report page as its files are; ``test_report_browser.py`` opens it."""

from __future__ import annotations

import base64
import gzip
import html.parser
import json
import re
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from sorites_eval.backends.baselines import Oracle, Random
from sorites_eval.contract.release import open_release
from sorites_eval.reporting.report import write_report
from sorites_eval.running.finished import Run, find_runs
from sorites_eval.running.run import perform, plan
from tests.evaluators.conftest import SYSTEM


def finished(root: Path, out: Path, tasks: tuple[str, ...]) -> list[Run]:
    release = open_release(root)
    for name in tasks:
        task = release.task(name)
        for backend in (Oracle(), Random(task, 0)):
            where = out / str(backend.identity()["model"]) / name
            perform(plan(release, task, "zero-shot"), backend, where)
    return find_runs([out])


@pytest.fixture(scope="module")
def report(small_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    runs = finished(small_release, folder / "runs", ("entailment", "premise-selection", "relation"))
    return write_report(runs, folder / "page")


class Page(html.parser.HTMLParser):
    """Collects every tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def test_the_page_needs_nothing_from_outside(report: Path) -> None:
    page = Page(report.read_text())
    for _, attributes in page.tags:
        for name in ("src", "href", "xlink:href", "action"):
            value = attributes.get(name)
            assert value is None or value.startswith("#"), value
    assert "url(http" not in report.read_text()


def test_every_id_is_unique_and_every_reference_meets_one(report: Path) -> None:
    page = Page(report.read_text())
    ids = [attributes["id"] for _, attributes in page.tags if attributes.get("id")]
    assert len(ids) == len(set(ids))
    references = [a[n] for _, a in page.tags for n in ("href", "xlink:href") if a.get(n)]
    references += re.findall(r"url\((#[^)]+)\)", report.read_text())
    assert {str(r)[1:] for r in references} <= set(ids)


def test_a_screen_reader_finds_its_way(report: Path) -> None:
    page = Page(report.read_text())
    drawings = [a for a in page.all("div") if a.get("class") == "drawing"]
    assert drawings
    assert all(a["role"] == "img" and len(str(a["aria-label"])) > 40 for a in drawings)
    assert len(page.all("caption")) == len([a for a in page.all("table") if "sortable" in str(a)])
    assert all(a.get("scope") in {"col", "row"} for a in page.all("th"))
    assert page.all("html")[0]["lang"] == "en"
    assert page.all("main")


def test_figures_are_kept_for_papers(report: Path) -> None:
    names = {path.name for path in (report.parent / "figures").iterdir()}
    for figure in ("entailment-by-scheme", "entailment-over-distractors", "entailment-responses"):
        assert {f"{figure}.png", f"{figure}.pdf"} <= names
    assert "relation-map-language-1-language-2-random-zero-shot.pdf" in names


def test_the_same_runs_give_the_same_page(report: Path, tmp_path: Path) -> None:
    again = write_report(find_runs([report.parent.parent / "runs"]), tmp_path)
    assert again.read_bytes() == report.read_bytes()
    files = [p for p in report.parent.rglob("*") if p.suffix in {".js", ".png", ".pdf"}]
    assert len(files) > 10
    for path in files:
        assert (tmp_path / path.relative_to(report.parent)).read_bytes() == path.read_bytes()


def unpacked(script: Path) -> dict[str, Any]:
    """What a file of items holds."""
    found = re.fullmatch(
        r'soritesItems\("([a-z0-9/-]+)","([A-Za-z0-9+/=]+)"\);\n', script.read_text()
    )
    assert found
    content: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[2])))
    return content


def test_every_item_is_there_with_what_was_asked_and_answered(report: Path) -> None:
    folder = report.parent / "items" / "entailment"
    index, texts = unpacked(folder / "index.js"), unpacked(folder / "0.js")
    assert len(index["ids"]) == len(texts["items"]) == 12
    assert [run["model"] for run in index["runs"]] == ["oracle", "random"]
    assert index["runs"][0]["right"] == [1] * 12
    oracle, random = texts["items"][0]
    assert texts["texts"][oracle[0]["question"]].startswith("P1: ")
    assert oracle[0]["read"] == index["gold"]["values"][index["gold"]["at"][0]]
    ((role, text),) = texts["turns"][oracle[0]["before"]]
    assert (role, texts["texts"][text]) == ("system", SYSTEM)
    assert random[0]["outcome"] in {"answer", "answered"}


def test_without_the_release_nothing_is_claimed_of_what_stood_before(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    root = make_release(items=4)
    runs = finished(root, tmp_path / "runs", ("entailment",))
    shutil.rmtree(root)
    page = write_report(runs, tmp_path / "page")
    texts = unpacked(page.parent / "items/entailment/0.js")
    assert not texts["turns"]
    assert all("before" not in a for runs in texts["items"] for some in runs for a in some)


def test_no_file_of_an_earlier_report_stays(small_release: Path, tmp_path: Path) -> None:
    runs = finished(small_release, tmp_path / "runs", ("entailment", "relation"))
    write_report(runs, tmp_path / "page")
    write_report([r for r in runs if r.task.name == "relation"], tmp_path / "page")
    assert [path.name for path in (tmp_path / "page/items").iterdir()] == ["relation"]


def test_long_runs_lie_in_several_files(
    make_release: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sorites_eval.reporting.item_files.PER_FILE", 50)
    runs = finished(make_release(items=60), tmp_path / "runs", ("entailment",))
    folder = write_report(runs, tmp_path / "page").parent / "items/entailment"
    parts = [unpacked(folder / f"{part}.js")["items"] for part in range(2)]
    assert [len(part) for part in parts] == [50, 10]
    assert sorted(p.name for p in folder.iterdir()) == ["0.js", "1.js", "index.js"]


def test_intervals_stand_in_every_table_of_scores(report: Path) -> None:
    text = report.read_text()
    tables = re.findall(r"<caption>(?:Every run|All items|By ).*?</table>", text, re.S)
    assert len(tables) > 5
    for table in tables:
        shares = re.findall(r'<td class="number"[^>]*>([01]\.\d{3})(.*?)</td>', table)
        assert shares
        assert all(
            re.match(r" <span>[01]\.\d{3} to [01]\.\d{3}</span>", rest) for _, rest in shares
        )
    assert "Runs against each other" in text


def test_text_stands_out_from_its_ground_in_both_schemes() -> None:
    css = files("sorites_eval.reporting").joinpath("page/report.css").read_text()
    schemes = re.findall(r":root[^{]*\{ (--paper[^}]*)\}", css)
    assert len(schemes) == 3
    for scheme in schemes:
        colour = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+)", scheme))
        for ground in ("paper", "card", "band"):
            for ink in ("ink", "soft", "link", "wrong", "right"):
                assert contrast(colour[ink], colour[ground]) >= 4.5, (ink, ground)
        assert contrast(colour["loud"], colour["loud-band"]) >= 4.5
        assert contrast(colour["accent"], colour["paper"]) >= 3


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
