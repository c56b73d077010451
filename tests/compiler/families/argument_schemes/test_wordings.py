"""What ``check`` says of wordings, phrases, names and schemes that would mislead a reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sorites.errors import InvalidSpec
from sorites.families.argument_schemes.english import EnglishReader
from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.words import Words
from sorites.logic.prover import Answer, Prover
from sorites.logic.sentence_templates import Saying
from sorites.pipeline import check_spec
from tests.small_spec import small_spec

Data = dict[str, Any]


def problems(folder: Path, change: Callable[[Data], object]) -> list[str]:
    """Path, message and hint of each problem."""
    try:
        check_spec(small_spec(folder, change))
    except InvalidSpec as error:
        return [f"{each.path}: {each.message} | {each.hint}" for each in error.problems]
    return []


def template(data: Data, formula: str) -> Data:
    (found,) = [entry for entry in data["templates"] if entry["formula"] == formula]
    assert isinstance(found, dict)
    return found


def reword(formula: str, text: str) -> Callable[[Data], object]:
    def change(data: Data) -> None:
        entry = template(data, formula)
        entry.pop("texts", None)
        entry["text"] = text

    return change


def test_two_shapes_with_one_wording(tmp_path: Path) -> None:
    found = problems(tmp_path, reword("-F(a)", "{a} is in {F}"))
    assert (
        "templates[1].text: the text for -F(a) reads like that of another formula: "
        '"{a} is in {F}" | two shapes need two wordings' in found
    )
    # English function words tell as well which of the two is wrong.
    assert any("by its function words the text says F(a), not -F(a)" in each for each in found)


@pytest.mark.parametrize(
    ("formula", "text", "said"),
    [
        (
            "exists x.(F(x) & G(x))",
            "every {member:singular} in {F} is also in {G} now",
            "no grammar of English function words reads the text",
        ),
        (
            "exists x.(F(x) & -G(x))",
            "every {member:singular} in {F} is outside {G}",
            "by its function words the text says all x.(F(x) -> -G(x)), "
            "not exists x.(F(x) & -G(x))",
        ),
        (
            "all x.(F(x) -> G(x))",
            "every {member:singular} in {G} is also in {F}",
            "by its function words the text says all x.(G(x) -> F(x)), not all x.(F(x) -> G(x))",
        ),
    ],
)
def test_a_template_that_says_something_else(
    tmp_path: Path, formula: str, text: str, said: str
) -> None:
    assert any(said in each for each in problems(tmp_path, reword(formula, text)))


def test_a_gloss_stands_in_for_a_text_that_no_grammar_reads(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        entry = template(data, "all x.(F(x) -> -G(x))")
        del entry["texts"]
        entry.update(text="nothing in {F} belongs to {G}", gloss="no thing in {F} is in {G}")

    assert problems(tmp_path / "one", change) == []

    def wrong(data: Data) -> None:
        change(data)
        template(data, "all x.(F(x) -> -G(x))")["gloss"] = "some thing in {F} is in {G}"

    assert any("by its function words the gloss says" in each
               for each in problems(tmp_path / "two", wrong))  # fmt: skip


def test_phrases_that_are_exchanged_or_alike(tmp_path: Path) -> None:
    def exchange(data: Data) -> None:
        words = data["vocabulary"]
        words["asserted"], words["denied"] = words["denied"], words["asserted"]

    found = problems(tmp_path / "one", exchange)
    assert found == [
        "vocabulary.asserted: by its function words the phrase says -F(a), not F(a) | reword it, "
        "or give {text: …, gloss: …} with a gloss that a person has reviewed",
        "vocabulary.denied: by its function words the phrase says F(a), not -F(a) | reword it, "
        "or give {text: …, gloss: …} with a gloss that a person has reviewed",
    ]

    def alike(data: Data) -> None:
        data["vocabulary"]["denied"] = "It  is true that {sentence}"

    assert any(
        "the phrase reads as the one that asserts: nobody could tell them apart" in each
        for each in problems(tmp_path / "two", alike)
    )


def test_another_language_needs_glosses(tmp_path: Path) -> None:
    found = problems(tmp_path, lambda data: data.update(languages=["pl"]))
    assert any("vocabulary.denied: the phrase is not in English: it needs a gloss" in each
               for each in found)  # fmt: skip
    assert any("the text is not in English: it needs a gloss" in each for each in found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{a} is in {F}.", "the text ends in '.', which is added to every sentence"),
        (
            "The thing {a} is in {F}",
            "the text begins with a capital, which is added where a sentence begins",
        ),
    ],
)
def test_templates_keep_their_own_rules(tmp_path: Path, text: str, said: str) -> None:
    assert any(said in each for each in problems(tmp_path, reword("F(a)", text)))


def test_a_form_of_clause_that_a_phrase_asks_for(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        data["vocabulary"]["denied"] = "it is false that {sentence:subordinate}"

    found = problems(tmp_path, change)
    assert any("the text has no form subordinate, which a phrase before conclusions asks for"
               in each for each in found)  # fmt: skip


def test_one_text_or_several_and_no_name_twice(tmp_path: Path) -> None:
    def both(data: Data) -> None:
        template(data, "F(a)")["text"] = "{a} is in {F}"

    assert any("a template has either a text or texts" in e for e in problems(tmp_path / "1", both))

    def twice(data: Data) -> None:
        text = "{a} is in {F}"
        template(data, "F(a)")["texts"] = [
            {"name": "one", "text": text},
            {"name": "one", "text": text},
        ]

    assert any('the wording "one" stands twice' in e for e in problems(tmp_path / "2", twice))


def test_a_class_and_an_individual_are_told_apart(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        data["vocabulary"].update({"class": "{name}", "individual": "{name}"})

    assert any(
        "a class and an individual of one name would be called alike" in each
        for each in problems(tmp_path, change)
    )


def scheme(premises: list[str], conclusion: str) -> Callable[[Data], object]:
    def change(data: Data) -> None:
        data["exemplars"] = []
        data["schemes"] = [
            {"scheme": "tried", "variant": "base", "premises": premises, "conclusion": conclusion}
        ]

    return change


@pytest.mark.parametrize(
    ("premises", "conclusion", "said"),
    [
        (
            ["all x.(F(x) -> G(x))", "F(a)"],
            "F(a)",
            "schemes[0].conclusion: the conclusion F(a) is one of the premises",
        ),
        (
            ["all x.(F(x) -> G(x))", "F(x)"],
            "G(x)",
            "schemes[0]: x is bound in one formula and names an individual in another",
        ),
        (
            ["all x.(F(x) -> G(x))", "all x.(F(x) -> G(x))", "F(a)"],
            "G(a)",
            "by positions from 0 the sets are {0, 2} or {1, 2}",
        ),
        (
            ["all x.(F(x) -> G(x))", "all x.(F(x) -> H(x))"],
            "exists x.(G(x) & H(x))",
            "it follows where every class has a member: set logic.existential_import, and let"
            " logic.assumptions tell it to readers",
        ),
        (["F(a)"], "G(a)", "mend the premises or the conclusion"),
    ],
)
def test_schemes_that_are_not_what_they_claim(
    tmp_path: Path, premises: list[str], conclusion: str, said: str
) -> None:
    assert any(said in each for each in problems(tmp_path, scheme(premises, conclusion)))


def test_a_scheme_that_is_there_in_other_letters(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        data["schemes"].append(
            {
                "scheme": "again",
                "variant": "base",
                "premises": ["K(b)", "all x.(K(x) -> L(x))"],
                "conclusion": "L(b)",
            }
        )

    found = problems(tmp_path, change)
    assert any(
        "the scheme is schemes[0], generalized modus ponens in its variant base, in other letters"
        in each
        for each in found
    )


def test_existential_import_is_told_and_shown(tmp_path: Path) -> None:
    found = problems(tmp_path / "one", lambda data: data.update(logic={"existential_import": True}))
    assert found == [
        "logic.existential_import: labels rest on existential import, and nothing tells a reader"
        " | add logic.assumptions: a sentence such as Every class named here has a member."
    ]

    def unseen(data: Data) -> None:
        data["logic"] = {"existential_import": True, "assumptions": "Every class has a member."}
        for task in data["tasks"].values():
            for prompt in task["prompts"].values():
                prompt["user"] = prompt["user"].replace("assumptions", "domain")

    found = problems(tmp_path / "two", unseen)
    assert len(found) == 8
    assert all("the prompt does not show the column assumptions" in each for each in found)


def test_patterns_for_names_are_expressions(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        data["ontology"]["class_names"] = {"clean": [{"pattern": "("}]}
        data["ontology"]["individual_names"] = {"keep": "[a"}

    found = problems(tmp_path, change)
    assert any(each.startswith("ontology.class_names.clean[0].pattern: not a regular expression")
               for each in found)  # fmt: skip
    assert any(each.startswith("ontology.individual_names.keep: not a regular expression")
               for each in found)  # fmt: skip


@pytest.fixture(scope="module")
def words(root: Path) -> Words:
    """The sentences of the full spec."""
    plan, _ = read_plan(check_spec(root / "specs" / "syllobio-nli.yaml"))
    return plan.words


def test_premises_and_conclusions_can_be_said_in_several_wordings(root: Path, words: Words) -> None:
    plan, _ = read_plan(check_spec(root / "specs" / "syllobio-nli.yaml"))
    assert words.wordings() == ("every", "all", "only")
    said = {
        formula.shape
        for scheme in plan.schemes
        for formula in (*scheme.premises, scheme.conclusion)
    }
    for shape in said:
        names = [each.name for each in words.templates.by_shape[shape].wordings]
        assert len(names) > 1, shape
        assert names[0] == "every"


def test_a_wording_under_any_other_formula_is_found_by_its_function_words(words: Words) -> None:
    reader, prover = EnglishReader(words), Prover()
    sayings = [*words.templates.by_shape.values()]
    exchanged = 0
    for one in sayings:
        for other in sayings:
            found = [each.formula.symbols for each in (one, other)]
            if len({(len(each.predicates), len(each.individuals)) for each in found}) > 1:
                continue
            same = {
                prover.entails([one.formula], other.formula),
                prover.entails([other.formula], one.formula),
            } == {Answer.YES}
            for wording in one.wordings:
                fault = reader.template_fault(Saying(other.formula, (wording,)), wording.name)
                assert (fault is None) is same, (str(other.formula), wording.name)
                exchanged += fault is not None
    assert exchanged > 100
