"""Strategies for Hypothesis: formulas without free variables, as trees."""

from __future__ import annotations

from hypothesis import strategies as st

from sorites.logic.first_order.trees import Kind, Node, Term

VARIABLES = ("x", "y", "z")


def terms(scope: tuple[str, ...], functions: bool) -> st.SearchStrategy[Term]:
    constants = st.sampled_from([Term("ann"), Term("bob")])
    leaves = constants
    if scope:
        leaves = st.one_of(st.sampled_from([Term(v, is_variable=True) for v in scope]), constants)
    if not functions:
        return leaves
    return st.one_of(leaves, leaves.map(lambda term: Term("mother", (term,))))


def formulas(
    scope: tuple[str, ...] = (),
    depth: int = 3,
    *,
    kinds: tuple[Kind, ...] = (Kind.AND, Kind.OR, Kind.XOR, Kind.IMPLIES, Kind.IFF),
    functions: bool = True,
    equality: bool = True,
    variables: tuple[str, ...] = VARIABLES,
) -> st.SearchStrategy[Node]:
    """Closed formulas over human/1, likes/2, rains/0 and two individuals."""
    inside = terms(scope, functions)
    atoms = [
        inside.map(lambda term: Node(Kind.ATOM, name="human", terms=(term,))),
        st.tuples(inside, inside).map(lambda pair: Node(Kind.ATOM, name="likes", terms=pair)),
        st.just(Node(Kind.ATOM, name="rains")),
    ]
    if equality:
        atoms.append(st.tuples(inside, inside).map(lambda pair: Node(Kind.EQUAL, terms=pair)))
    leaf = st.one_of(atoms)
    if depth == 0:
        return leaf

    def below(bound: tuple[str, ...]) -> st.SearchStrategy[Node]:
        return formulas(
            bound,
            depth - 1,
            kinds=kinds,
            functions=functions,
            equality=equality,
            variables=variables,
        )

    def quantified(variable: str) -> st.SearchStrategy[Node]:
        inner = below((*(name for name in scope if name != variable), variable))
        return st.tuples(st.sampled_from([Kind.ALL, Kind.SOME]), inner).map(
            lambda pair: Node(pair[0], (pair[1],), variable)
        )

    def joined(kind: Kind) -> st.SearchStrategy[Node]:
        most = 2 if kind in (Kind.IMPLIES, Kind.IFF) else 3
        parts = st.lists(below(scope), min_size=2, max_size=most)
        return parts.map(lambda found: Node(kind, tuple(found)))

    return st.one_of(
        leaf,
        below(scope).map(lambda node: Node(Kind.NOT, (node,))),
        st.sampled_from(variables).flatmap(quantified),
        st.sampled_from(kinds).flatmap(joined),
    )
