"""Pages of the documentation that follow from the code, the JSON Schemas and the ledger.

They are written into folders named ``generated``, which are not kept: whatever they say stands
in one place, where it is used.
"""

from __future__ import annotations

from pathlib import Path

from generate.columns import columns_page
from generate.commands import commands_page
from generate.ledger import ledger_page
from generate.python_api import python_page
from generate.spec_fields import schema_pages
from generate.specs_gallery import specs_page

__all__ = ["everything"]


def everything(docs: Path) -> None:
    """Write every generated page below the folder of the documentation."""
    root = docs.parent
    pages = {
        "reference/generated/command-line-sorites.md": commands_page("sorites"),
        "reference/generated/command-line-sorites-eval.md": commands_page("sorites-eval"),
        "reference/generated/python-sorites.md": python_page("sorites"),
        "reference/generated/python-sorites-eval.md": python_page("sorites_eval"),
        "reference/generated/columns.md": columns_page(root),
        "gallery/generated/releases.md": ledger_page(root / "releases"),
        "gallery/generated/specs.md": specs_page(root / "specs"),
    }
    for name, text in schema_pages(root / "specs" / "schemas"):
        pages[f"reference/generated/{name}.md"] = text
    for name, text in pages.items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # What did not change is not built again.
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
