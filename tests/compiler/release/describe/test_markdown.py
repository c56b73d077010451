from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sorites.release.describe.markdown import bullets, code, escape, fence, table

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

_lines = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Cf"]), max_size=30)


def shown(markdown: str) -> str:
    """The text that a reader sees; fails on any element that text alone does not make."""
    tokens = PARSER.parse(markdown)
    pieces = []
    for token in tokens:
        assert token.type in ("paragraph_open", "paragraph_close", "inline"), token
        for child in token.children or []:
            assert child.type in ("text", "text_special", "softbreak"), child
            pieces.append(child.content)
    return "".join(pieces)


@given(_lines)
@example("<script>alert(1)</script>")
@example("[link](javascript:alert(1)) ![x](y) `code` ~~gone~~")
@example("# heading")
@example("1. item")
@example("- item")
@example("***")
@example("&lt; \\ & a|b")
@example("---")
def test_escaped_text_shows_exactly_itself(text: str) -> None:
    assert shown(escape(text)) == text.strip()


@given(st.text())
def test_escaped_text_is_one_line(text: str) -> None:
    assert not re.search(r"[\x00-\x1f\x7f\u2028\u2029\u202e]", escape(text))


@given(st.lists(_lines.filter(lambda text: text.strip()), min_size=1, max_size=3))
@example(["a|b", "<b>", "\\|"])
def test_cells_stay_in_their_columns(cells: list[str]) -> None:
    tokens = PARSER.parse(table(["x"] * len(cells), [[*map(escape, cells)]]))
    inlines = [token for token in tokens if token.type == "inline"][len(cells) :]
    assert ["".join(c.content for c in t.children or []) for t in inlines] == [
        cell.strip() for cell in cells
    ]


@given(_lines.filter(lambda text: text.strip() and "|" not in text and "\\" not in text))
@example("`")
@example("a``b")
def test_code_shows_exactly_itself(text: str) -> None:
    (paragraph,) = [token for token in PARSER.parse(code(text)) if token.type == "inline"]
    (child,) = paragraph.children or []
    assert (child.type, child.content) == (
        "code_inline",
        re.sub(r"\s+", lambda m: m[0], text.strip()),
    )


@pytest.mark.parametrize("text", ["plain", "```\nout\n```", "````", "``` `````"])
def test_nothing_closes_a_fence_from_inside(text: str) -> None:
    (block,) = PARSER.parse(fence(text, "bibtex"))
    assert (block.type, block.content, block.info) == ("fence", f"{text}\n", "bibtex")


def test_bullets_and_tables_are_written_plainly() -> None:
    assert bullets(["one", "two"]) == "- one\n- two"
    assert table(["a", "b"], [["1", "2"]], right=[1]) == "| a | b |\n| --- | --: |\n| 1 | 2 |"
