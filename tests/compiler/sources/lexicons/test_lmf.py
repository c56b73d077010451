from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import wn
from wn._config import config
from wn._db import pool

from sorites.errors import SourceError
from sorites.sources.lexicons.lmf import read_lmf, read_lmf_coverage
from sorites.sources.lexicons.policies import Policies, Repeats

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.4.dtd">\n'
    '<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">\n'
)


def lexicon(language: str, body: str, kind: str = "Lexicon", version: str = "1") -> str:
    return (
        f'<{kind} id="w-{language}" label="W" language="{language}" email="w@example.org" '
        f'license="https://creativecommons.org/licenses/by/4.0/" version="{version}">'
        f"{body}</{kind}>\n"
    )


def entry(name: str, synset: str, pos: str = "n", inside: str = "", forms: str = "") -> str:
    return (
        f'<LexicalEntry id="{name}-e"><Lemma writtenForm="{name}" partOfSpeech="{pos}"/>{forms}'
        f'<Sense id="{name}-s" synset="{synset}">{inside}</Sense></LexicalEntry>'
    )


def synset(name: str, ili: str, gloss: str = "", pos: str = "n", relations: str = "") -> str:
    definition = f"<Definition>{gloss}</Definition>" if gloss else ""
    return f'<Synset id="{name}" ili="{ili}" partOfSpeech="{pos}">{definition}{relations}</Synset>'


ENGLISH = lexicon(
    "en",
    entry("dog", "en-1", forms='<Form writtenForm="dogs"/>')
    + entry("animal", "en-2")
    + entry("hot", "en-3", "a", '<SenseRelation relType="antonym" target="cold-s"/>')
    + entry("cold", "en-4", "s")
    + synset(
        "en-1",
        "i1",
        "kept as a pet",
        relations='<SynsetRelation relType="hypernym" target="en-2"/>',
    )
    + synset("en-2", "i2", "alive")
    + synset("en-3", "i3", "burning", "a")
    + synset("en-4", "i4", "freezing", "s")
    + synset("en-5", "", "known here only")
    + synset("en-6", "in", "proposed for the index"),
)
GREEK = lexicon(
    "el",
    entry("σκύλος", "el-1")
    + synset("el-1", "i1", "κατοικίδιο")
    + '<Synset id="el-2" ili="i2" partOfSpeech="n">'
    '<Definition language="en">alive too</Definition><Definition>ζωντανό</Definition></Synset>',
)


def write(folder: Path, *lexicons: str, name: str = "w.xml", head: str = HEAD) -> Path:
    path = folder / name
    path.write_text(head + "".join(lexicons) + "</LexicalResource>\n", encoding="utf-8")
    return path


def refusal(paths: list[Path], languages: list[str]) -> str:
    with pytest.raises(SourceError) as caught:
        read_lmf(paths, languages)
    return str(caught.value)


def test_lexicons_are_linked_by_ili(tmp_path: Path) -> None:
    found = read_lmf([write(tmp_path, ENGLISH, GREEK)], ["en", "el"])
    assert found.pos == {"i1": "NOUN", "i2": "NOUN", "i3": "ADJ", "i4": "ADJ"}
    assert found.glosses["en"] == {
        "i1": "kept as a pet", "i2": "alive", "i3": "burning", "i4": "freezing",
    }  # fmt: skip
    assert found.glosses["el"] == {"i1": "κατοικίδιο", "i2": "ζωντανό"}
    assert found.lemmas["en"]["i1"] == ("dog",)
    assert found.forms == {"en": {"i1": ("dogs",)}, "el": {}}
    assert found.lemmas["el"] == {"i1": ("σκύλος",)}
    assert found.synset_relations == {"hypernym": frozenset({("i1", "i2")})}
    assert found.sense_relations == {"antonym": frozenset({("i3", "i4")})}
    assert found.synsets_without_ili == 2
    assert [(each.id, each.version, each.language) for each in found.wordnets] == [
        ("w-en", "1", "en"),
        ("w-el", "1", "el"),
    ]


def test_lexicons_may_come_in_several_files(tmp_path: Path) -> None:
    one = read_lmf([write(tmp_path, ENGLISH, GREEK)], ["en", "el"])
    two = read_lmf(
        [write(tmp_path, ENGLISH, name="en.xml"), write(tmp_path, GREEK, name="el.xml")],
        ["en", "el"],
    )
    assert one == two


