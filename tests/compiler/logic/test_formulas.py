from __future__ import annotations

import pickle
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.logic.formulas import CanonicalArgument, FormulaError, formula_of, parse
from sorites.logic.formulas import rename as rename_formula
from sorites.logic.prover import Verdict
from tests.compiler.logic.enumeration import all_models, individuals, models_of, predicates, read
from tests.compiler.logic.families import three, two_with_individuals
from tests.compiler.logic.texts import (
    TextProver,
    canonical_argument,
    contradictory,
    converse,
    negation,
    particular,
    rename,
    shape,
    symbols,
)

OVER_THREE = all_models("FGH")
EVERYTHING = (1 << len(OVER_THREE)) - 1
FORMULAS = three()
ALL = [*FORMULAS, *two_with_individuals()]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("all x. (F(x)->G(x))", "all x.(F(x) -> G(x))"),
        ("forall x.(F(x) implies not G(x))", "all x.(F(x) -> -G(x))"),
        ("some x.(F(x) and G(x) and H(x))", "exists x.(F(x) & G(x) & H(x))"),
        ("F(a) | G(a)", "(F(a) | G(a))"),
        ("F(a)\n  & -(-G(a))", "(F(a) & --G(a))"),
        ("Big(tom) <=> Old(tom)", "(Big(tom) <-> Old(tom))"),
    ],
)
def test_a_formula_is_given_back_as_nltk_prints_it(text: str, printed: str) -> None:
    assert parse(text).text == printed


def test_what_was_printed_is_read_as_itself() -> None:
    for formula in ALL:
        assert parse(formula).text == formula
        assert str(parse(formula).tree) == formula


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at character 1 of the formula: End of input found: Expression expected"),
        ("& F(a)", "at character 1 of the formula: Unexpected token: '&': Expression expected"),
        ("F(a", "at character 4 of the formula: End of input found: Expected token ')'"),
        ("F(a))", "at character 5 of the formula: Unexpected token: ')'"),
        ("F(a) G(b)", "at character 6 of the formula: Unexpected token: 'G'"),
        ("F(a) &", "at character 7 of the formula: End of input found: Expression expected"),
        (
            "all x.(F(x) => )",
            "at character 16 of the formula: Unexpected token: ')': Expression expected",
        ),
        (
            "F(a) -> -> G(a)",
            "at character 9 of the formula: Unexpected token: '->': Expression expected",
        ),
        ("F(a).", "at character 5 of the formula: Unexpected token: '.'"),
        ("F(a) # so", "at character 6 of the formula: Unexpected token: '#'"),
    ],
)
def test_what_does_not_parse_is_shown_where_it_stops_making_sense(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("F", "'F' is not a sentence: it has no truth value"),
        (r"\x.F(x)", r"'\x.F(x)' is not a sentence: it has no truth value"),
        ("F(a) == b", "equality is not supported: (F(a) = b)"),
        ("iota x.F(x)", "only 'all' and 'exists' are quantifiers here: iota x.F(x)"),
        (
            "F(G(a))",
            "'G(a)' in 'F(G(a))' is not an individual: use a letter such as a, or a name",
        ),
        ("all x.(F(x)) & G(x)", "'x' is bound in one place and free in another"),
    ],
)
def test_what_cannot_be_proved_or_said_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert str(caught.value) == f"at character 1 of the formula: {message}"


@pytest.mark.parametrize(
    "text", ["F(1)", "F(é)", "Ф(a)", "α(a)", "F'(a)", "'F'(a)", "F(@b)", "F(a;b)", "exists F.F(a)"]
)
def test_a_name_that_other_readers_would_take_apart_is_refused(text: str) -> None:
    # Symbols, shapes and renaming all rest on names being letters, digits and underscores.
    with pytest.raises(FormulaError):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "F(a)" + " & F(a)" * 3_000_000,
        "not " * 490 + "F(a)",
        "-" * 1_900 + "F(a)",
        "-not " * 300 + "F(a)",
        "all x." * 300 + "F(x)",
        " -> ".join(["F(a)"] * 200),
        " <-> ".join(["F(a)"] * 200),
        "(" * 900 + "F(a)" + ")" * 900,
        "F(" + ",".join(["a"] * 900) + ")",
        "F" + "(a)" * 600,
        "\\x." * 500 + "F(x)",
    ],
    ids=lambda text: f"{text[:12]}… of {len(text)} characters",
)
def test_a_formula_made_to_exhaust_the_reader_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        parse(text)


