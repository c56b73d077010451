from __future__ import annotations

import pytest

from sorites.logic.grammar.fragment import read_fragment
from sorites.logic.grammar.grammar import MAX_GRAMMAR_LENGTH, GrammarError, read_grammar

START = "% start S\n"
WORDS = r"""
PN[SEM=<\F.F(ann)>] -> 'Ann'
PN[SEM=<\F.F(bob)>] -> 'Bob'
IV[TENSE=past, SEM=<\x.swim(x)>] -> 'swam'
"""
SENTENCE = "S[TENSE=?t, SEM=<?np(?v)>] -> PN[SEM=?np] IV[TENSE=?t, SEM=?v]\n"


def test_rules_and_words_are_kept_apart() -> None:
    grammar = read_grammar(START + SENTENCE + WORDS)
    assert grammar.start == "S"
    assert len(grammar.rules) == 1
    assert [(word.words, word.symbol) for word in grammar.words] == [
        (("Ann",), "ann"),
        (("Bob",), "bob"),
        (("swam",), "swim"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            START + SENTENCE + r"PN[SEM=<\F.F(ann)>] -> PN[SEM=?a] 'and' PN[SEM=?b]" + WORDS,
            "the grammar is left-recursive: PN -> PN; its sentences would have no greatest "
            "length: give the inner category another name",
        ),
        (
            START + "S[TENSE=?t, SEM=<?n(?s)>] -> NEG[SEM=?n] S[TENSE=?t, SEM=?s]\n"
            r"NEG[SEM=<\P.-P>] -> 'not'" + "\n" + SENTENCE + WORDS,
            "the grammar is recursive: S -> S; its sentences would have no greatest length: give "
            "the inner category another name",
        ),
        (
            START + SENTENCE + "PN[SEM=?x] -> XP[SEM=?x]\nXP[SEM=?x] -> PN[SEM=?x] 'too'\n" + WORDS,
            "the grammar is left-recursive: PN -> XP -> PN; its sentences would have no greatest "
            "length: give the inner category another name",
        ),
        (START + SENTENCE + "PN[SEM=<ann>] -> 'Ann'", "IV is used but no rule expands it"),
        (
            START + "S -> PN[SEM=?x]\n" + WORDS,
            "a rule for S has no meaning: write S[SEM=…]",
        ),
        (
            START + SENTENCE + WORDS + "IV[TENSE=past, SEM=run] -> 'ran'",
            "the meaning of 'ran' is no lambda term: write it between angle brackets, as in "
            r"SEM=<\x.swim(x)>",
        ),
        (
            START + SENTENCE + WORDS + r"IV[TENSE=past, SEM=<\x.see(x,ann)>] -> 'saw' 'Ann'",
            "the meaning of 'saw Ann' names ann and see; a word has one symbol, or none if it is "
            "a connective",
        ),
        (
            START
            + SENTENCE
            + WORDS
            + r"PN[SEM=<\F."
            + r"(\P.(P & P))(" * 8
            + "F(eve)"
            + ")" * 8
            + ">] -> 'Eve'",
            "a meaning of PN binds more than 8 variables",
        ),
        (
            "a" * (MAX_GRAMMAR_LENGTH + 1),
            "the grammar has 100,001 characters; at most 100,000 are read",
        ),
    ],
)
def test_refuses(text: str, message: str) -> None:
    with pytest.raises(GrammarError) as raised:
        read_grammar(text)
    assert str(raised.value) == message


def test_a_meaning_that_grows_without_end_is_refused() -> None:
    text = (
        START
        + r"""
S[TENSE=past, SEM=<?a(?b)>] -> A[SEM=?a] A[SEM=?b]
A[SEM=<\F.F(F)>] -> 'so'
"""
    )
    with pytest.raises(GrammarError) as raised:
        read_fragment(text)
    assert str(raised.value) == "the meaning of 'S -> A A' grows without end"


