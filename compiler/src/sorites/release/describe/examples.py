"""A row of each config, as the card shows it."""

from __future__ import annotations

import json

from sorites.canonical import Json
from sorites.release.content import Content
from sorites.release.describe.markdown import code, fence

__all__ = ["examples"]

_MOST = 300
"""Characters of a text, and entries of a list, after which a row is cut short for the page."""


def examples(content: Content) -> str:
    """The first row of the first split of each config that has any."""
    shown: dict[str, str] = {}
    for split in content.splits:
        if split.config not in shown and split.table.num_rows:
            row = split.table.slice(0, 1).to_pylist()[0]
            text = json.dumps(_cut(row), ensure_ascii=False, indent=2, default=str)
            shown[split.config] = (
                f"{code(f'{split.config}/{split.name}')}:\n\n{fence(text, 'json')}"
            )
    return "\n\n".join(shown.values())


def _cut(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _cut(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_cut(each) for each in value[:_MOST]] + (["…"] if len(value) > _MOST else [])
    if isinstance(value, str) and len(value) > _MOST:
        return value[:_MOST] + "…"
    return value
