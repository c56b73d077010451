from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest

from sorites.logic.formulas import parse
from sorites.logic.sentence_templates import (
    Saying,
    SentenceRules,
    Template,
    TemplateError,
    Templates,
    Wording,
    read_phrase,
    read_template,
)
from sorites.specfile.reader import read
from tests.compiler.logic import enumeration

EVERY = "all x.(F(x) -> G(x))"


def templates_of(texts: Mapping[str, Template]) -> Templates:
    """One wording for each formula."""
    return Templates(
        {
            parse(formula).shape: Saying(parse(formula), (Wording("plain", {"main": template}),))
            for formula, template in texts.items()
        }
    )


def called(names: Mapping[str, str]) -> dict[str, dict[str, str]]:
    return {symbol: {"": name} for symbol, name in names.items()}


@pytest.fixture
def templates() -> Templates:
    texts = {
        EVERY: "every gene in {F} is also in {G}",
        "all x.(F(x) -> -G(x))": "nothing in {G} is in {F}",
        "F(a)": "{a}, and {a} alone, is in {F}",
    }
    return templates_of(
        {formula: read_template(parse(formula), text) for formula, text in texts.items()}
    )


def test_one_template_serves_every_formula_of_its_shape(templates: Templates) -> None:
    names = called({"K": "the class of K", "F": "the class of F", "b": "Bob"})
    assert templates.verbalise(parse("all x.(K(x) -> F(x))"), names) == (
        "every gene in the class of K is also in the class of F"
    )
    # A text may name the symbols in another order than the formula, and more than once.
    assert templates.verbalise(parse("all x.(K(x) -> -F(x))"), names) == (
        "nothing in the class of F is in the class of K"
    )
    assert templates.verbalise(parse("K(b)"), names) == "Bob, and Bob alone, is in the class of K"


def test_a_name_that_looks_like_a_placeholder_stays_as_it_is(templates: Templates) -> None:
    names = called({"F": "{G}", "G": "{0} %s \\1"})
    assert templates.verbalise(parse(EVERY), names) == r"every gene in {G} is also in {0} %s \1"


def test_braces_of_the_text_itself_are_doubled() -> None:
    formula = parse("F(a)")
    found = templates_of({"F(a)": read_template(formula, "{{{a}}} is in {F}")})
    assert found.verbalise(formula, called({"a": "A", "F": "B"})) == "{A} is in B"


def test_shapes_without_a_template_are_named_once_in_order(templates: Templates) -> None:
    texts = ["G(a)", "-G(a)", "exists x.F(x)", "-F(b)", "all x.(H(x) -> I(x))"]
    wanted = [*map(parse, texts)]
    assert templates.missing(wanted) == [parse("-G(a)"), parse("exists x.F(x)")]
    assert [templates.covers(formula) for formula in wanted] == [True, False, False, False, True]
    with pytest.raises(KeyError):
        templates.verbalise(parse("-G(a)"), called({"G": "G", "a": "a"}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "every gene in {F} is in {H}",
            f"the placeholder {{H}} is no symbol of {EVERY}; its symbols are {{F}}, {{G}}",
        ),
        ("every gene in {F}", f"the text does not use {{G}}, which {EVERY} speaks of"),
        (
            "{F} {G} {}",
            f"the placeholder {{}} is no symbol of {EVERY}; its symbols are {{F}}, {{G}}",
        ),
        (
            "{F} {G} {x}",
            f"the placeholder {{x}} is no symbol of {EVERY}; its symbols are {{F}}, {{G}}",
        ),
        (
            "{F.__class__} {G}",
            f"the placeholder {{F.__class__}} is no symbol of {EVERY}; "
            "its symbols are {F}, {G}",
        ),
        ("{F} {G!r}", "the placeholder {G} may not have a format"),
        ("{F} {G:>1000000000}", "the placeholder {G} may not have a format"),
        (
            "{F} {G:dative}",
            "the placeholder {G:dative} asks for a form that classes do not have: "
            "they have one form",
        ),
        ("{F} {G", "the text cannot be read: expected '}' before end of string"),
        ("{F} {G} }", "the text cannot be read: Single '}' encountered in format string"),
    ],
)
def test_a_text_that_does_not_fit_its_formula(text: str, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        read_template(parse(EVERY), text)
    assert str(caught.value) == message


def test_a_sentence_has_a_capital_and_a_full_stop_by_its_rules() -> None:
    clause = "no gene in {F} is in mTOR signalling"
    assert SentenceRules().sentence(clause) == "No gene in {F} is in mTOR signalling."
    assert SentenceRules(capital=False, full_stop=" |").sentence(clause) == f"{clause} |"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("no gene", None),
        ("{a} is", None),
        ("No gene", "the text begins with a capital, which is added where a sentence begins"),
        ("no gene.", "the text ends in '.', which is added to every sentence"),
        ("no gene ", "the text begins or ends with a space"),
    ],
)
def test_a_text_that_breaks_the_rules_of_sentences(text: str, fault: str | None) -> None:
    assert SentenceRules().fault(text) == fault
    assert SentenceRules(capital=False, full_stop="").fault(text.strip()) is None