def test_languages_that_were_not_asked_for_still_relate_concepts(tmp_path: Path) -> None:
    found = read_lmf([write(tmp_path, ENGLISH, GREEK)], ["el"])
    assert set(found.glosses) == {"el"}
    assert found.synset_relations == {"hypernym": frozenset({("i1", "i2")})}


def test_glosses_in_a_second_language_are_used_where_they_are_asked_for(tmp_path: Path) -> None:
    alone = read_lmf([write(tmp_path, GREEK)], ["en"])
    assert alone.glosses == {"en": {"i2": "alive too"}}
    assert alone.other_glosses == {"el": 2}
    # The language's own lexicon goes first.
    both = read_lmf([write(tmp_path, GREEK, ENGLISH)], ["en"])
    assert both.glosses["en"]["i2"] == "alive"
    assert both.secondary_glosses == 1
    assert both.repeated_glosses == Repeats()


def test_codes_of_one_language_and_its_variants_are_one(tmp_path: Path) -> None:
    coded = ENGLISH.replace("<Definition>kept", '<Definition language="eng">kept').replace(
        "<Definition>alive", '<Definition language="en-GB">alive'
    )
    found = read_lmf([write(tmp_path, coded)], ["en"])
    assert found.glosses == read_lmf([write(tmp_path, ENGLISH)], ["en"]).glosses
    assert read_lmf([write(tmp_path, coded)], ["eng"]).glosses["eng"] == found.glosses["en"]
    assert read_lmf([write(tmp_path, coded)], ["eng"]).lemmas["eng"]["i1"] == ("dog",)


def test_synsets_without_ili_make_a_lexicon_in_one_language(tmp_path: Path) -> None:
    path = write(tmp_path, re.sub('ili="i[0-9]"', 'ili="in"', ENGLISH))
    assert refusal([path], ["en"]) == (
        "w.xml: 6 synsets have glosses but none has an ILI, which links synsets; for a data set in "
        "one language set `lexicon.without_ili` to keep"
    )
    found = read_lmf([path], ["en"], Policies(without_ili="keep"))
    assert found.glosses["en"]["en-1"] == "kept as a pet"
    assert found.synset_relations == {"hypernym": frozenset({("en-1", "en-2")})}
    assert found.lemmas["en"]["en-1"] == ("dog",)


def test_coverage_counts_concepts_by_language(tmp_path: Path) -> None:
    assert read_lmf_coverage([write(tmp_path, ENGLISH, GREEK)]) == {
        frozenset({"en", "el"}): 2,
        frozenset({"en"}): 2,
    }


def test_the_users_own_wordnets_are_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    monkeypatch.setattr(config, "_data_directory", own)
    monkeypatch.setattr(config, "_dbpath", own / "wn.db")
    before = dict(pool)
    scratch = tmp_path / "cache"
    read_lmf([write(tmp_path, ENGLISH)], ["en"], scratch=scratch)
    assert not own.exists()
    assert config.database_path == own / "wn.db"
    assert pool == before
    assert list(scratch.iterdir()) == []


def test_the_setting_is_put_back_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    monkeypatch.setattr(config, "_data_directory", own)
    monkeypatch.setattr(config, "_dbpath", own / "wn.db")
    twice = lexicon(
        "en", entry("dog", "en-1") + entry("dog", "en-1") + synset("en-1", "i1", "a pet")
    )
    path = write(tmp_path, twice.replace("dog-s", "dog-s2", 1))
    message = refusal([path], ["en"])
    assert message.startswith("w.xml: is not valid WN-LMF: UNIQUE constraint failed")
    assert config.database_path == own / "wn.db"
    assert not own.exists()


