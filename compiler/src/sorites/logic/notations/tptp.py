"""The notation of the TPTP for first-order form (FOF): ![X]: (bird(X) => flies(X)).

Sutcliffe, The TPTP Problem Library and Associated Infrastructure (2017), and its syntax in BNF.
A formula stands by itself or in fof(name, role, FORMULA). Variables begin with a capital and must
be bound. No operator binds more than another: & and | are chained each with itself, and whatever
else meets needs brackets.
"""

from __future__ import annotations

from sorites.logic.first_order.trees import Kind
from sorites.logic.notations.notation import Binder, Level, Notation

__all__ = ["TPTP"]

TPTP = Notation(
    id="tptp",
    title="TPTP FOF",
    reference="https://www.tptp.org/TPTP/SyntaxBNF.html",
    signs={
        Kind.NOT: ("~",),
        Kind.AND: ("&",),
        Kind.OR: ("|",),
        Kind.XOR: ("<~>",),
        Kind.IMPLIES: ("=>",),
        "<-": ("<=",),
        Kind.IFF: ("<=>",),
        "nor": ("~|",),
        "nand": ("~&",),
        Kind.ALL: ("!",),
        Kind.SOME: ("?",),
        Kind.EQUAL: ("=",),
        "!=": ("!=",),
        Kind.TRUE: ("$true",),
        Kind.FALSE: ("$false",),
    },
    levels=(
        Level((Kind.AND, Kind.OR, Kind.IMPLIES, "<-", Kind.IFF, Kind.XOR, "nor", "nand"), "same"),
    ),
    binder=Binder("[", ",", "]:", several=True),
    name=r"[A-Za-z0-9]\w*",
    variable=r"[A-Z]\w*",
    free="fault",
    end=".",
    comment="%",
    quoted="'\"",
    variables_apply=False,
    wrapper="fof",
)
