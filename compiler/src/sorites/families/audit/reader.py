"""What a reader of rows is: from the texts of a premise or conclusion to a formula."""

from __future__ import annotations

from typing import Protocol

from sorites.errors import SoritesError
from sorites.logic.first_order.trees import Node

__all__ = ["RowReader", "Unread"]


class Unread(SoritesError):
    """A text that has no reading, or more than one; the message says which."""


class RowReader(Protocol):
    """Turns a text into a formula, and says what it has read."""

    @property
    def reads_words(self) -> bool:
        """Whether what it reads are sentences for people, not formulas."""
        ...

    @property
    def describes(self) -> str:
        """How texts are read, as the end of a sentence that begins with "read"."""
        ...

    def read(self, text: str) -> Node:
        """The formula of a text. Raises Unread."""
        ...

    def shown(self, text: str, formula: Node) -> str:
        """The formula as the release holds it: what reads as the same formula again."""
        ...
