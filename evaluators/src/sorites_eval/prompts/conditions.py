"""Which items are meant: ``distractors=0,names=real``, as a person writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import RunError
from sorites_eval.names import did_you_mean

__all__ = ["Condition", "matching", "read_columns", "read_conditions"]

_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Condition:
    """A column must have one of some values, written as text."""

    column: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return ",".join(f"{self.column}={value}" for value in self.values)

    def holds(self, value: object) -> bool:
        """Whether a column's value is one of those meant; ``true``, ``false`` and ``null`` count.

        >>> Condition("label", ("true",)).holds(True), Condition("level", ("2",)).holds(2.0)
        (True, True)
        """
        return any(_same(text, value) for text in self.values)


def _same(text: str, value: object) -> bool:
    if isinstance(value, str):
        return text == value
    if isinstance(value, bool) or value is None:
        return text.casefold() in _WORDS and _WORDS[text.casefold()] is value
    try:
        if isinstance(value, int):
            # A float would take one large number for the next.
            return Decimal(text) == value
        return isinstance(value, float) and float(text) == value
    except (ValueError, ArithmeticError):
        return False


def read_conditions(texts: Sequence[str]) -> tuple[Condition, ...]:
    """Conditions from texts such as ``distractors=0,names=real``, all of which must hold.

    A column that is named twice may have either value. What stands between commas without an
    equals sign belongs to the value before it. Raises RunError for a text without a column.

    >>> [str(c) for c in read_conditions(["language=en,scheme=a, b", "language=el"])]
    ['language=en,language=el', 'scheme=a, b']
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        last = ""
        for part in text.split(","):
            column, equals, value = part.partition("=")
            if equals and column.strip():
                last = column.strip()
                found.setdefault(last, []).append(value.strip())
            elif not equals and last:
                found[last][-1] += f",{part}"
            else:
                raise RunError(f'--where {text}: expected column=value, found "{part}".')
    return tuple(Condition(column, tuple(values)) for column, values in found.items())


def read_columns(texts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Groupings from texts such as ``scheme,distractors``: each text is one, by all its columns.

    >>> read_columns(["scheme,distractors", "names"])
    (('scheme', 'distractors'), ('names',))
    """
    groups: list[tuple[str, ...]] = []
    for text in texts:
        columns = tuple(part.strip() for part in text.split(","))
        if "" in columns or len(set(columns)) < len(columns):
            raise RunError(f"--by {text}: expected columns with commas between them, each once.")
        groups.append(columns)
    return tuple(dict.fromkeys(groups))


def matching(conditions: Sequence[Condition], rows: Sequence[Mapping[str, object]]) -> list[bool]:
    """For each row whether every condition holds.

    Raises RunError, with the values that there are, for a value that no row has, and where no row
    is left.
    """
    for condition in conditions:
        there = [row[condition.column] for row in rows]
        for text in condition.values:
            if not any(_same(text, value) for value in there):
                known = sorted({_text(value) for value in there})
                raise RunError(
                    f"--where {condition.column}={text}: no item has that value. "
                    f"{did_you_mean(text, known)}"
                )
    kept = [all(c.holds(row[c.column]) for c in conditions) for row in rows]
    if not any(kept):
        raise RunError(f"--where {','.join(map(str, conditions))}: no item is left.")
    return kept


def _text(value: object) -> str:
    words = {True: "true", False: "false", None: "null"}
    return words[value] if isinstance(value, bool | None) else str(value)
