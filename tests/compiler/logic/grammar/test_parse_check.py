from __future__ import annotations

import pytest

from sorites.logic.formulas import parse
from sorites.logic.grammar.fragment import Fragment, Sentence, capitalised, read_fragment
from sorites.logic.grammar.parse_check import Reader
from sorites.logic.prover import Prover


@pytest.fixture(scope="module")
def reader(fragment: Fragment) -> Reader:
    return Reader(fragment.grammar)


@pytest.mark.parametrize(("tense", "every"), [("past", 1), ("present", 3)])
def test_every_shape_parses_back_to_its_formula(
    fragment: Fragment, reader: Reader, tense: str, every: int
) -> None:
    prover = Prover()
    for shape in fragment.shapes[::every]:
        used: list[str] = []
        for category in shape.categories:
            used.append([s for s in fragment.vocabulary[category] if s not in used][-1])
        sentence = Sentence(shape, tuple(used))
        text = capitalised(sentence.words(tense))
        assert reader.fault(text, sentence.formula, prover) is None
        assert len(reader.readings(text)) == 1


@pytest.mark.parametrize(
    "sentence",
    ["Ann swim", "Ann and Bob swims", "Ann or Bob swim", "Ann Bob swam", "Ann walked", ""],
)
def test_what_is_not_in_the_fragment_has_no_reading(reader: Reader, sentence: str) -> None:
    assert reader.readings(sentence) == ()


def test_a_wrong_formula_is_told(reader: Reader) -> None:
    prover = Prover()
    assert reader.fault("Ann saw Bob", parse("see(bob,ann)"), prover) == (
        "'Ann saw Bob' says see(ann,bob), not see(bob,ann)"
    )
    assert reader.fault("Ann seen Bob", parse("see(ann,bob)"), prover) == (
        "'Ann seen Bob' cannot be parsed with the grammar"
    )


def test_equivalent_formulas_say_the_same(reader: Reader) -> None:
    wanted = parse("-(swim(ann) | swim(bob))")
    assert reader.fault("Ann and Bob did not swim", wanted, Prover()) is None


def test_a_term_that_nltk_reads_with_its_arguments_exchanged_is_found_out() -> None:
    # \x.?np(\y.?v(y)(x)) looks right; the inner part is read as (\y.?v(y))(x).
    text = r"""
% start S
S[TENSE=past, SEM=<?np(?vp)>] -> PN[SEM=?np] VP[SEM=?vp]
VP[SEM=<\x.?np(\y.?v(y)(x))>] -> TV[SEM=?v] PN[SEM=?np]
PN[SEM=<\F.F(ann)>] -> 'Ann'
PN[SEM=<\F.F(bob)>] -> 'Bob'
TV[SEM=<\y x.see(x,y)>] -> 'saw'
"""
    fragment = read_fragment(text)
    sentence = fragment.says(parse("see(ann,bob)"))
    assert sentence is not None
    assert sentence.words("past") == "Bob saw Ann"
