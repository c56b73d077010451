"""Hostile lexicons, databases, pairs, Parquet, archives, specs and templates.

Each is a clear error that names the file, and nothing is written. No clock decides: what would
take for ever or fill the memory is refused by a rule that counts.
"""

from __future__ import annotations

import copy
import gzip
import hashlib
import io
import json
import lzma
import re
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites.errors import SoritesError
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from sorites.sources import archive
from sorites.sources.lexicons import database
from sorites.sources.sentence_pairs import parquet_rows
from sorites.specfile.reader import read
from tests.compiler.sources.lexicons.test_cygnet import CONTENT, SCHEMA
from tests.compiler.sources.lexicons.test_lmf import ENGLISH, HEAD

SAMPLE = Path(__file__).resolve().parent.parent / "specs" / "sample"
Change = Callable[[dict[str, Any]], object]


@dataclass(frozen=True)
class Case:
    """A file under the spec of a sample; ``said`` is what the error must match."""

    said: str
    kind: str
    name: str
    content: bytes
    change: Change = lambda _: None
    bounds: Mapping[tuple[Any, str], int] = field(default_factory=dict)
    pin: Mapping[str, Any] = field(default_factory=dict)


@cache
def document(kind: str) -> str:
    return json.dumps(read(SAMPLE / f"{kind}.yaml").data)


# Lexicons.


def lmf(said: str, content: str | bytes, *, name: str = "it.xml", **more: Any) -> Case:
    """A WN-LMF file in English alone."""

    def change(data: dict[str, Any]) -> None:
        data["languages"] = ["en"]
        data["lexicon"]["wordnets"][0]["languages"] = ["en"]

    raw = content if isinstance(content, bytes) else content.encode()
    return Case(said, "gloss-relations", name, raw, change, **more)


def lexicon(said: str, old: str, new: str, **more: Any) -> Case:
    assert old in ENGLISH
    return lmf(said, HEAD + ENGLISH.replace(old, new, 1) + "</LexicalResource>", **more)


def cygnet(
    said: str, script: str, *, damage: Any = None, schema: str = SCHEMA, **more: Any
) -> Case:
    """A database of Cygnet's schema in two languages."""

    def change(data: dict[str, Any]) -> None:
        data["languages"] = ["en", "el"]
        data["lexicon"] |= {"format": "cygnet"}
        data["lexicon"]["wordnets"][0]["languages"] = ["en", "el"]

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema + CONTENT + script)
        connection.commit()
        content = connection.serialize()
    return Case(
        said, "gloss-relations", "it.db", damage(content) if damage else content, change, **more
    )


LOOSE = SCHEMA.replace(" NOT NULL", "")
HUGE = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT {})"
ENDLESS = (
    "CREATE VIEW resources (code, version, label, language_rowid, url, licence) AS WITH RECURSIVE "
    "n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'a', 'b', 'c', i, 'd', 'e' FROM n;"
)


# Pairs.


def pairs(said: str, name: str, content: str | bytes, **more: Any) -> Case:
    def change(data: dict[str, Any]) -> None:
        data["naturalistic"]["format"] = name.rpartition(".")[2]
        # What is drawn from the grammar is drawn first.
        del data["synthetic"], data["analyses"]
        tasks = data["tasks"].items()
        data["tasks"] = {name: t for name, t in tasks if t["data"]["config"] == "naturalistic"}

    raw = content if isinstance(content, bytes) else content.encode()
    return Case(said, "veridical-transitivity", name, raw, change, **more)


HEADER = "id\tpremise\thypothesis\tlabel\n"
ROW = {"id": 1, "premise": "A dog runs.", "hypothesis": "A dog moves.", "label": "entailment"}


def rows(**changes: Any) -> str:
    return json.dumps({**ROW, **changes}) + "\n"


def parquet(said: str, damage: Callable[[bytes], bytes] | None = None, **changes: Any) -> Case:
    bounds = changes.pop("bounds", {})
    table = pa.table({key: changes.get(key, [value]) for key, value in ROW.items()})
    out = io.BytesIO()
    # Without Arrow's own schema a text that is stored once is a text like any other.
    pq.write_table(table, out, store_schema=False)
    content = out.getvalue()
    return pairs(said, "it.parquet", damage(content) if damage else content, bounds=bounds)


# Archives.


def packed(said: str, name: str, content: bytes, **more: Any) -> Case:
    return lmf(said, content, name=name, **more)


