"""The notation of NLTK's ``nltk.sem.logic``: all x.(bird(x) -> flies(x)).

Bird, Klein and Loper, Natural Language Processing with Python, chapter 10. Precedences are those
of its LogicParser, which reads every chain from the left, that of -> too. Lambda terms are no
sentences and are not read.
"""

from __future__ import annotations

from sorites.logic.first_order.trees import Kind
from sorites.logic.notations.notation import Binder, Level, Notation

__all__ = ["NLTK"]

NLTK = Notation(
    id="nltk",
    title="NLTK",
    reference="https://www.nltk.org/howto/logic.html",
    signs={
        Kind.NOT: ("-", "!", "not"),
        Kind.AND: ("&", "^", "and"),
        Kind.OR: ("|", "or"),
        Kind.IMPLIES: ("->", "=>", "implies"),
        Kind.IFF: ("<->", "<=>", "iff"),
        Kind.ALL: ("all", "forall"),
        Kind.SOME: ("exists", "some", "exist"),
        Kind.EQUAL: ("=", "=="),
        "!=": ("!=",),
    },
    levels=(
        Level((Kind.AND,), "left"),
        Level((Kind.OR,), "left"),
        Level((Kind.IMPLIES,), "left"),
        Level((Kind.IFF,), "left"),
    ),
    binder=Binder(after=".", several=True),
    name=r"\w+",
    variable=r"[a-z]\d*",
    free="individual",
    # NLTK takes -a = b for an equality whose left side is -a, which is no individual.
    negates_equality=False,
    variables_apply=False,
)
