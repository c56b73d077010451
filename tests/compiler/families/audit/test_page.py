"""The page in a browser: at the width of a phone and of a desk, light and dark; hostile data."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from sorites import api
from tests.compiler.families.audit.specs import write_spec
from tests.evaluators.reporting.chromium import CHROMIUM, browser

HOSTILE = "</summary><script>alert(1)</script><img src=x onerror=alert(2)>\u202e&amp;"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    file = folder / "rows.jsonl"
    long = "Very" * 60
    rows = [
        {
            "id": f"<b>{n}</b>{HOSTILE if n == 1 else ''}",
            "premises": [f"{long}(a)", f"F{n}(a) ∧ G(a)"],
            "conclusion": "H(a)" if n else "(",
            "label": "entailment",
            "said": [f"It is {HOSTILE}.", long],
            "asked": HOSTILE,
        }
        for n in range(3)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    spec = write_spec(
        folder,
        {"test": file},
        reading={"notation": "folio"},
        data={"words": {"premises": "said", "conclusion": "asked"}},
        universals=["modern", "existential"],
    )
    api.audit(spec).write(folder / "audit")
    return folder / "audit" / "audit.html"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [str(value) for name, value in attrs if name in ("src", "href")]


def test_it_needs_nothing_else_and_shows_what_others_wrote_as_text(page: Path) -> None:
    text = page.read_text("utf-8")
    found = _Tags()
    found.feed(text)
    assert not {"script", "img", "link", "iframe", "b-1"} & found.tags
    assert all(each.startswith(("#", "https://creativecommons.org")) for each in found.addresses)
    assert "\u202e" not in text
    assert "&lt;U+202E&gt;" in text
    assert not re.search(r"url\(|@import", text)


def test_the_table_shows_what_others_wrote_as_text(page: Path) -> None:
    text = page.with_name("audit.md").read_text("utf-8")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    kinds = {each.type for token in tokens for each in (token, *(token.children or ()))}
    assert {"table_open", "code_inline"} <= kinds
    assert not {"html_block", "html_inline", "link_open", "image"} & kinds
    assert "\u202e" not in text


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_it_fits_a_phone_and_a_desk_in_light_and_dark(page: Path, tmp_path: Path) -> None:
    brightness = "c => c.match(/[0-9]+/g).slice(0, 3).reduce((sum, each) => sum + Number(each), 0)"
    with browser(tmp_path) as tab:
        tab.go(page.as_uri())
        for width in (390, 1_440):
            tab.size(width)
            for scheme in ("light", "dark"):
                tab.scheme(scheme)
                assert tab.say("document.documentElement.scrollWidth") <= width
                style = "getComputedStyle(document.body)"
                ink = tab.say(f"({brightness})({style}.color)")
                paper = tab.say(f"({brightness})({style}.backgroundColor)")
                dark, bright = (ink, paper) if scheme == "light" else (paper, ink)
                assert dark < 200
                assert bright > 600
        assert tab.say("document.querySelectorAll('script, img').length") == 0
        assert tab.dialogs == []
        assert tab.errors == []


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_each_fault_is_opened_and_closed_by_keys(page: Path, tmp_path: Path) -> None:
    with browser(tmp_path) as tab:
        tab.go(page.as_uri())
        controls = "[...document.querySelectorAll('a, summary')].filter((e) => e.checkVisibility())"
        count = tab.say(f"window.left = new Set({controls}), window.left.size")
        assert count > 3
        for _ in range(2 * count):
            tab.press("Tab")
            if tab.say("window.left.delete(document.activeElement), window.left.size") == 0:
                break
        assert tab.say("[...window.left].map((e) => e.outerHTML.slice(0, 80))") == []
        tab.say("document.querySelector('summary').focus()")
        was = tab.say("document.querySelector('details').open")
        for key in ("Enter", " "):
            tab.press(key)
            now = tab.say("document.querySelector('details').open")
            assert now is not was
            was = now
        assert tab.dialogs == []
