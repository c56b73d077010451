from __future__ import annotations

import gzip
import io
import lzma
from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.families.sense_relations.languages import LanguageSet
from sorites.families.sense_relations.source_languages import print_languages, source_languages


def test_a_lexicon_and_its_database_share_the_same(
    sample_lexicon: Path, sample_database: Path
) -> None:
    found = source_languages([sample_lexicon], at_least=4, synsets=100)
    assert found[0] == LanguageSet(("el", "en", "ja", "ro"), 150)
    assert found[1] == LanguageSet(("el", "en", "ja", "ro", "tr"), 149)
    assert len(found) == 6
    assert source_languages([sample_database], at_least=4, synsets=100) == found


@pytest.mark.parametrize(("suffix", "packed"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_a_compressed_source_is_unpacked(
    tmp_path: Path, sample_lexicon: Path, suffix: str, packed: object
) -> None:
    assert callable(packed)
    source = tmp_path / f"lexicon.xml{suffix}"
    source.write_bytes(packed(sample_lexicon.read_bytes()))
    assert len(source_languages([source], at_least=5, synsets=1)) == 1
    assert [each.name for each in tmp_path.iterdir()] == [source.name]


def test_another_file_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "words.txt"
    source.write_text("dog\n")
    with pytest.raises(SourceError) as caught:
        source_languages([source], at_least=1, synsets=1)
    assert str(caught.value) == (
        "words.txt: is neither a Cygnet database nor a WN-LMF file, which starts with an XML "
        "declaration"
    )


@pytest.mark.parametrize("name", ["none.db", "none.db.xz"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError) as caught:
        source_languages([tmp_path / name], at_least=1, synsets=1)
    assert str(caught.value) == f"{tmp_path / name}: cannot be read: No such file or directory"


SETS = [LanguageSet(("el", "en"), 18108), LanguageSet(("en",), 120)]


def test_csv() -> None:
    out = io.StringIO()
    print_languages(SETS, as_csv=True, out=out)
    assert out.getvalue() == "size,synsets,languages\n2,18108,el en\n1,120,en\n"


def test_a_table() -> None:
    out = io.StringIO()
    print_languages(SETS, out=out)
    lines = [line for line in out.getvalue().splitlines() if "en" in line]
    assert "18,108" in lines[0]
    assert "el en" in lines[0]
    assert "2 sets of languages" in out.getvalue()


def test_the_papers_choice_on_the_rebuilt_database(shared_data: Path) -> None:
    found = source_languages(
        [shared_data / "wordnet" / "cygnet-like-core.db.xz"], at_least=4, synsets=7000
    )
    assert found == [LanguageSet(("el", "en", "ro", "tr"), 7042)]


STRANGE = [LanguageSet(("[red]e\x1b[31mn", "x\u202ey"), 1)]
SHOWN = "[red]e<U+001B>[31mn x<U+202E>y"


@pytest.mark.parametrize("as_csv", [True, False])
def test_no_code_of_a_strangers_file_reaches_the_terminal_raw(as_csv: bool) -> None:
    out = io.StringIO()
    print_languages(STRANGE, as_csv=as_csv, out=out)
    assert SHOWN in out.getvalue()


def test_several_files_are_counted_together(tmp_path: Path, sample_lexicon: Path) -> None:
    text = sample_lexicon.read_text(encoding="utf-8")
    start = text.index("<Lexicon ")
    head, lexicons = text[:start], text[start:].split("</Lexicon>")[:-1]
    paths = []
    for number, each in enumerate(lexicons):
        paths.append(tmp_path / f"{number}.xml")
        paths[-1].write_text(f"{head}{each}</Lexicon></LexicalResource>", encoding="utf-8")
    assert len(paths) == 5
    together = source_languages(paths, at_least=4, synsets=100)
    assert together == source_languages([sample_lexicon], at_least=4, synsets=100)


def test_a_database_is_given_alone(sample_lexicon: Path, sample_database: Path) -> None:
    with pytest.raises(SourceError) as caught:
        source_languages([sample_lexicon, sample_database], at_least=1, synsets=1)
    assert str(caught.value) == (
        "sample.db: a Cygnet database holds all its languages already; give it alone, or several "
        "WN-LMF files"
    )
