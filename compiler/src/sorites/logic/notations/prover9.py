"""The notation of Prover9 and Mace4: all x (bird(x) -> flies(x)).

McCune, Prover9 manual, Clauses and Formulas. -> <- and <-> are read in no chain. A name that
begins with u to z and that nothing binds is a variable of the whole formula.
"""

from __future__ import annotations

from sorites.logic.first_order.trees import Kind
from sorites.logic.notations.notation import Binder, Level, Notation

__all__ = ["PROVER9"]

PROVER9 = Notation(
    id="prover9",
    title="Prover9",
    reference="https://www.cs.unm.edu/~mccune/prover9/manual/",
    signs={
        Kind.NOT: ("-",),
        Kind.AND: ("&",),
        Kind.OR: ("|",),
        Kind.IMPLIES: ("->",),
        "<-": ("<-",),
        Kind.IFF: ("<->",),
        Kind.ALL: ("all",),
        Kind.SOME: ("exists",),
        Kind.EQUAL: ("=",),
        "!=": ("!=",),
        Kind.TRUE: ("$T",),
        Kind.FALSE: ("$F",),
    },
    levels=(
        Level((Kind.AND,), "right"),
        Level((Kind.OR,), "right"),
        Level((Kind.IMPLIES, "<-", Kind.IFF), "none"),
    ),
    binder=Binder(),
    name=r"\w+",
    variable=r"[u-z]\w*",
    free="universal",
    end=".",
    comment="%",
    quoted='"',
)
