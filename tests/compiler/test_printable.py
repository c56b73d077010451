from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sorites.characters import find_hidden
from sorites.printable import printable


@given(st.text())
def test_nothing_hidden_is_left(text: str) -> None:
    assert find_hidden(printable(text)) is None
    assert find_hidden(printable(text, allowed="\n"), allowed="\n") is None


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"])))
def test_what_can_be_seen_stays(text: str) -> None:
    assert printable(text) == text


def test_an_error_that_quotes_a_file_cannot_steer_the_terminal(tmp_path: Path) -> None:
    lexicon = tmp_path / "w.xml"
    lexicon.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE LexicalResource SYSTEM '
        '"http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">\n<LexicalResource '
        'xmlns:dc="https://globalwordnet.github.io/schemas/dc/"><Lexicon id="a" label="a" '
        'language="en" email="e" license="l" version="1"><LexicalEntry id="e"><Lemma '
        'writtenForm="x" partOfSpeech="n"/><Sense id="s\x9b31m" synset="none"/></LexicalEntry>'
        "</Lexicon></LexicalResource>",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "sorites", "languages", str(lexicon)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "w.xml: lexicon 'a': sense 's<U+009B>31m' of entry 'e' belongs to synset 'none', which "
        "does not exist; the lexicon is incomplete: fetch it again, or mend it\n"
    )
