"""The notations that there are, by the name that a spec gives them."""

from __future__ import annotations

from collections.abc import Mapping

from sorites.logic.notations.folio import FOLIO
from sorites.logic.notations.nltk_notation import NLTK
from sorites.logic.notations.notation import Notation
from sorites.logic.notations.prover9 import PROVER9
from sorites.logic.notations.tptp import TPTP

__all__ = ["NOTATIONS"]

NOTATIONS: Mapping[str, Notation] = {
    notation.id: notation for notation in (NLTK, FOLIO, PROVER9, TPTP)
}
