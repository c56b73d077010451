"""For the card: how whoever trusts nobody checks a row, by program and by hand."""

from __future__ import annotations

from sorites.release.certificates.certificates import CONFIG
from sorites.release.content import Content
from sorites.release.describe.markdown import code, fence

__all__ = ["certificates_section"]

_COMMANDS = """\
python check.py                  # every row, on all cores
python check.py --row ID         # one row and what shows its label, in words
python check.py --source FILE    # labels that a source gave, looked up there"""

_HOW = """\
The config `certificates` brings what shows the labels: a refutation of the premises with the denied
conclusion, models in which the premises are true and the conclusion is true or false, what a source
says. `check.py` in this folder, 400 lines that need Python and pyarrow alone, reads the sentences
back to formulas by the templates in `release.json`, checks every row and says what must be trusted:

{commands}"""

_BY_HAND = """\
By hand: the refutation {name} says that {formulas} cannot all be true. Say each universal of
everybody named in them, and of each existential's somebody, by a number. Then take as true what
stands alone, strike out what it makes false, and so on: {end}. A model such as {model} says who
there is and, after the colon, what is true, all else being false: try each premise there."""


def certificates_section(content: Content) -> str:
    """How to check rows, with a refutation of the release; empty where it has no certificates."""
    tables = {split.name: split.table for split in content.splits if split.config == CONFIG}
    if not tables:
        return ""
    parts = [_HOW.format(commands=fence(_COMMANDS, "bash"))]
    if "refutations" in tables:
        # The shortest is the easiest to follow.
        shared = min(tables["refutations"].to_pylist(), key=lambda row: len(str(row["formulas"])))
        models = tables["rows"]["model_true"].drop_null().to_pylist()
        *premises, last = map(code, shared["formulas"])
        steps = [step for step in shared["clauses"] if step]
        parts.append(
            _BY_HAND.format(
                name=code(shared["key"]),
                formulas=f"{', '.join(premises)} and {last}" if premises else last,
                end=f"by way of {', '.join(map(code, steps))} nothing is left of a clause"
                if steps
                else "nothing is left of one of them",
                model=code(min(models, key=len)) if models else "",
            )
        )
    return "\n\n".join(parts)
