from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.sources.sentence_pairs.tables import PairLabel, SentencePair, read_pairs

HEADER = "id\tpremise\thypothesis\tlabel\n"


def write(tmp_path: Path, text: str, name: str = "pairs.tsv") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_reads_pairs_in_their_order(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        HEADER
        + "b\tA dog is running.\tAn animal is running\tENTAILMENT\n"
        + "a\tA  dog is running \tA cat is running\tneutral\n",
    )
    assert read_pairs(path, "tsv") == (
        SentencePair("b", "A dog is running", "An animal is running", PairLabel.ENTAILMENT),
        SentencePair("a", "A dog is running", "A cat is running", PairLabel.NEUTRAL),
    )


def test_lines_may_end_in_crlf_and_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    text = "\ufeff" + (HEADER + "1\tA dog runs\tA dog runs fast\tneutral\n\n").replace("\n", "\r\n")
    (pair,) = read_pairs(write(tmp_path, text), "tsv")
    assert pair == SentencePair("1", "A dog runs", "A dog runs fast", PairLabel.NEUTRAL)


def test_a_quotation_mark_is_a_character_like_any_other(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        HEADER
        + '1\t"Stop", says a man\tA man says "stop"\tentailment\n'
        + '2\tA sign says "no\tThere is a sign\tentailment\n',
    )
    first, second = read_pairs(path, "tsv")
    assert (first.premise, first.hypothesis) == ('"Stop", says a man', 'A man says "stop"')
    assert second.premise == 'A sign says "no'


def test_commas_stay(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "1\tAnn, Bob and Chris are here\tBob is here\tentailment\n")
    assert read_pairs(path, "tsv")[0].premise == "Ann, Bob and Chris are here"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "id\tpremis\thypothesis\tlabel\n1\ta\tb\tneutral\n",
            "pairs.tsv:1: no column premise; did you mean premis?",
        ),
        (
            "a\tb\n1\t2\n",
            "pairs.tsv:1: no column id; its columns: a, b",
        ),
        (
            HEADER + "1\tA dog runs\tA dog\tmaybe\n",
            "pairs.tsv:2: unknown label 'maybe'; known: entailment, neutral, contradiction",
        ),
        (HEADER + "1\t \tA dog\tneutral\n", "pairs.tsv:2: premise is empty"),
        (HEADER + "1\tA dog\t.\tneutral\n", "pairs.tsv:2: hypothesis is empty"),
        (HEADER + "\tA dog\tA cat\tneutral\n", "pairs.tsv:2: id is empty"),
        (
            HEADER + "1\tA dog runs\tneutral\n",
            "pairs.tsv:2: 3 cells, where the header has 4",
        ),
        (
            HEADER + "1\tA dog\tA cat\tneutral\n\n1\tA dog\tA cow\tneutral\n",
            "pairs.tsv:4: the pair 1 stands twice",
        ),
        (
            HEADER + "1\tA d\u202eog\tA cat\tneutral\n",
            "pairs.tsv:2: premise has the character U+202E",
        ),
        (HEADER, "pairs.tsv: no pairs"),
        (HEADER + "1\t" + "a" * 20_000 + "\tb\tneutral\n", None),
    ],
)
def test_refuses_what_is_not_whole(tmp_path: Path, text: str, message: str | None) -> None:
    with pytest.raises(SourceError) as raised:
        read_pairs(write(tmp_path, text), "tsv")
    assert str(raised.value) == (
        message or "pairs.tsv:2: 20,012 characters; at most 20,000 are read"
    )


def test_refuses_what_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(HEADER.encode() + b"1\tcaf\xe9\tb\tneutral\n")
    with pytest.raises(SourceError) as raised:
        read_pairs(path, "tsv")
    assert str(raised.value) == "pairs.tsv: not UTF-8 (byte 34)"


SICK = "pair_ID\tsentence_A\tsentence_B\tentailment_label\tSemEval_set\n"


def test_one_split_of_sick(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        SICK + "1\tA is b\tC is d\tNEUTRAL\tTRAIN\r\n2\tE is f\tG is h\tCONTRADICTION\tTEST\r\n",
        "SICK.txt",
    )
    assert [pair.id for pair in read_pairs(path, "sick", split="TEST")] == ["2"]
    with pytest.raises(SourceError) as raised:
        read_pairs(path, "sick", split="TRIAL")
    assert str(raised.value) == (
        "SICK.txt: no pairs of the split TRIAL; its splits are TRAIN, TEST"
    )


def test_the_published_sick(shared_data: Path) -> None:
    pairs = read_pairs(shared_data / "sick" / "SICK.txt", "sick", split="TRAIN")
    labels = [pair.label for pair in pairs]
    assert len(pairs) == 4439
    assert [labels.count(label) for label in PairLabel] == [1274, 2524, 641]
    assert pairs[0] == SentencePair(
        "1",
        "A group of kids is playing in a yard and an old man is standing in the background",
        "A group of boys in a yard is playing and a man is standing in the background",
        PairLabel.NEUTRAL,
    )
