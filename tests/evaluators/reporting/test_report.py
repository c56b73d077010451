"""The report as a browser shows it, and as a hostile release would like it to."""

from __future__ import annotations

import html.parser
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from sorites_eval.backends.baselines import Oracle, Random
from sorites_eval.contract.release import open_release
from sorites_eval.reporting.report import write_report
from sorites_eval.running.finished import Run, find_runs
from sorites_eval.running.run import perform, plan

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "google-chrome")) if p), None)


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


def test_what_a_release_says_is_never_markup(
    make_release: Callable[..., Path],
    tmp_path: Path,
    document: dict[str, dict[str, dict[str, object]]],
) -> None:
    attack = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>"
    document["tasks"]["entailment"] |= {"title": attack, "description": attack}
    document["tasks"]["entailment"]["prompts"] = {"zero-shot": {"user": attack + "{{ id }}"}}
    runs = finished(make_release(document=document), tmp_path / "runs", ("entailment",))
    text = write_report(runs, tmp_path / "page").read_text()
    assert "<script>document" not in text
    assert "<img" not in text
    assert Page(text).all("script")[0]["type"] == "application/json"
    assert len(Page(text).all("script")) == 2


def test_a_large_run_is_sampled_evenly(
    make_release: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sorites_eval.reporting.report.MOST_ITEMS", 20)
    runs = finished(make_release(items=60), tmp_path / "runs", ("entailment",))
    text = write_report(runs[:1], tmp_path / "page").read_text()
    data = re.search(r'id="data">(.*?)</script>', text, re.S)
    assert data
    (run,) = json.loads(data[1])
    assert [item["id"] for item in run["items"][:3]] == ["i-0-yes", "i-1-no", "i-3-yes"]
    assert len(run["items"]) == 20
    assert "20 of 60 in an even sample." in text


ACT = """<script>
window.addEventListener("load", () => {
  const said = [];
  const table = document.querySelector("table.sortable");
  const heads = [...table.tHead.rows[0].cells];
  const accuracy = heads.findIndex((head) => head.textContent === "accuracy");
  const column = () => [...table.tBodies[0].rows].map((row) => row.cells[accuracy].textContent);
  const button = heads[accuracy].querySelector("button");
  button.focus();
  said.push(["focus", document.activeElement === button]);
  button.click();
  said.push(["down", heads[accuracy].getAttribute("aria-sort"), column()]);
  button.click();
  said.push(["up", heads[accuracy].getAttribute("aria-sort"), column()]);
  const rows = () => document.querySelectorAll("#browser tbody tr").length;
  const change = (id, value) => {
    document.getElementById(id).value = value;
    document.getElementById(id).dispatchEvent(new Event("input", { bubbles: true }));
  };
  said.push(["items", rows(), document.getElementById("count").textContent]);
  change("kind", "wrong");
  said.push(["wrong of the oracle", rows()]);
  change("kind", "all");
  change("search", "i-3-");
  said.push(["found", rows()]);
  document.getElementById("theme").click();
  said.push(["theme", document.documentElement.dataset.theme]);
  document.body.textContent = "RESULT" + JSON.stringify(said) + "END";
});
</script></body>"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_it_works_in_a_browser(report: Path, tmp_path: Path) -> None:
    acted = tmp_path / "acted.html"
    acted.write_text(report.read_text().replace("</body>", ACT))
    done = subprocess.run(
        [
            str(CHROMIUM),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            acted.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = re.search("RESULT(.*)END", done.stdout)
    assert found, done.stdout[-2000:]
    said = json.loads(html.unescape(found[1]))
    assert said[0] == ["focus", True]
    assert said[1][:2] == ["down", "descending"]
    assert said[1][2] == sorted(said[1][2], reverse=True)
    assert said[2] == ["up", "ascending", sorted(said[1][2])]
    assert said[3] == ["items", 12, "1 to 12 of 12 items"]
    assert said[4] == ["wrong of the oracle", 0]
    assert said[5] == ["found", 2]
    assert said[6] == ["theme", "dark"]
