"""The code blocks of a page of the documentation, in order, and what is done with each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line where it begins, and its options.

    A block of commands (``sh``) or of ``python`` runs. ``text`` after one is what it prints: each
    line must be among the output, where ``…`` stands for anything. A block of another language with
    the option ``caption`` is a file of that name. ``class: not-run`` marks commands that need what
    a test does not have, such as a GPU; their options must exist all the same.
    """

    page: Path
    line: int
    language: str
    text: str
    options: dict[str, str]

    @property
    def runs(self) -> bool:
        """Whether the block is carried out, and not only parsed."""
        return self.language in ("sh", "python") and "not-run" not in self.options.get("class", "")

    @property
    def where(self) -> str:
        """For messages: the page and the line."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every page that a person wrote."""
    found = sorted(path for path in DOCS.rglob("*.md") if "generated" not in path.parts)
    return [path for path in found if "_build" not in path.parts]


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order; MyST's ``code-block`` directives are some."""
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "fence" and token.map is not None:
            language, options, text = _read(token.info.strip(), token.content)
            if language:
                yield Block(page, token.map[0] + 1, language, text, options)


def _read(info: str, content: str) -> tuple[str, dict[str, str], str]:
    directive = re.fullmatch(r"\{code-block\}\s*(\w+)", info)
    if directive is None:
        return ("" if info.startswith("{") else info), {}, content
    options = {}
    lines = content.splitlines(keepends=True)
    while lines and (option := re.fullmatch(r":([\w-]+):\s*(.*?)\s*", lines[0].rstrip("\n"))):
        options[option[1]] = option[2]
        del lines[0]
    return directive[1], options, "".join(lines).lstrip("\n")