def test_a_declared_entity_is_refused(tmp_path: Path) -> None:
    head = HEAD.replace(
        'dtd">', 'dtd" [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    )
    path = write(tmp_path, ENGLISH.replace("alive", "&b;"), head=head)
    assert refusal([path], ["en"]) == (
        "w.xml: declares the XML entity 'a'; a WN-LMF file declares none, and such declarations "
        "can be made to exhaust memory: remove it"
    )


def test_an_external_entity_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    head = HEAD.replace('dtd">', f'dtd" [<!ENTITY x SYSTEM "{secret.as_uri()}">]>')
    path = write(tmp_path, ENGLISH.replace("alive", "&x;"), head=head)
    assert refusal([path], ["en"]) == (
        "w.xml: declares the XML entity 'x'; a WN-LMF file declares none, and such declarations "
        "can be made to exhaust memory: remove it"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "w.xml: is not valid WN-LMF: invalid or missing XML declaration"),
        (b"synset\tgloss\n", "w.xml: is not XML: syntax error: line 1, column 0"),
        (b"<a><", "w.xml: is not valid WN-LMF: invalid or missing XML declaration"),
        (b"<a/>", "w.xml: is not valid WN-LMF: invalid or missing XML declaration"),
        (
            (HEAD + "<Lexicon>").encode(),
            "w.xml: is not valid WN-LMF: invalid or ill-formed XML (no element found: line 4",
        ),
        (
            (HEAD + "<Lexicon/></LexicalResource>").encode(),
            "w.xml: is not valid WN-LMF: <Lexicon> missing required attribute: id",
        ),
        (
            (HEAD + "<Lexikon/></LexicalResource>").encode(),
            "w.xml: is not valid WN-LMF: unexpected element at line 4: Lexikon",
        ),
    ],
)
def test_what_is_not_wn_lmf_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "w.xml"
    path.write_bytes(content)
    assert refusal([path], ["en"]).startswith(message)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert refusal([tmp_path / "none.xml"], ["en"]) == (
        "none.xml: cannot be read: No such file or directory"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'id="dog-s" synset="en-1"',
            'id="dog-s" synset="en-99"',
            "sense 'dog-s' of entry 'dog-e' belongs to synset 'en-99', which does not exist",
        ),
        (
            'target="en-2"',
            'target="en-77"',
            "synset 'en-1' has the hypernym 'en-77', which does not exist",
        ),
        (
            'target="cold-s"',
            'target="cool-s"',
            "sense 'hot-s' has the antonym 'cool-s', which does not exist",
        ),
    ],
)
def test_what_points_nowhere_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write(tmp_path, ENGLISH.replace(old, new))
    assert refusal([path], ["en"]) == (
        f"w.xml: lexicon 'w-en': {message}; the lexicon is incomplete: fetch it again, or mend it"
    )


def test_an_id_is_there_once(tmp_path: Path) -> None:
    path = write(tmp_path, ENGLISH.replace('Synset id="en-6"', 'Synset id="en-5"'))
    assert refusal([path], ["en"]) == (
        "w.xml: lexicon 'w-en': 2 elements have the synset id 'en-5'; ids are unique: rename or "
        "remove all but one"
    )


def test_two_glosses_for_one_synset_and_language(tmp_path: Path) -> None:
    double = ENGLISH.replace(
        "alive</Definition>", "alive</Definition><Definition>living</Definition>"
    )
    found = read_lmf([write(tmp_path, double)], ["en"])
    assert found.glosses["en"]["i2"] == "alive"
    assert found.repeated_glosses == Repeats(1, ("i2 (en): alive | living",))


def test_an_ili_used_by_two_synsets(tmp_path: Path) -> None:
    path = write(tmp_path, ENGLISH.replace('ili="i3"', 'ili="i2"'))
    found = read_lmf([path], ["en"])
    assert found.repeated_ilis == Repeats(1, ("i2: en-2, en-3",))
    assert found.glosses["en"]["i2"] == "alive"
    with pytest.raises(SourceError) as caught:
        read_lmf([path], ["en"], Policies(ilis="refuse"))
    assert str(caught.value) == (
        "w.xml: lexicon 'w-en:1': ILI 'i2' is used by two synsets, 'en-2' and 'en-3'; an ILI "
        "stands for one concept: set `lexicon.ilis` to first or join, merge the synsets, or "
        "correct one of the two"
    )


def test_a_language_without_glosses(tmp_path: Path) -> None:
    assert refusal([write(tmp_path, ENGLISH, GREEK)], ["en", "tr"]) == (
        "w.xml: no synset has a gloss in 'tr'; languages with glosses: el (2), en (4); correct "
        "`languages`, or add a wordnet of that language"
    )


