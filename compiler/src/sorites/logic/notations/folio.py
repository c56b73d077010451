"""The notation of FOLIO: Unicode signs, ∀x (Bird(x) → Flies(x)).

Han et al., FOLIO: Natural Language Reasoning with First-Order Logic (2022). The paper gives no
grammar; the precedences here are those under which its labels agree best with its formulas:
¬ ∧ ∨ ⊕ → ↔, from the one that binds most, all read from the left but →.
"""

from __future__ import annotations

from sorites.logic.first_order.trees import Kind
from sorites.logic.notations.notation import Binder, Level, Notation

__all__ = ["FOLIO"]

FOLIO = Notation(
    id="folio",
    title="FOLIO's Unicode",
    reference="https://arxiv.org/abs/2209.00840",
    signs={
        Kind.NOT: ("¬",),
        Kind.AND: ("∧",),
        Kind.OR: ("∨",),
        Kind.XOR: ("⊕",),
        Kind.IMPLIES: ("→", "⟶"),
        Kind.IFF: ("↔", "⟷"),
        Kind.ALL: ("∀",),
        Kind.SOME: ("∃",),
        Kind.EQUAL: ("=",),
        "!=": ("≠",),
    },
    levels=(
        Level((Kind.AND,), "left"),
        Level((Kind.OR,), "left"),
        Level((Kind.XOR,), "left"),
        Level((Kind.IMPLIES,), "right"),
        Level((Kind.IFF,), "left"),
    ),
    binder=Binder(),
    # Apostrophes stand within names there, and points within numbers: Companies’Stocks, y42.3.
    name=r"\w(?:[\w’']|\.(?=\d)|-(?=\w))*",
    variable=r"[a-z]\w*",
    free="individual",
)