def tar(*members: tuple[str, bytes, bytes], mode: str = "w:gz", **headers: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=tarfile.PAX_FORMAT) as made:  # type: ignore[call-overload]
        for name, kind, data in members:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(data), "/etc/passwd"
            info.pax_headers = dict(headers)
            made.addfile(info, io.BytesIO(data))
    found: bytes = out.getvalue()
    return found


def zipped(*names: str, flags: int = 0) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name in names:
            made.writestr(name, "x")
    content = bytearray(out.getvalue())
    if flags:
        content[6] |= flags
        content[content.index(b"PK\x01\x02") + 8] |= flags
    return bytes(content)


REGULAR, LINK, HARD, DEVICE = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE
# A block whose dictionary is of 4 GiB: the header of an xz file says it, its content is one byte.
WIDE_XZ = lzma.compress(
    b"x", lzma.FORMAT_XZ, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]
)


# Specs and their templates.


def spec(said: str, change: Change, kind: str = "veridical-transitivity") -> Case:
    name = {"veridical-transitivity": "sentence-pairs.tsv", "gloss-relations": "five-languages.xml"}
    content = (SAMPLE / name[kind]).read_bytes()
    return Case(rf"^\S+it\.yaml:\d+:\d+: .*{said}", kind, name[kind], content, change)


def prompt(said: str, template: str) -> Case:
    def change(data: dict[str, Any]) -> None:
        (name, *_) = data["tasks"]
        (setting, *_) = data["tasks"][name]["prompts"]
        data["tasks"][name]["prompts"][setting]["user"] = template

    return spec(said, change, "gloss-relations")


def grammar(said: str, text: str) -> Case:
    return spec(said, lambda data: data["fragment"].update(grammar=text))