@pytest.mark.parametrize(
    ("most", "further", "position"),
    [
        # A name's own brackets count.
        ("(" * 59 + "F(a)" + ")" * 59, "(" * 60 + "F(a)" + ")" * 60, 62),
        ("-" * 60 + "F(a)", "-" * 61 + "F(a)", 61),
        ("- " * 60 + "F(a)", "- " * 61 + "F(a)", 121),
    ],
)
def test_sixty_terms_inside_one_another_are_the_most(
    most: str, further: str, position: int
) -> None:
    assert parse(most).symbols.predicates == ("F",)
    with pytest.raises(FormulaError) as caught:
        parse(further)
    assert caught.value.reason == "more than 60 terms inside one another"
    assert caught.value.position == position


def read_or_refuse(text: str) -> tuple[str | None, int]:
    try:
        return parse(text).text, 0
    except FormulaError as error:
        return None, error.position


@given(
    st.lists(
        st.sampled_from(
            ["all ", "exists ", "x", ".", "(", ")", "F", "a", "-", "&", "->", "<->", "=", ",", " ",
             "F(x)", "G(a)", "'", "[", "DRS", "é", "\n", "\\", "iota ", ";", "@", "1", "not "]
        ),
        max_size=12,
    ).map("".join)
)  # fmt: skip
@settings(max_examples=1_500, deadline=None, derandomize=True)
def test_any_text_is_a_formula_or_an_error_with_a_position(text: str) -> None:
    formula, position = read_or_refuse(text)
    if formula is None:
        assert 1 <= position <= len(text) + 1
        return
    assert parse(formula).text == formula
    # Whatever is accepted is understood alike by everything that handles formulas.
    found = symbols(formula)
    free = {variable.name for variable in parse(formula).tree.free()}
    assert set(found.individuals) == free - {*found.predicates}
    assert shape(rename(formula, dict.fromkeys(found.predicates, "Q"))) is not None
    assert contradictory(negation(formula)) is not None


def test_symbols_are_those_of_the_formula() -> None:
    for formula in ALL:
        found = symbols(formula)
        assert set(found.predicates) == predicates(read(formula))
        assert set(found.individuals) == individuals(read(formula))
        assert list(found.predicates) == sorted(found.predicates, key=formula.index)


def test_variables_of_nested_quantifiers_are_no_individuals() -> None:
    # NLTK prints quantifiers of one kind as one: all x y.(…).
    formula = parse("all x.all y.(F(x) -> G(y))")
    assert formula.symbols.individuals == ()
    assert formula.symbols.predicates == ("F", "G")


def test_renaming_exchanges_names_at_once() -> None:
    formula = "all x.((F(x) & H(x)) -> -G(x))"
    assert rename(formula, {"F": "G", "G": "H", "H": "F"}) == "all x.((G(x) & F(x)) -> -H(x))"
    assert rename("(F(a) | F(b))", {"a": "b", "b": "a"}) == "(F(b) | F(a))"
    # A name inside a longer one is another name.
    assert rename("(F(a) & F1(aa))", {"F": "G", "a": "b"}) == "(G(b) & F1(aa))"


def test_shapes_are_equal_exactly_up_to_renaming() -> None:
    by_shape: dict[str, set[str]] = {}
    for formula in FORMULAS:
        by_shape.setdefault(shape(formula), set()).add(formula)
    for formula in FORMULAS:
        renamed = {
            rename(formula, dict(zip("FGH", names, strict=True))) for names in permutations("FGH")
        }
        assert by_shape[shape(formula)] == renamed & {*FORMULAS}


def test_a_key_tells_arguments_apart_exactly_up_to_renaming() -> None:
    keys: dict[CanonicalArgument, Verdict] = {}
    prover = TextProver()
    for first, second, conclusion in product(FORMULAS[::29], FORMULAS[::23], FORMULAS[::31]):
        key = canonical_argument([first, second], conclusion)
        assert [name for name, _ in key[:-1]] == sorted([shape(first), shape(second)])
        assert key[-1][0] == shape(conclusion)
        # The key holds the argument: its formulas with the numbers as names.
        said = [_named(*part) for part in key]
        assert canonical_argument(said[:-1], said[-1]) == key
        verdict = prover.verdict([first, second], conclusion)
        assert keys.setdefault(key, verdict) is verdict
        for names in permutations("FGH"):
            new = dict(zip("FGH", names, strict=True))
            renamed = [rename(formula, new) for formula in (first, second, conclusion)]
            assert canonical_argument(renamed[:2], renamed[2]) == key


