"""The report page in a browser: two widths, keyboard alone, and hostile texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

pytest.importorskip("matplotlib")

from sorites_eval.backends.baselines import Oracle, Random
from sorites_eval.contract.release import open_release
from sorites_eval.reporting.report import write_report
from sorites_eval.running.finished import Run, find_runs
from sorites_eval.running.run import perform, plan
from tests.evaluators.reporting.chromium import CHROMIUM, Tab, browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

ATTACK = (
    "</script></pre><script>document.title='owned'</script>"
    "<img src=x onerror=alert(1)>\u2028{{7*7}}"
)
FILLED = "document.querySelectorAll('#browser tbody tr').length > 0"


def _replaced(run: Run, **columns: list[object]) -> Run:
    """The run with other values in some columns of its table."""
    table = run.table
    for name, values in columns.items():
        name = name.replace("__", ".")
        column = pa.array(values)
        place = table.schema.get_field_index(name)
        if place < 0:
            table = table.append_column(name, column)
        else:
            table = table.set_column(place, name, column)
    return replace(run, table=table)


@pytest.fixture(scope="module")
def page(small_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    release = open_release(small_release)
    for name in ("entailment", "relation"):
        task = release.task(name)
        setting = "few-shot" if "few-shot" in task.prompts else "zero-shot"
        for backend in (Oracle(), Random(task, 0)):
            where = folder / "runs" / name / str(backend.identity()["model"])
            perform(plan(release, task, setting), backend, where)
    runs = []
    for run in find_runs([folder / "runs"]):
        n = run.table.num_rows
        texts = [ATTACK + str(row["text"]) for row in run.rows]
        thoughts: list[object] = ["because " + ATTACK if k % 2 else "" for k in range(n)]
        changes: dict[str, list[object]] = {"text": list(texts), "thought": thoughts}
        if run.model == "random":
            kinds = [str(row["outcome"]) if k % 4 else "empty" for k, row in enumerate(run.rows)]
            changes |= {
                "outcome": list(kinds),
                "margin": [0.25] * n,
                "near_tie": [k == 1 for k in range(n)],
            }
        if run.task.name == "entailment":
            values = [ATTACK if k < 2 else row["item.scheme"] for k, row in enumerate(run.rows)]
            changes["item__scheme"] = list(values)
        runs.append(_replaced(run, **changes))
    return write_report(runs, folder / "page")


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def shown(tab: Tab, page: Path) -> Iterator[Tab]:
    tab.size(1440)
    tab.scheme("light")
    tab.go(page.as_uri())
    tab.until(FILLED)
    yield tab
    assert not tab.errors
    assert not tab.dialogs


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_never_scrolls_sideways(shown: Tab, width: int, scheme: str) -> None:
    shown.size(width)
    shown.scheme(scheme)
    fits = f"document.documentElement.scrollWidth <= {width}"
    assert shown.say(fits)
    shown.say("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert shown.say(fits)
    # Nothing of a score is cut: every cell lies within what is seen, or within what scrolls.
    cut = """[...document.querySelectorAll('.sortable td, .sortable th')].filter((cell) => {
      const box = cell.getBoundingClientRect(), room = cell.closest('.scroll');
      return box.right > innerWidth + 1 && getComputedStyle(room).overflowX !== 'auto';
    }).length"""
    assert shown.say(cut) == 0
    if width == 390:
        assert shown.say(
            "[...document.querySelectorAll('.sortable td')]"
            ".every((cell) => cell.getBoundingClientRect().right <= innerWidth)"
        )
    shown.say("document.querySelector('#browser tbody button').click()")
    shown.until("document.getElementById('item').open")
    assert shown.say("document.getElementById('item').scrollWidth <= innerWidth")
    paper = shown.say("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(22, 24, 28)") == (scheme == "dark")


def test_every_control_is_reached_by_tab(shown: Tab) -> None:
    shown.say("document.getElementById('more').open = true")
    wanted = """[...document.querySelectorAll('a, button, select, input, summary')]
      .filter((one) => one.checkVisibility() && !one.disabled && !one.closest('dialog'))"""
    count = shown.say(f"window.wanted = new Set({wanted}), window.wanted.size")
    for _ in range(3 * count):
        shown.press("Tab")
        if shown.say("window.wanted.delete(document.activeElement), window.wanted.size") == 0:
            break
    left = shown.say("[...window.wanted].map((one) => one.outerHTML.slice(0, 80))")
    assert left == []


def test_tables_sort_by_keys(shown: Tab) -> None:
    shown.say("""window.head = [...document.querySelector('table.sortable').tHead.rows[0].cells]
      .find((one) => one.textContent === 'Main score'); window.head.firstChild.focus()""")
    column = """[...document.querySelector('table.sortable').tBodies[0].rows]
      .map((row) => parseFloat(row.cells[window.head.cellIndex].firstChild.textContent))"""
    shown.press("Enter")
    down = shown.say(column)
    assert shown.say("window.head.getAttribute('aria-sort')") == "descending"
    shown.press(" ")
    assert shown.say("window.head.getAttribute('aria-sort')") == "ascending"
    assert down == sorted(down, reverse=True)
    assert shown.say(column) == sorted(down)


def test_the_scheme_is_switched_by_keys(shown: Tab) -> None:
    shown.say("document.getElementById('theme').focus()")
    shown.press(" ")
    assert shown.say("document.documentElement.dataset.theme") == "dark"
    shown.press("Enter")
    assert shown.say("document.documentElement.dataset.theme") == "light"


def test_an_item_is_read_by_keys_with_its_runs_side_by_side(shown: Tab) -> None:
    shown.say("document.querySelector('#browser tbody button').focus()")
    shown.press("Enter")
    shown.until("document.getElementById('item').open")
    title = shown.say("document.getElementById('item-title').textContent")
    cards = "[...document.querySelectorAll('#item article')]"
    assert shown.say(f"{cards}.map((one) => one.querySelector('h3').textContent)") == [
        "oracle · few-shot",
        "random · few-shot",
    ]
    text = shown.say(f"{cards}.map((one) => one.textContent).join('|')")
    assert "margin 0.25 nats" in text
    assert "Thought" not in text
    assert re.search(r"System text and \d examples", text)
    assert shown.say("document.getElementById('item-facts').textContent").startswith("Gold")
    shown.press("ArrowRight")
    shown.until(f"document.getElementById('item-title').textContent !== {title!r}")
    shown.until("location.hash.startsWith('#item/entailment/')")
    assert "Thought" in shown.say("document.getElementById('item-body').textContent")
    address = shown.say("document.getElementById('item-link').href")
    second = shown.say("document.getElementById('item-title').textContent")
    reached = set()
    for _ in range(20):
        shown.press("Tab")
        reached.add(shown.say("document.activeElement.id || document.activeElement.tagName"))
    controls = {"item-link", "item-previous", "item-next", "item-close", "SUMMARY"}
    assert controls <= reached
    assert not reached & {"theme", "task", "search"}
    shown.press("Escape")
    shown.until("!document.getElementById('item').open")
    shown.until(f"document.activeElement.textContent === {second!r}")
    shown.go(address)
    shown.until("document.getElementById('item').open")
    assert shown.say("document.getElementById('item-title').textContent") == second


def test_items_are_filtered_by_outcome_column_and_text(shown: Tab) -> None:
    rows = "document.querySelectorAll('#browser tbody tr').length"
    everything = shown.say(rows)

    def choose(control: str, text: str) -> int:
        shown.say(f"document.querySelector({control!r}).focus()")
        shown.say(
            f"(() => {{ const one = document.querySelector({control!r});"
            f" one.value = [...one.options].find((o) => o.text === {text!r}).value;"
            " one.dispatchEvent(new Event('input', { bubbles: true })); })()"
        )
        return int(shown.say(rows))

    assert choose("#run", "random · few-shot") == everything
    assert choose("#kind", "outcome: empty") == 3
    assert choose("#kind", "near tie") == 1
    assert choose("#kind", "all") == everything
    of_one = choose('[data-column="distractors"]', "1")
    assert 0 < of_one < everything
    assert shown.say("document.getElementById('chosen').textContent") == "1 in use"
    shown.say("document.getElementById('reset').focus()")
    shown.press("Enter")
    shown.until(f"{rows} === {everything}")
    shown.say("document.getElementById('search').focus()")
    shown.type("test-1-yes")
    shown.until(
        f"{rows} < {everything} && !document.getElementById('count').textContent.includes('…')"
    )


def test_a_choice_is_made_by_keys(shown: Tab) -> None:
    shown.say("document.getElementById('task').focus()")
    shown.press("ArrowDown")
    shown.until("document.getElementById('task').value === 'relation'")
    shown.until("document.querySelector('#browser tbody th').textContent.includes(' · ')")
    assert shown.say("document.getElementById('run').options.length") == 3


def test_nothing_that_a_release_or_a_model_wrote_becomes_markup(shown: Tab) -> None:
    for _ in range(4):
        shown.say(
            "document.querySelector('#item').open"
            " || document.querySelector('#browser tbody button').click()"
        )
        shown.until("document.getElementById('item').open")
        shown.say("document.querySelectorAll('#item details').forEach((d) => { d.open = true; })")
        assert "<img src=x onerror=alert(1)>" in shown.say("document.body.textContent")
        assert (
            shown.say("document.querySelectorAll('#item img, #item script, #browser img').length")
            == 0
        )
        shown.press("ArrowRight")
    assert shown.say("document.title").startswith("Evaluation of small")
    assert not shown.dialogs


def test_a_page_without_its_folder_says_so(tab: Tab, page: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.html"
    alone.write_bytes(page.read_bytes())
    tab.go(alone.as_uri())
    tab.until("document.getElementById('count').textContent.includes('is not beside this page')")
    tab.errors.clear()