CASES: dict[str, Case] = {
    # Lexicons.
    "entities that grow": lmf(
        r"it\.xml: declares the XML entity 'a'",
        '<!DOCTYPE L [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><L>&b;</L>',
    ),
    "an entity of a file": lmf(
        r"it\.xml: (declares the XML entity|refers to something outside)",
        '<!DOCTYPE L [<!ENTITY a SYSTEM "file:///etc/passwd">]><L>&a;</L>',
    ),
    "elements nested for ever": lmf(r"it\.xml: is not valid WN-LMF", HEAD + "<Lexicon>" * 50_000),
    "an encoding that does not exist": lmf(
        r"it\.xml: is not XML", HEAD.replace("UTF-8", "no-such-encoding")
    ),
    "a lexicon that is no text": lmf(r"it\.xml: is not XML", b"\x00\x01\x02" * 100),
    "a lexicon that is cut short": lmf(r"it\.xml: is not valid WN-LMF", HEAD + ENGLISH[:400]),
    "a lexicon without lexicons": lmf(r"it\.xml: has no lexicon", HEAD + "</LexicalResource>"),
    "a sense of nothing": lexicon(
        r"it\.xml: lexicon 'w-en': sense 'dog-s' .* belongs to synset 'no-1'",
        'synset="en-1"',
        'synset="no-1"',
    ),
    "a relation to nothing": lexicon(
        r"it\.xml: lexicon 'w-en': synset 'en-1' has the hypernym 'no-1'",
        'target="en-2"',
        'target="no-1"',
    ),
    "two synsets of one id": lexicon(
        r"it\.xml: lexicon 'w-en': 2 elements have the synset id 'en-2'", 'id="en-5"', 'id="en-2"'
    ),
    "an attribute that is missing": lexicon(
        r"it\.xml: is not valid WN-LMF", 'writtenForm="dog"', ""
    ),
    "forms and senses that multiply": lexicon(
        r"it\.xml: its senses and forms multiply to [0-9,]+ words",
        '<Sense id="dog-s" synset="en-1"></Sense>',
        "".join(f'<Form writtenForm="d{i}"/>' for i in range(4_000))
        + "".join(f'<Sense id="d{i}" synset="en-1"></Sense>' for i in range(600)),
    ),
    # Databases.
    "a database that is none": cygnet(
        r"it\.db: is not an SQLite database", "", damage=lambda _: b"no" * 99
    ),
    "a database that is cut short": cygnet(
        r"it\.db: cannot be read as an SQLite database",
        f"INSERT INTO forms {HUGE.format(5_000)} SELECT i, 1, 'form' || i, 1 FROM n;",
        damage=lambda content: content[: len(content) // 2],
    ),
    "pages that are damaged": cygnet(
        r"it\.db: .* database disk image is malformed",
        "",
        damage=lambda content: content[:4096] + b"\xff" * (len(content) - 4096),
    ),
    "a view that never ends": cygnet(r"it\.db: .* has no table 'resources'", ENDLESS),
    "a view in place of a table": cygnet(
        r"it\.db: .* has no table 'synsets'",
        "ALTER TABLE synsets RENAME TO s; CREATE VIEW synsets AS SELECT * FROM s;",
    ),
    "a column that computes": cygnet(
        r"it\.db: .*'definition' of its table 'definitions' is computed",
        "ALTER TABLE definitions DROP COLUMN definition; ALTER TABLE definitions ADD COLUMN "
        "definition TEXT AS (hex(zeroblob(1000000000)));",
    ),
    "a gloss that is a BLOB": cygnet(
        r"it\.db: table 'definitions', row 2, column 'definition': its value is of the type BLOB",
        "UPDATE definitions SET definition = x'00ff' WHERE rowid = 2;",
    ),
    "a form that is NULL": cygnet(
        r"it\.db: table 'forms', row 3, column 'form': its value is NULL",
        "UPDATE forms SET form = NULL WHERE rowid = 3;",
        schema=LOOSE,
    ),
    "a key that is text": cygnet(
        r"it\.db: table 'senses', row 1, column 'synset_rowid': its value is of the type TEXT",
        "UPDATE senses SET synset_rowid = 'one' WHERE rowid = 1;",
    ),
    "a text that is not UTF-8": cygnet(
        r"it\.db: .* Could not decode", "UPDATE definitions SET definition = CAST(x'fffe' AS TEXT);"
    ),
    "a gloss of megabytes": cygnet(
        r"it\.db: .*too big",
        "UPDATE definitions SET definition = hex(zeroblob(800000)) WHERE rowid = 2;",
    ),
    "entries that multiply": cygnet(
        r"it\.db: its senses and forms multiply to [0-9,]+ words",
        f"INSERT INTO forms {HUGE.format(20_000)} SELECT i, 1, 'form' || i, 1 FROM n;"
        f"INSERT INTO senses {HUGE.format(300)} SELECT i, 1, 1 FROM n;",
    ),
    "more work than a file can need": cygnet(
        r"it\.db: reading it takes more work than a database of its size can need",
        f"INSERT INTO forms {HUGE.format(9_000)} SELECT i, 1, 'form' || i, 1 FROM n;",
        bounds={
            (database, "_STEPS_AT_LEAST"): 1_000,
            (database, "_STEPS_FOR_EACH_BYTE"): 0,
            (database, "_STEPS_BETWEEN_CHECKS"): 100,
        },
    ),
    # Pairs.
    "cells that are too few": pairs(r"^it\.tsv:2: 2 cells, where", "it.tsv", HEADER + "1\tx\n"),
    "a line that never ends": pairs(
        r"^it\.tsv:2: [0-9,]+ characters; at most", "it.tsv", HEADER + "1\t" + "x" * 200_000
    ),
    "a premise that turns the line": pairs(
        r"^it\.tsv:2: premise has the character U\+202E",
        "it.tsv",
        HEADER + "1\ta \u202eb\tc\tneutral\n",
    ),
    "an escape for the terminal": pairs(
        r"^it\.tsv:2: premise has the character U\+001B",
        "it.tsv",
        HEADER + "1\ta \x1b[2Jb\tc\tneutral\n",
    ),
    "two labels of one pair": pairs(
        r"^it\.tsv:3: the label is neutral, .* entailment in it\.tsv:2",
        "it.tsv",
        HEADER + "1\ta b\tc d\tentailment\n2\tA b\tc d.\tneutral\n",
    ),
    "a table that is no text": pairs(r"^it\.tsv: not UTF-8", "it.tsv", b"\xff\xfe\x00"),
    "a quote of CSV that never ends": pairs(
        r"^it\.csv:\d+: not CSV", "it.csv", HEADER.replace("\t", ",") + '1,"x' + ",y\n" * 9_000
    ),
    "a cell of CSV that never ends": pairs(
        r"^it\.csv:2: not CSV: field larger",
        "it.csv",
        HEADER.replace("\t", ",") + "1," + "x" * 200_000 + ",y,neutral",
    ),
    "JSON nested for ever": pairs(r"^it\.jsonl:1: not JSON", "it.jsonl", '{"id": ' + "[" * 90_000),
    "a number without end": pairs(
        r"^it\.jsonl:1: not JSON", "it.jsonl", '{"id": ' + "9" * 50_000 + "}"
    ),
    "half a character": pairs(
        r"^it\.jsonl:1: premise has the character U\+D800", "it.jsonl", rows(premise="a \ud800 b")
    ),
    "a sentence that is a list": pairs(
        r"^it\.jsonl:1: premise is neither text nor a number", "it.jsonl", rows(premise=["a"])
    ),
    "a label that is an object": pairs(
        r"^it\.jsonl:1: label is neither text nor a number", "it.jsonl", rows(label={"a": 1})
    ),
    # Parquet.
    "Parquet that is cut short": parquet(r"^it\.parquet: not Parquet", lambda whole: whole[:-20]),
    "Parquet that is none": parquet(r"^it\.parquet: not Parquet", lambda _: b"PAR1" * 99),
    "Parquet with damaged pages": parquet(
        r"^it\.parquet: not Parquet: ", lambda whole: whole[:8] + b"\xff" * 60 + whole[68:]
    ),
    "Parquet of bytes": parquet(
        r"^it\.parquet: the column premise has the type binary", premise=[b"\xff"]
    ),
    "Parquet of text that is none": parquet(
        r"^it\.parquet: a text is not UTF-8", premise=pa.array([b"\xff"]).view(pa.string())
    ),
    "Parquet of endless rows": parquet(
        r"^it\.parquet: 3,000,000 rows once decoded; at most 1,000,000 are read",
        **{name: pa.nulls(3_000_000) for name in ROW},
        bounds={(parquet_rows, "MOST_ROWS"): 1_000_000},
    ),
    "Parquet of one long text": parquet(
        r"^it\.parquet: [0-9,]+ bytes once decoded; at most 30,000,000 are read",
        **{
            name: pa.array([str(i) for i in range(900)])
            if name != "premise"
            else pa.DictionaryArray.from_arrays(pa.array([0] * 900), pa.array(["x" * 90_000]))
            for name in ROW
        },
        bounds={(parquet_rows, "MOST_BYTES"): 30_000_000},
    ),
    # Archives.
    "a link out of a package": packed(
        r"it\.tar\.gz: the member 'a\.xml' is not a plain file",
        "it.tar.gz",
        tar(("a.xml", LINK, b"")),
    ),
    "a hard link": packed(
        r"it\.tar\.gz: the member 'a\.xml' is not a plain file",
        "it.tar.gz",
        tar(("a.xml", HARD, b"")),
    ),
    "a device": packed(
        r"it\.tar\.gz: the member 'a' is not a plain file", "it.tar.gz", tar(("a", DEVICE, b""))
    ),
    "a way out of the folder": packed(
        r"it\.tar\.gz: the member '\.\./a\.xml' leads out of its folder",
        "it.tar.gz",
        tar(("../a.xml", REGULAR, b"x")),
    ),
    "a place at the root": packed(
        r"it\.tar\.gz: the member '/etc/a\.xml' leads out",
        "it.tar.gz",
        tar(("/etc/a.xml", REGULAR, b"x")),
    ),
    "two lexicons in a package": packed(
        r"it\.tar\.gz: 'a\.xml' and 'b\.xml': a package must hold one XML file only",
        "it.tar.gz",
        tar(("a.xml", REGULAR, b"x"), ("b.xml", REGULAR, b"x")),
    ),
    "no lexicon in a package": packed(
        r"it\.tar\.gz: no member is an XML file", "it.tar.gz", tar(("a", REGULAR, b"x"))
    ),
    "a package of endless members": packed(
        r"it\.tar\.gz: more than 5 members",
        "it.tar.gz",
        tar(*((f"a{i}", REGULAR, b"") for i in range(9))),
        bounds={(archive, "_MOST_MEMBERS"): 5},
    ),
    "a header of megabytes": packed(
        r"it\.tar\.gz: a member with a header of [0-9,]+ bytes",
        "it.tar.gz",
        tar(("a.xml", REGULAR, b"x"), comment="x" * 200_000),
    ),
    "a package that is cut short": packed(
        r"it\.tar\.gz: (cut short|a damaged archive)",
        "it.tar.gz",
        tar(("a.xml", REGULAR, bytes(9_999)))[:60],
    ),
    "a package that swells": packed(
        r"it\.tar\.gz: the content is more than 1,000 bytes",
        "it.tar.gz",
        tar(("a.xml", REGULAR, bytes(1 << 21))),
        pin={"max_bytes": 1_000},
    ),
    "what lies beside a lexicon swells": packed(
        r"it\.tar\.gz: the content is more than 1,000 bytes",
        "it.tar.gz",
        tar(("LICENSE", REGULAR, bytes(1 << 21)), ("a.xml", REGULAR, b"x")),
        pin={"max_bytes": 1_000},
        bounds={(archive, "_BESIDE"): 1 << 20},
    ),
    "xz that asks for gigabytes": packed(
        r"it\.xml\.xz: a damaged archive \(Memory usage limit",
        "it.xml.xz",
        WIDE_XZ,
        bounds={(archive, "_XZ_MEMORY"): 1 << 16},
    ),
    "xz that is none": packed(
        r"it\.xml\.xz: a damaged archive", "it.xml.xz", b"this is no archive" * 9
    ),
    "many files in one": packed(
        r"it\.xml\.zip: 2 members; a \.zip must hold one", "it.xml.zip", zipped("a.xml", "b.xml")
    ),
    "a way out of a zip": packed(
        r"it\.xml\.zip: the member '\.\./a\.xml' leads out", "it.xml.zip", zipped("../a.xml")
    ),
    "a secret zip": packed(
        r"it\.xml\.zip: the member 'a\.xml' is encrypted", "it.xml.zip", zipped("a.xml", flags=1)
    ),
    "gz that is cut short": packed(
        r"it\.xml\.gz: (cut short|a damaged)", "it.xml.gz", gzip.compress(ENGLISH.encode())[:99]
    ),
    # Specs.
    "a grammar that never ends": grammar("left-recursive", "S[TENSE=past] -> S[TENSE=past]"),
    "a grammar of Python": grammar(
        "line 2 of the grammar: cannot be read", "%start S\nS -> {__import__('os').system('true')}"
    ),
    "more pairs than there is room for": spec(
        "is not at most 1000000", lambda data: data["naturalistic"].update(pairs=10**12)
    ),
    "a frame of two sentences": spec(
        r"frames\.main: .* is not a mapping",
        lambda data: data["frames"].update(main="Someone {verb} that {sentence} {sentence}"),
    ),
    "a filter of endless length": spec(
        "at most",
        lambda data: data["filters"].append({"filter": "length", "characters": 10**9}),
        "gloss-relations",
    ),
    "a language that is a path": spec(
        "must be a language code",
        lambda data: data.update(languages=["../../etc"]),
        "gloss-relations",
    ),
    # Templates of prompts.
    "a template that calls": prompt("has a call", "{{ gloss_1.upper() }}"),
    "a template that reaches Python": prompt("is unsafe", "{{ gloss_1.__class__.__mro__ }}"),
    "a template that grows": prompt(
        "each makes its input longer", "{{ gloss_1|list|string|list|string|list|string }}"
    ),
    "a template of loops in loops": prompt(
        "a loop within a loop",
        "{% for a in gloss_1 %}{% for b in gloss_1 %}{{ b }}{% endfor %}{% endfor %}",
    ),
    "a template of powers": prompt("has a power", "{{ 9 ** 999999999 }}"),
    "a template that includes": prompt("has an inclusion", "{% include '/etc/passwd' %}"),
    "a template nested for ever": prompt(
        "nested too deeply|does not parse", "{{ " + "(" * 5_000 + "gloss_1" + ")" * 5_000 + " }}"
    ),
}


def content_of(content: bytes, name: str) -> bytes:
    """What the checksum is of, so that it is not what is refused."""
    try:
        return gzip.decompress(content) if name.endswith(".xml.gz") else content
    except (OSError, EOFError):
        return content


def write_spec(case: Case, folder: Path) -> Path:
    data = copy.deepcopy(json.loads(document(case.kind)))
    ((source, pin), *others) = data["sources"].items()
    assert not others
    (folder / case.name).write_bytes(case.content)
    data["sources"][source] = {
        **pin,
        "file": case.name,
        "sha256": hashlib.sha256(content_of(case.content, case.name)).hexdigest(),
        **case.pin,
    }
    case.change(data)
    path = folder / "it.yaml"
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", CASES)
def test_hostile_input_is_a_clear_error_and_nothing_is_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    folder = tmp_path / "spec"
    folder.mkdir()
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))
    for (place, bound), value in case.bounds.items():
        monkeypatch.setattr(place, bound, value)
    path = write_spec(case, folder)
    before = {each: each.read_bytes() for each in folder.iterdir()}
    with pytest.raises(SoritesError) as caught:
        compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    said = str(caught.value)
    assert re.search(case.said, said), said
    assert len(said) < 3_000
    assert not (tmp_path / "out").exists()
    assert [*(tmp_path / "cache").rglob("*")] == []
    assert {each: each.read_bytes() for each in folder.iterdir()} == before
