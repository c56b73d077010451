"""Small lexicons that went wrong once, each with what is right; skips where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.families.sense_relations.languages import LanguageSet
from sorites.families.sense_relations.leaks import find_leak
from sorites.families.sense_relations.plan import Lexicalisation
from sorites.families.sense_relations.source_languages import source_languages
from sorites.progress import Silent
from sorites.sources.copies import take
from sorites.sources.lexicons.lmf import read_lmf
from sorites.sources.lexicons.policies import Policies, Repeats
from sorites.specfile.model import SourcePin


@pytest.fixture(scope="session")
def cases(shared_data: Path) -> Path:
    """The folder with the lexicons."""
    found = shared_data.parent / "cases" / "lexicons"
    if not found.is_dir():
        pytest.skip("no folder with the lexicons that went wrong")
    return found


def test_several_definitions_are_a_matter_of_policy(cases: Path) -> None:
    path = cases / "two-definitions.xml"
    found = read_lmf([path], ["en"])
    assert found.glosses == {"en": {"i1": "one"}}
    assert found.repeated_glosses == Repeats(1, ("i1 (en): one | two",))
    assert read_lmf([path], ["en"], Policies(glosses="join")).glosses == {"en": {"i1": "one; two"}}
    with pytest.raises(SourceError) as caught:
        read_lmf([path], ["en"], Policies(glosses="refuse"))
    assert str(caught.value) == (
        "two-definitions.xml: 'i1' has two glosses in 'en', 'one' and 'two'; set `lexicon.glosses` "
        "to first or join, or remove one of the two"
    )


def test_equal_definitions_are_one(cases: Path) -> None:
    found = read_lmf([cases / "two-equal-definitions.xml"], ["en"], Policies(glosses="refuse"))
    assert (found.glosses, found.repeated_glosses) == ({"en": {"i1": "one"}}, Repeats())


def test_glosses_without_any_ili_are_counted_or_kept(cases: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read_lmf([cases / "all-in.xml"], ["en"])
    assert str(caught.value) == (
        "all-in.xml: 14 synsets have glosses but none has an ILI, which links synsets; for a data "
        "set in one language set `lexicon.without_ili` to keep"
    )
    kept = read_lmf([cases / "all-in.xml"], ["en"], Policies(without_ili="keep"))
    assert len(kept.glosses["en"]) == kept.synsets_without_ili == 14


def test_codes_of_one_language_are_one_and_what_is_left_out_is_named(cases: Path) -> None:
    assert len(read_lmf([cases / "def-lang-jpn-in-ja.xml"], ["ja"]).glosses["ja"]) == 14
    variants = cases / "language-variants.xml"
    assert read_lmf([variants], ["en"]).glosses == {"en": {"i1": "a dog", "i2": "x", "i3": "y"}}
    with pytest.raises(SourceError, match=r"languages with glosses: en \(1\), en-GB \(1\), eng \("):
        read_lmf([variants], ["ja"])


def test_glosses_of_a_second_language_are_used_where_they_are_asked_for(cases: Path) -> None:
    path = cases / "glosses-in-two-languages.xml"
    one = read_lmf([path], ["sl"])
    assert one.glosses["sl"]["i1"] == "slovenska razlaga a"
    assert one.other_glosses == {"en": 14}
    both = read_lmf([path], ["sl", "en"])
    assert both.glosses["en"]["i1"] == "gloss number aa in sl"
    assert {code: len(found) for code, found in both.glosses.items()} == {"sl": 14, "en": 14}


def test_other_relations_are_told_apart_by_their_type(cases: Path) -> None:
    found = read_lmf([cases / "dc-type-agent.xml"], ["en"]).sense_relations
    assert {name: len(pairs) for name, pairs in found.items()} == {
        "other": 13,
        "other:location": 7,
        "other:agent": 6,
    }


@pytest.mark.parametrize(
    ("name", "language", "word"),
    [("hebrew-points.xml", "he", "יֵשׁוּת"), ("underscore-lemma.xml", "ro", "animal_de_casa")],
)
def test_a_lemma_is_found_as_people_write_it(
    name: str, language: str, word: str, cases: Path
) -> None:
    lexicon = read_lmf([cases / name], [language])
    leak = find_leak(lexicon, "i1", [language], Lexicalisation(match="word"))
    assert leak is not None
    assert leak.word == word


def test_the_lexicon_of_a_package_is_read(cases: Path, tmp_path: Path) -> None:
    package = cases / "package.tar.xz"
    assert source_languages([package], at_least=1, synsets=1) == [LanguageSet(("en",), 14)]
    pin = SourcePin("it", "1", "cc0-1.0", "nobody", None, file=package)
    _, content = take(pin, package, tmp_path, Silent())
    assert len(read_lmf([content], ["en"]).glosses["en"]) == 14