def test_a_meaning_that_doubles_at_every_level_is_refused() -> None:
    levels = "".join(rf"L{n}[SEM=<(?a & ?a)>] -> L{n + 1}[SEM=?a]" + "\n" for n in range(40))
    text = (
        START
        + "S[TENSE=past, SEM=?a] -> L0[SEM=?a]\n"
        + levels
        + "L40[SEM=<rain>] -> 'it' 'rained'"
    )
    with pytest.raises(GrammarError) as raised:
        read_fragment(text)
    assert str(raised.value) == "the meaning of 'L30 -> L31' grows without end"


def test_too_many_shapes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorites.logic.grammar.derivations.MAX_DERIVATIONS", 200)
    words = "".join(rf"A[SEM=<\F.F(a{n})>] -> 'x{n}'" + "\n" for n in range(3))
    forms = "".join(f"B[SEM=?a] -> A[SEM=?a] 'y{n}'\n" for n in range(30))
    text = (
        START
        + "S[TENSE=past, SEM=?a] -> "
        + " ".join("B[SEM=?a]" for _ in range(8))
        + "\n"
        + forms
        + words
    )
    with pytest.raises(GrammarError) as raised:
        read_fragment(text)
    assert str(raised.value) == "'S -> B B B B B B B B' has more than 200 shapes"


def test_an_unreadable_line_is_named() -> None:
    with pytest.raises(GrammarError) as raised:
        read_grammar(START + SENTENCE + "PN[SEM=<ann> -> 'Ann'\n")
    assert raised.value.line == 3
    assert str(raised.value).startswith("line 3 of the grammar: cannot be read: ")


def test_a_verb_without_a_form_is_named() -> None:
    text = (
        START
        + SENTENCE
        + WORDS
        + r"""
IV[TENSE=present, SEM=<\x.swim(x)>] -> 'swims'
IV[TENSE=past, SEM=<\x.run(x)>] -> 'ran'
"""
    )
    with pytest.raises(GrammarError) as raised:
        read_fragment(text)
    assert str(raised.value) == "run has no word for IV[TENSE=present]: add one"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            START + SENTENCE + WORDS + r"IV[TENSE=past, SEM=<\x.swim(x)>] -> 'bathed'",
            "swim has two words for IV[TENSE=past]: 'swam' and 'bathed'",
        ),
        (
            START + SENTENCE.replace("TENSE=?t, ", "") + WORDS.replace("TENSE=past, ", ""),
            "the start symbol S has no tense: add TENSE=…",
        ),
        (
            START + SENTENCE + WORDS.replace(r"\F.F(bob)", r"\F.bob"),
            "two rules give one sentence",
        ),
        (
            START + SENTENCE + WORDS.replace(r"\x.swim(x)", r"\x.\y.swim(x,y)"),
            r"'PN IV' has no formula: '\y.slot1(slot0,y)' is not a sentence: it has no truth "
            r"value (its meaning is \y.slot1(slot0,y))",
        ),
        (
            START + SENTENCE + WORDS.replace(r"\x.swim(x)", r"\x.all y.swim(y)"),
            "'PN IV' has no formula: it has a quantifier, and hypotheses are made of atoms (its "
            "meaning is all y.slot1(y))",
        ),
        (
            START
            + "S[TENSE=past, SEM=<?v(?a)>] -> PN[SEM=?a] TV[SEM=?v] PN[SEM=?b]\n"
            + "PN[SEM=<ann>] -> 'Ann'\n"
            + r"TV[SEM=<\x.see(x,x)>] -> 'saw'",
            "'PN TV PN' needs 2 different words of the category PN, which has 1",
        ),
    ],
)
def test_a_fragment_that_cannot_be_generated_from_is_refused(text: str, message: str) -> None:
    if message == "two rules give one sentence":
        text = START + SENTENCE + SENTENCE + WORDS
        message = "two rules give one sentence: PN IV (past)"
    with pytest.raises(GrammarError) as raised:
        read_fragment(text)
    assert str(raised.value) == message