def test_a_placeholder_says_which_form_it_means_where_there_are_several() -> None:
    formula = parse("F(a)")
    forms = (["dative", "genitive"], ["short"])
    template = read_template(formula, "{a} ist {F:dative}", forms=forms)
    names = [{"dative": "im Chor", "genitive": "des Chors"}, {"short": "Ida"}]
    assert template.fill(names) == "Ida ist im Chor"
    with pytest.raises(TemplateError) as caught:
        read_template(formula, "{a} ist {F}", forms=forms)
    assert str(caught.value) == (
        "the placeholder {F} must say which form it means: {F:dative}, {F:genitive}"
    )
    with pytest.raises(TemplateError) as caught:
        read_template(formula, "{a:dative} ist {F:dative}", forms=forms)
    assert str(caught.value) == (
        "the placeholder {a:dative} asks for a form that individuals do not have: "
        "their forms are short"
    )


def test_a_wording_is_the_one_asked_for_or_the_first() -> None:
    formula = parse(EVERY)
    wordings = [
        Wording("every", {"main": read_template(formula, "every thing in {F} is in {G}")}),
        Wording("only", {"main": read_template(formula, "only things in {G} are in {F}")}),
    ]
    found = Templates({formula.shape: Saying(formula, tuple(wordings))})
    names = called({"F": "A", "G": "B"})
    assert found.wordings() == ("every", "only")
    assert found.verbalise(formula, names, wording="only") == "only things in B are in A"
    assert found.verbalise(formula, names, wording="all") == "every thing in A is in B"
    assert found.verbalise(formula, names) == "every thing in A is in B"


@pytest.mark.parametrize("text", ["it is so", "{sentence} {sentence}", "{sentence:}", "{clause}"])
def test_what_is_no_phrase(text: str) -> None:
    with pytest.raises(TemplateError, match=r"must hold \{sentence\} once"):
        read_phrase(text)


# What the project's own templates say, read by a grammar of the English that they are written in.

Meaning = Callable[[Mapping[str, bool]], bool]


def _in(name: str) -> Meaning:
    return lambda atom: atom[name]


def _phrase(words: list[str]) -> Meaning:
    """Where somebody is: in F, outside F or outside G, in neither F nor G, in both F and G, …"""
    match words:
        case ["in", "both", one, "and", other]:
            return lambda atom: atom[one] and atom[other]
        case ["in", "neither", one, "nor", other]:
            return lambda atom: not atom[one] and not atom[other]
        case ["not", *rest]:
            positive = _phrase(rest)
            return lambda atom: not positive(atom)
    meanings: list[Meaning] = []
    alternatives = " ".join(words).replace(", ", " or ").split(" or ")
    for alternative in alternatives:
        match alternative.split():
            case ["in", name]:
                meanings.append(_in(name))
            case ["outside", name]:
                meanings.append(lambda atom, name=name: not atom[name])  # type: ignore[misc]
            case _:
                raise AssertionError(words)
    return lambda atom: any(meaning(atom) for meaning in meanings)


_ALIKE = (
    ("{member:singular}", "thing"), ("{member:plural}", "thing"), ("{", ""), ("}", ""),
    (" are ", " is "), (" lies ", " is "), (" inside ", " in "), ("at least one ", "some "),
    ("all ", "every "),
)  # fmt: skip
"""What says the same, in the words of ``_clause``."""


def _clause(text: str) -> tuple[str, Meaning]:
    """Whether all, some or a named individual, and what is said of it."""
    for said, alike in _ALIKE:
        text = text.replace(said, alike)
    words = text.split()
    quantifier = words[0]
    if quantifier not in ("every", "no", "some", "only"):
        assert words[1] == "is"
        return "named", _phrase(words[2:])
    assert words[1] == "thing"
    restriction, predicate = " ".join(words[2:]).removeprefix("that is ").split(" is ", 1)
    predicate = predicate.removesuffix(" too").removeprefix("also ")
    subject, rest = _phrase(restriction.split()), _phrase(predicate.split())
    if quantifier == "some":
        return "exists", lambda atom: subject(atom) and rest(atom)
    if quantifier == "only":
        return "all", lambda atom: not rest(atom) or subject(atom)
    sign = quantifier == "every"
    return "all", lambda atom: not subject(atom) or rest(atom) is sign


def _wordings(root: Path) -> list[tuple[str, str]]:
    """Formula and text of each wording of the sample's templates."""
    entries = read(root / "specs" / "sample" / "syllobio-nli.yaml").data["templates"]
    assert len(entries) >= 37
    return [(entry["formula"], said["text"]) for entry in entries for said in entry["texts"]]


def test_every_template_says_what_its_formula_says(root: Path) -> None:
    for written, text in _wordings(root):
        formula = enumeration.read(parse(written).text)
        said, meaning = _clause(text)
        quantified = formula.operator in ("all", "exists")
        assert said == (formula.operator if quantified else "named"), text
        body = formula.parts[0] if quantified else formula
        names = parse(written).symbols.predicates
        for row in product((False, True), repeat=len(names)):
            atom = dict(zip(names, row, strict=True))
            assert meaning(atom) is enumeration.holds(body, atom), (text, atom)


def test_no_two_templates_have_one_text(root: Path) -> None:
    texts = [text for _, text in _wordings(root)]
    assert len(set(texts)) == len(texts)