def test_a_lexicon_is_given_once(tmp_path: Path) -> None:
    paths = [write(tmp_path, ENGLISH, name="a.xml"), write(tmp_path, ENGLISH, name="b.xml")]
    assert refusal(paths, ["en"]) == (
        "b.xml: lexicon 'w-en:1' is already in a.xml; give each lexicon once"
    )


def test_an_extension_needs_its_base(tmp_path: Path) -> None:
    extension = lexicon("en", '<Extends id="w-base" version="2"/>', "LexiconExtension")
    assert refusal([write(tmp_path, extension)], ["en"]) == (
        "w.xml: lexicon 'w-en:1' extends 'w-base:2', which is not there; give the base lexicon "
        "before its extension"
    )


def test_the_shared_fixture_loads(shared_data: Path) -> None:
    found = read_lmf([shared_data / "wordnet" / "fixture-mini-lmf.xml"], ["en", "el"])
    assert found.fully_glossed(["en", "el"]) == {"i46360", "i35563"}
    assert found.sense_relations["antonym"] == {("i6529", "i6560"), ("i6560", "i6529")}


def test_wn_reports_its_errors_under_one_class() -> None:
    # What `_load` catches; a rename in wn would let its errors through as tracebacks.
    assert issubclass(wn.lmf.LMFError, wn.Error)


def test_relations_of_the_type_other_are_known_by_their_dc_type_too(tmp_path: Path) -> None:
    other = '<SenseRelation relType="other" target="cold-s" dc:type="agent"/>'
    changed = ENGLISH.replace('<SenseRelation relType="antonym" target="cold-s"/>', other)
    found = read_lmf([write(tmp_path, changed)], ["en"])
    pair = frozenset({("i3", "i4")})
    assert found.sense_relations == {"other": pair, "other:agent": pair}


def test_a_disk_without_room_is_not_blamed_on_the_lexicon(tmp_path: Path) -> None:
    path = write(tmp_path, ENGLISH)
    program = f"""
import resource, signal, sys
from pathlib import Path
from sorites.errors import SourceError
from sorites.sources.lexicons.lmf import read_lmf
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))
try:
    read_lmf([Path({str(path)!r})], ["en"], scratch=Path({str(tmp_path / "scratch")!r}))
except SourceError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert re.fullmatch(
        r"\S+: cannot hold the temporary database: (disk I/O error|database or disk is full); "
        r"let SORITES_CACHE name a folder that can be written to, with room for five times the "
        r"lexicon\n",
        done.stdout,
    ), done.stdout
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [
        HEAD.replace("UTF-8", "no-such-encoding"),
        HEAD + "<Lexicon>" * 3000,
        HEAD.replace("UTF-8", "UTF-16"),
        HEAD + ENGLISH.replace('partOfSpeech="n"', "", 1) + "</LexicalResource>",
        HEAD + ENGLISH.replace('writtenForm="dog"', "", 1) + "</LexicalResource>",
        HEAD + ENGLISH.replace('version="1"', 'version="1" dc:confidenceScore="x"', 1),
    ],
)  # fmt: skip
def test_whatever_the_parser_makes_of_a_file_is_an_error_that_names_it(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "w.xml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=r"^w\.xml: is not (valid WN-LMF|XML): "):
        read_lmf([path], ["en"])


def test_a_file_without_lexicon_is_refused(tmp_path: Path) -> None:
    assert refusal([write(tmp_path)], ["en"]) == (
        "w.xml: has no lexicon; a WN-LMF file has at least one Lexicon element"
    )


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    scratch = tmp_path / "file"
    scratch.write_text("")
    with pytest.raises(SourceError) as caught:
        read_lmf([write(tmp_path, ENGLISH)], ["en"], scratch=scratch)
    assert str(caught.value) == (
        f"{scratch}: cannot hold the temporary database: File exists; let SORITES_CACHE name a "
        "folder that can be written to, with room for five times the lexicon"
    )


def test_a_relative_scratch_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = read_lmf([write(tmp_path, ENGLISH)], ["en"], scratch=Path("cache"))
    assert len(found.pos) == 4
