"""WN-LMF files in a database of the ``wn`` library: checked, stored, and gone after use.

``wn`` parses and stores. The database is private to the call: the one in which a person keeps
wordnets is never opened.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn
from xml.etree.ElementTree import ParseError

import wn
import wn.lmf
from defusedxml import DefusedXmlException, EntitiesForbidden
from defusedxml.ElementTree import DefusedXMLParser
from wn._config import config
from wn._db import pool

from sorites.errors import SourceError
from sorites.sources.lexicons.lexicon import file_name

__all__ = ["lmf_database"]

_CHUNK = 1 << 16  # bytes


@contextmanager
def lmf_database(paths: Sequence[Path], scratch: Path | None) -> Iterator[sqlite3.Connection]:
    """All the lexicons in a private database of ``wn``, opened for reading."""
    try:
        if scratch is not None:
            scratch.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(prefix="sorites-wn-", dir=scratch)
    except OSError as error:
        raise _no_room(scratch or Path(tempfile.gettempdir()), str(error.strerror)) from error
    with folder as name:
        database = _store(paths, Path(name).resolve())
        try:
            with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
                yield connection
        except sqlite3.Error as error:
            # The database is this program's own: no lexicon can be at fault.
            raise _no_room(Path(name), str(error)) from error


def _no_room(folder: Path, reason: str) -> SourceError:
    return SourceError(
        f"{folder}: cannot hold the temporary database: {reason}; let SORITES_CACHE name a folder "
        "that can be written to, with room for five times the lexicon"
    )


def _store(paths: Sequence[Path], folder: Path) -> Path:
    # The setting is global to the process: it is put back whatever happens. It is read from the
    # attribute because the property would create the folder, in the person's home.
    usual = config._data_directory
    config.data_directory = folder
    database = config.database_path
    known: dict[tuple[str, str], Path] = {}
    try:
        for path in paths:
            resource = _load(path)
            try:
                _check_lexicons(path, resource, known)
                wn.add_lexical_resource(resource, progress_handler=None)
            except SourceError:
                raise
            except sqlite3.OperationalError as error:
                # The disk is at fault, or the program; no lexicon can be.
                raise _no_room(folder, str(error)) from error
            except Exception as error:  # whatever a parser of others makes of a stranger's file
                _refuse(path, error)
        if not database.is_file():
            raise SourceError(
                f"{', '.join(map(file_name, paths))}: has no lexicon; a WN-LMF file has at least "
                "one Lexicon element"
            )
    finally:
        # wn keeps its connections open in a pool and has no public way to close one of them.
        connection = pool.pop(database, None)
        if connection is not None:
            connection.close()
        config.data_directory = usual
    return database


def _load(path: Path) -> wn.lmf.LexicalResource:
    _refuse_entities(path)
    try:
        return wn.lmf.load(path, progress_handler=None)
    except OSError as error:
        raise SourceError(f"{file_name(path)}: cannot be read: {error.strerror}") from error
    except Exception as error:  # whatever a parser of others makes of a stranger's file
        _refuse(path, error)


def _refuse(path: Path, error: Exception) -> NoReturn:
    cause = f" ({error.__cause__})" if error.__cause__ else ""
    reason = str(error) or type(error).__name__
    if isinstance(error, (AssertionError, KeyError)):
        reason = str(error) or "a required attribute is missing"
    raise SourceError(
        f"{file_name(path)}: is not valid WN-LMF: {reason}{cause}; "
        "`python -m wn validate` names such faults in detail"
    ) from error


class _PrologRead(Exception):
    """The root element has begun: no declaration can follow."""


class _Prolog:
    def start(self, _tag: str, _attributes: Mapping[str, str]) -> None:
        raise _PrologRead

    def close(self) -> None: ...


def _refuse_entities(path: Path) -> None:
    """Refuse declarations of entities, which stand before the root element or nowhere.

    The DOCTYPE line that every WN-LMF file has is fine: nothing is fetched for it.
    """
    parser = DefusedXMLParser(
        target=_Prolog(), forbid_dtd=False, forbid_entities=True, forbid_external=True
    )
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                parser.feed(chunk)
    except _PrologRead:
        return
    except EntitiesForbidden as error:
        raise SourceError(
            f"{file_name(path)}: declares the XML entity '{error.name}'; a WN-LMF file "
            "declares none, and such declarations can be made to exhaust memory: remove it"
        ) from error
    except DefusedXmlException as error:
        raise SourceError(
            f"{file_name(path)}: refers to something outside itself in its DOCTYPE; "
            "keep only the DOCTYPE line of WN-LMF"
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise SourceError(f"{file_name(path)}: is not XML: {error}") from error
    except OSError as error:
        raise SourceError(f"{file_name(path)}: cannot be read: {error.strerror}") from error


def _check_lexicons(
    path: Path, resource: wn.lmf.LexicalResource, known: dict[tuple[str, str], Path]
) -> None:
    """Each lexicon once, after the one that it extends; ``known`` has those of earlier files."""
    for lexicon in resource["lexicons"]:
        key = (lexicon["id"], lexicon["version"])
        if key in known:
            raise SourceError(
                f"{file_name(path)}: lexicon '{':'.join(key)}' is already in "
                f"{file_name(known[key])}; give each lexicon once"
            )
        base = lexicon.get("extends")
        if isinstance(base, dict) and (base["id"], base["version"]) not in known:
            raise SourceError(
                f"{file_name(path)}: lexicon '{':'.join(key)}' extends "
                f"'{base['id']}:{base['version']}', which is not there; "
                "give the base lexicon before its extension"
            )
        known[key] = path
        _check_references(path, lexicon)


def _check_references(path: Path, lexicon: wn.lmf.Lexicon | wn.lmf.LexiconExtension) -> None:
    """Every id once, and every sense and relation pointing at something in the lexicon."""
    where = f"{file_name(path)}: lexicon '{lexicon['id']}'"
    advice = "the lexicon is incomplete: fetch it again, or mend it"
    synsets = [synset["id"] for synset in lexicon.get("synsets", [])]
    senses = [
        (entry["id"], sense)
        for entry in lexicon.get("entries", [])
        for sense in entry.get("senses", [])
    ]
    sense_ids = [sense["id"] for _, sense in senses]
    for kind, ids in (("synset", synsets), ("sense", sense_ids)):
        for name, count in Counter(ids).items():
            if count > 1:
                raise SourceError(
                    f"{where}: {count} elements have the {kind} id '{name}'; ids are unique: "
                    "rename or remove all but one"
                )
    known_synsets = set(synsets)
    known = known_synsets | set(sense_ids)
    for entry_id, sense in senses:
        synset_id = sense.get("synset")
        if synset_id is not None and synset_id not in known_synsets:
            raise SourceError(
                f"{where}: sense '{sense['id']}' of entry '{entry_id}' belongs to synset "
                f"'{synset_id}', which does not exist; {advice}"
            )
        for relation in sense.get("relations", []):
            if relation["target"] not in known:
                raise SourceError(
                    f"{where}: sense '{sense['id']}' has the {relation['relType']} "
                    f"'{relation['target']}', which does not exist; {advice}"
                )
    for synset in lexicon.get("synsets", []):
        for relation in synset.get("relations", []):
            if relation["target"] not in known_synsets:
                raise SourceError(
                    f"{where}: synset '{synset['id']}' has the {relation['relType']} "
                    f"'{relation['target']}', which does not exist; {advice}"
                )
