"""Formulas that stand in the data, in one of the notations."""

from __future__ import annotations

from dataclasses import dataclass

from sorites.families.audit.reader import Unread
from sorites.logic.first_order.trees import Node
from sorites.logic.notations.errors import NotationError
from sorites.logic.notations.notation import Notation
from sorites.logic.notations.parser import read_formula

__all__ = ["NotationReader"]


@dataclass(frozen=True, slots=True)
class NotationReader:
    """Reads formulas in a notation."""

    notation: Notation
    reads_words: bool = False

    @property
    def describes(self) -> str:
        """How texts are read, as the end of a sentence."""
        return f"as formulas in the notation of {self.notation.title}"

    def read(self, text: str) -> Node:
        """The formula of a text. Raises Unread with the position."""
        try:
            return read_formula(text, self.notation)
        except NotationError as error:
            raise Unread(str(error)) from None

    def shown(self, text: str, formula: Node) -> str:
        """The text as it is."""
        return text