def _named(shaped: str, numbers: tuple[int, ...]) -> str:
    """A formula of a shape over the predicates Q0, Q1, … of these numbers."""
    found = symbols(shaped).predicates
    return rename(shaped, {name: f"Q{n}" for name, n in zip(found, numbers, strict=True)})


def test_equal_texts_are_one_value_wherever_they_come_from() -> None:
    for text in ALL:
        formula = parse(text)
        assert formula_of(formula.tree) == formula == pickle.loads(pickle.dumps(formula))
        assert hash(formula) == hash(parse(f" {text} "))
        renamed = rename(text, {"F": "G", "G": "F", "a": "b", "b": "a"})
        again = parse(renamed)
        turned = rename_formula(formula, {"F": "G", "G": "F", "a": "b", "b": "a"})
        assert (turned.text, turned.symbols, turned.shape, str(turned.tree)) == (
            again.text,
            again.symbols,
            again.shape,
            str(again.tree),
        )


def test_two_symbols_that_become_one_make_another_shape() -> None:
    merged = rename_formula(parse("all x.(F(x) -> G(x))"), {"G": "F"})
    assert merged.shape == shape("all x.(F(x) -> F(x))")
    assert merged.symbols.predicates == ("F",)


def test_names_that_shapes_use_for_individuals_are_not_bound() -> None:
    with pytest.raises(FormulaError) as caught:
        parse("all a1.(F(a1) -> G(b))")
    assert str(caught.value) == (
        "at character 1 of the formula: 'a1' is kept for named individuals: bind x, y or z"
    )


def test_premises_of_different_shapes_share_a_key_in_any_order() -> None:
    premises = ["all x.(F(x) -> G(x))", "exists x.(H(x) & -G(x))", "F(a)"]
    keys = {canonical_argument(order, "H(a)") for order in permutations(premises)}
    assert len(keys) == 1


def test_a_contradictory_is_true_exactly_where_the_formula_is_false() -> None:
    for formula in FORMULAS:
        opposite = contradictory(formula)
        assert models_of(opposite, OVER_THREE) == EVERYTHING & ~models_of(formula, OVER_THREE)
        assert not opposite.startswith("-")
        assert parse(opposite).text == opposite


def test_a_contradictory_of_what_is_said_of_individuals() -> None:
    models = all_models("FG", "ab")
    everything = (1 << len(models)) - 1
    for formula in two_with_individuals():
        assert models_of(contradictory(formula), models) == everything & ~models_of(formula, models)
        assert models_of(negation(formula), models) == everything & ~models_of(formula, models)


def test_negation_adds_one_sign_and_simplifies_nothing() -> None:
    assert negation("--G(a)") == "---G(a)"
    assert negation("(F(a) | G(a))") == "-(F(a) | G(a))"
    assert negation("all x.(F(x) -> G(x))") == "-all x.(F(x) -> G(x))"


@pytest.mark.parametrize(
    ("formula", "turned"),
    [
        ("all x.(F(x) -> -G(x))", "all x.(-G(x) -> F(x))"),
        ("all x.((F(x) & H(x)) -> G(x))", "all x.(G(x) -> (F(x) & H(x)))"),
        ("exists x.(F(x) & -G(x))", "exists x.(G(x) & -F(x))"),
        ("exists x.(F(x) & -(G(x) | H(x)))", "exists x.((G(x) | H(x)) & -F(x))"),
        ("exists x.(F(x) & G(x))", None),
        ("F(a)", None),
        ("-all x.(F(x) -> G(x))", None),
    ],
)
def test_the_converse_exchanges_subject_and_predicate(formula: str, turned: str | None) -> None:
    assert converse(formula) == turned


def test_what_is_called_a_converse_says_something_else() -> None:
    for formula in FORMULAS:
        turned = converse(formula)
        if turned is not None and formula.startswith("exists"):
            assert models_of(turned, OVER_THREE) != models_of(formula, OVER_THREE)


def test_a_particular_follows_from_its_universal_where_the_subject_exists() -> None:
    for formula in FORMULAS:
        some = particular(formula)
        assert (some is not None) is formula.startswith("all")
        if some is not None:
            subject = "exists x." + formula.removeprefix("all x.(").split(" -> ")[0]
            both = models_of(formula, OVER_THREE) & models_of(subject, OVER_THREE)
            assert both & ~models_of(some, OVER_THREE) == 0
