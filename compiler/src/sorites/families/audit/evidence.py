"""What shows a verdict, in words: the premises of a proof, or a model individual by individual."""

from __future__ import annotations

from sorites.families.audit.judging import JudgedRow, numbers
from sorites.logic.first_order.models import FiniteModel
from sorites.logic.first_order.prover import Judgement
from sorites.logic.prover import Verdict

__all__ = ["model_in_words", "proof_in_words"]


def proof_in_words(judged: JudgedRow, judgement: Judgement) -> str:
    """Which premises are enough, and for what."""
    proves = {
        Verdict.ENTAILED: "the conclusion follows",
        Verdict.CONTRADICTED: "the negation of the conclusion follows",
        Verdict.INCONSISTENT: "a contradiction follows",
    }[judgement.verdict]
    if judged.row.denied and judgement.verdict is not Verdict.INCONSISTENT:
        proves += " (the conclusion is the denied one)"
    if not judgement.needed:
        return f"From no premise at all {proves}."
    used = numbers(judgement.needed)
    plural = "s" if len(used) > 1 else ""
    return f"From premise{plural} {_listed([str(number) for number in used])} {proves}."


def model_in_words(model: FiniteModel) -> str:
    """Who there is, and what is true of whom; everything else is false.

    An individual is called by the first constant that names it, or by a number.
    """
    constants = [
        (symbol.name, rows[()]) for symbol, rows in model.functions.items() if symbol.arity == 0
    ]
    names = {value: name for name, value in reversed(constants)}
    called = [names.get(each, f"#{each + 1}") for each in range(model.size)]
    parts = [f"there is only {called[0]}" if model.size == 1 else f"there are {_listed(called)}"]
    for name, value in constants:
        if called[value] != name:
            parts.append(f"{name} is {called[value]}")
    for symbol, rows in model.functions.items():
        if symbol.arity:
            parts += [
                f"{symbol.name}({', '.join([called[each] for each in row])}) is {called[value]}"
                for row, value in rows.items()
            ]
    nowhere = []
    for symbol, true_of in model.predicates.items():
        if not true_of:
            nowhere.append(symbol.name)
        elif symbol.arity == 0:
            parts.append(f"{symbol.name} is true")
        else:
            shown = [_row(row, called) for row in sorted(true_of)]
            parts.append(f"{symbol.name} is true of {_listed(shown)}")
    if nowhere:
        parts.append(f"{_listed(nowhere)} {'is' if len(nowhere) == 1 else 'are'} true of nothing")
    return "; ".join(parts)


def _row(row: tuple[int, ...], called: list[str]) -> str:
    shown = ", ".join([called[each] for each in row])
    return shown if len(row) == 1 else f"({shown})"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
