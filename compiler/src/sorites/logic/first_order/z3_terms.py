"""First-order formulas as terms of Z3, in a context of their own."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from sorites.logic.first_order.trees import Kind, Node, Symbol, Term, fold, fold_term

__all__ = ["Z3Terms"]


class Z3Terms:
    """Translates formulas whose names are shared."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self._sort = z3.DeclareSort("Individual", self.context)

    def formula(self, root: Node) -> z3.BoolRef:
        """The Z3 term of a formula without free variables."""
        return fold(root, self._node)

    def inhabited(self, symbol: Symbol) -> z3.BoolRef:
        """That a predicate is true of something."""
        somebody = [z3.Const(f"x{place}", self._sort) for place in range(symbol.arity)]
        said = self._declared(symbol)(*somebody)
        return z3.Exists(somebody, said) if somebody else said

    def _node(self, node: Node, below: Sequence[z3.BoolRef]) -> z3.BoolRef:
        match node.kind:
            case Kind.TRUE | Kind.FALSE:
                return z3.BoolVal(node.kind is Kind.TRUE, self.context)
            case Kind.ATOM:
                terms = [fold_term(term, self._term) for term in node.terms]
                return self._declared(Symbol(node.name, len(terms), True))(*terms)
            case Kind.EQUAL:
                one, other = (fold_term(term, self._term) for term in node.terms)
                return one == other
            case Kind.NOT:
                return z3.Not(below[0])
            case Kind.AND:
                return z3.And(*below)
            case Kind.OR:
                return z3.Or(*below)
            case Kind.IMPLIES:
                return z3.Implies(*below)
            case Kind.IFF:
                return below[0] == below[1]
            case Kind.XOR:
                found = below[0]
                for part in below[1:]:
                    found = z3.Xor(found, part)
                return found
        bound = [z3.Const(f"?{node.name}", self._sort)]
        return (z3.ForAll if node.kind is Kind.ALL else z3.Exists)(bound, below[0])

    def _term(self, term: Term, below: Sequence[z3.ExprRef]) -> z3.ExprRef:
        if term.is_variable:
            return z3.Const(f"?{term.name}", self._sort)
        if not below:
            return z3.Const(term.name, self._sort)
        return self._declared(Symbol(term.name, len(below), False))(*below)

    def _declared(self, symbol: Symbol) -> z3.FuncDeclRef:
        result = z3.BoolSort(self.context) if symbol.is_predicate else self._sort
        return z3.Function(symbol.name, *[self._sort] * symbol.arity, result)
