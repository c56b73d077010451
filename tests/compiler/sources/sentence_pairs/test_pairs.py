from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites.errors import SourceError
from sorites.families.veridicality.naturalistic import suitable
from sorites.families.veridicality.reading.pair_sources import read_pair_table, table_problems
from sorites.sources.sentence_pairs.pairs import PairLabel, PairTable, SentencePair, read_pairs
from sorites.sources.sentence_pairs.table_formats import MAX_LINE

SICK_TABLE = read_pair_table({"format": "sick"})
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
    assert read_pairs(path, PairTable()) == (
        SentencePair("b", "A dog is running", "An animal is running", PairLabel.ENTAILMENT),
        SentencePair("a", "A dog is running", "A cat is running", PairLabel.NEUTRAL),
    )


def test_lines_may_end_in_crlf_and_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    text = "\ufeff" + (HEADER + "1\tA dog runs\tA dog runs fast\tneutral\n\n").replace("\n", "\r\n")
    (pair,) = read_pairs(write(tmp_path, text), PairTable())
    assert pair == SentencePair("1", "A dog runs", "A dog runs fast", PairLabel.NEUTRAL)


def test_a_quotation_mark_is_a_character_like_any_other(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        HEADER
        + '1\t"Stop", says a man\tA man says "stop"\tentailment\n'
        + '2\tA sign says "no\tThere is a sign\tentailment\n',
    )
    first, second = read_pairs(path, PairTable())
    assert (first.premise, first.hypothesis) == ('"Stop", says a man', 'A man says "stop"')
    assert second.premise == 'A sign says "no'


def test_commas_stay(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "1\tAnn, Bob and Chris are here\tBob is here\tentailment\n")
    assert read_pairs(path, PairTable())[0].premise == "Ann, Bob and Chris are here"


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
        (HEADER + "1\t" + "a" * MAX_LINE + "\tb\tneutral\n", None),
    ],
)
def test_refuses_what_is_not_whole(tmp_path: Path, text: str, message: str | None) -> None:
    with pytest.raises(SourceError) as raised:
        read_pairs(write(tmp_path, text), PairTable())
    assert str(raised.value) == (
        message or "pairs.tsv:2: 100,012 characters; at most 100,000 are read"
    )


def test_refuses_what_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(HEADER.encode() + b"1\tcaf\xe9\tb\tneutral\n")
    with pytest.raises(SourceError) as raised:
        read_pairs(path, PairTable())
    assert str(raised.value) == "pairs.tsv: not UTF-8 (byte 34)"


SICK = "pair_ID\tsentence_A\tsentence_B\tentailment_label\tSemEval_set\n"


def test_one_split_of_sick(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        SICK + "1\tA is b\tC is d\tNEUTRAL\tTRAIN\r\n2\tE is f\tG is h\tCONTRADICTION\tTEST\r\n",
        "SICK.txt",
    )
    assert [pair.id for pair in read_pairs(path, SICK_TABLE, split="TEST")] == ["2"]
    with pytest.raises(SourceError) as raised:
        read_pairs(path, SICK_TABLE, split="TRIAL")
    assert str(raised.value) == (
        "SICK.txt: no pairs of the split TRIAL; its splits are TRAIN, TEST"
    )


def test_the_published_sick(shared_data: Path) -> None:
    pairs = read_pairs(shared_data / "sick" / "SICK.txt", SICK_TABLE, split="TRAIN")
    labels = [pair.label for pair in pairs]
    assert len(pairs) == 4439
    assert [labels.count(label) for label in PairLabel] == [1274, 2524, 641]
    assert pairs[0] == SentencePair(
        "1",
        "A group of kids is playing in a yard and an old man is standing in the background",
        "A group of boys in a yard is playing and a man is standing in the background",
        PairLabel.NEUTRAL,
    )


# SNLI: one object a line, a label for each annotator, "-" where they did not agree.
SNLI = {
    "format": "jsonl",
    "columns": {
        "id": "pairID",
        "premise": "sentence1",
        "hypothesis": "sentence2",
        "label": "gold_label",
    },
    "labels": {
        "entailment": ["entailment"],
        "neutral": ["neutral"],
        "contradiction": ["contradiction"],
        "left_out": ["-"],
    },
}


def snli_line(number: int, label: str) -> str:
    row = {
        "annotator_labels": [label, "neutral"],
        "captionID": f"{number}.jpg#0",
        "gold_label": label,
        "pairID": f"{number}.jpg#0r1",
        "sentence1": f'A cat, "Tom", sees {number} mice.',
        "sentence1_parse": "(ROOT (S (NP (DT A) (NN cat))))",
        "sentence2": "Ein Kätzchen jagt.",
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def test_snli_by_its_columns_and_labels_alone(tmp_path: Path) -> None:
    text = snli_line(1, "neutral") + snli_line(2, "-") + "\n" + snli_line(3, "contradiction")
    pairs = read_pairs(write(tmp_path, text, "snli.jsonl"), read_pair_table(SNLI))
    assert pairs == (
        SentencePair(
            "1.jpg#0r1", 'A cat, "Tom", sees 1 mice', "Ein Kätzchen jagt", PairLabel.NEUTRAL
        ),
        SentencePair(
            "3.jpg#0r1", 'A cat, "Tom", sees 3 mice', "Ein Kätzchen jagt", PairLabel.CONTRADICTION
        ),
    )


def test_the_five_columns_of_semeval(tmp_path: Path) -> None:
    text = (
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
        "6\tThere is no boy\tA boy is here\t3.3\tCONTRADICTION\n"
        "9\tA boy is here\tSomebody is here\t4.7\tENTAILMENT\n"
    )
    section = {
        "format": "tsv",
        "columns": {
            "id": "pair_ID",
            "premise": "sentence_A",
            "hypothesis": "sentence_B",
            "label": "entailment_judgment",
        },
    }
    pairs = read_pairs(write(tmp_path, text), read_pair_table(section))
    assert [(p.id, p.label.value) for p in pairs] == [("6", "contradiction"), ("9", "entailment")]


def test_parquet_with_numbers_for_labels(tmp_path: Path) -> None:
    path = tmp_path / "pairs.parquet"
    table = pa.table(
        {
            "premise": ["A dog runs.", "A cat runs.", None],
            "hypothesis": ["A dog moves.", "A cat sleeps.", "Nothing."],
            "label": pa.array([0, 2, -1], pa.int64()),
            "part": ["a", "b", "b"],
        }
    )
    pq.write_table(table, path)
    section = {
        "format": "parquet",
        "columns": {
            "premise": "premise",
            "hypothesis": "hypothesis",
            "label": "label",
            "split": "part",
        },
        "labels": {"entailment": [0], "neutral": [1], "contradiction": [2], "left_out": [-1]},
    }
    described = read_pair_table(section)
    assert [(p.id, p.premise) for p in read_pairs(path, described)] == [
        ("1", "A dog runs"),
        ("2", "A cat runs"),
    ]
    assert [p.id for p in read_pairs(path, described, split="b")] == ["2"]


QUOTED = (
    HEADER.replace("\t", ",")
    + '1,"A man, who is old, says ""no""","A man\nspeaks",neutral\n'
    + "2,A dog runs,A dog moves,entailment\n"
)


def test_csv_is_unquoted(tmp_path: Path) -> None:
    pairs = read_pairs(write(tmp_path, QUOTED, "a.csv"), read_pair_table({"format": "csv"}))
    assert (pairs[0].premise, pairs[0].hypothesis) == (
        'A man, who is old, says "no"',
        "A man speaks",
    )
    tabs = HEADER + '1\t"A dog runs"\t"A dog moves"\tentailment\n'
    section = {"format": "csv", "delimiter": "tab"}
    (pair,) = read_pairs(write(tmp_path, tabs), read_pair_table(section))
    assert (pair.premise, pair.hypothesis) == ("A dog runs", "A dog moves")


def test_a_quoted_cell_of_tsv_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + '1\t"A dog runs"\tA dog moves\tentailment\n')
    with pytest.raises(SourceError) as raised:
        read_pairs(path, PairTable())
    assert str(raised.value) == (
        "pairs.tsv:2: premise stands in quotation marks, which would stay in the sentence: if they "
        "only enclose the cell, write format: csv and delimiter: tab; if they are the sentence's "
        "own, quotes: keep"
    )
    (pair,) = read_pairs(path, read_pair_table({"format": "tsv", "quotes": "keep"}))
    assert pair.premise == '"A dog runs"'


def test_the_case_of_quoted_cells(shared_data: Path) -> None:
    path = shared_data.parent / "cases" / "veridicality" / "quoted-cells.tsv"
    if not path.exists():
        pytest.skip("the folder of cases is not beside the sources")
    with pytest.raises(SourceError, match=r"^quoted-cells.tsv:2: premise stands in quotation"):
        read_pairs(path, PairTable())
    pairs = read_pairs(path, read_pair_table({"format": "csv", "delimiter": "tab"}))
    assert len(pairs) == 11
    assert not any('"' in pair.premise + pair.hypothesis for pair in pairs)


@pytest.mark.parametrize(
    ("name", "text", "form", "message"),
    [
        ("a.csv", 'id,premise\n1,"A dog\n', "csv", "a.csv:1: no column hypothesis; its columns: "
         "id, premise"),
        ("a.csv", QUOTED + '3,"A dog" runs,x,neutral\n', "csv", "a.csv:5: not CSV: ',' expected "
         "after '\"'"),
        ("a.csv", QUOTED + "3,x,neutral\n", "csv", "a.csv:5: 3 cells, where the header has 4"),
        ("a.jsonl", "{\n", "jsonl", "a.jsonl:1: not JSON"),
        ("a.jsonl", "[" * 5_000, "jsonl", "a.jsonl:1: not JSON"),
        ("a.jsonl", "[]\n", "jsonl", 'a.jsonl:1: a line holds one object, such as {"premise": …}'),
        ("a.jsonl", '{"id": "1", "premise": ["a"], "hypothesis": "b", "label": "neutral"}',
         "jsonl", "a.jsonl:1: premise is neither text nor a number"),
        ("a.jsonl", '{"id": "1", "premise": null, "hypothesis": "b", "label": "neutral"}',
         "jsonl", "a.jsonl:1: premise is empty"),
        ("a.parquet", "PAR1", "parquet", "a.parquet: not Parquet: "),
        ("a.tsv", "id\tid\tpremise\thypothesis\tlabel\n", "tsv",
         "a.tsv:1: two columns are called id"),
    ],
)  # fmt: skip
def test_other_formats_refuse_what_is_not_whole(
    tmp_path: Path, name: str, text: str, form: str, message: str
) -> None:
    with pytest.raises(SourceError) as raised:
        read_pairs(write(tmp_path, text, name), read_pair_table({"format": form}))
    assert str(raised.value).startswith(message)


def test_what_describes_a_source_fits_together() -> None:
    assert [*table_problems(SNLI)] == []
    labels = {"entailment": ["yes", 1], "neutral": ["no", "YES"]}
    section = {
        "format": "jsonl",
        "labels": labels,
        "delimiter": "tab",
        "quotes": "keep",
        "split": "dev",
    }
    assert [*table_problems(section)] == [
        ("labels", "the label YES stands for both entailment and neutral", ""),
        ("delimiter", "a delimiter is of csv, and the format is jsonl", "leave it out"),
        ("quotes", "quotes are kept in tsv alone, and the format is jsonl", "leave it out"),
        (
            "split",
            "the source has no column of splits",
            "add columns: {split: …}, with the column that names it",
        ),
    ]


TWICE = (
    HEADER
    + "1\tA dog runs.\tA dog moves.\tentailment\n"
    + "2\tA cat runs\tA cat sleeps\tneutral\n"
    + "3\tA DOG  runs\tA dog moves\tneutral\n"
    + "4\tA cat runs\tA cat sleeps\tneutral\n"
)


def test_two_labels_of_one_pair_are_found(tmp_path: Path) -> None:
    path = write(tmp_path, TWICE)
    with pytest.raises(SourceError) as raised:
        read_pairs(path, PairTable())
    assert str(raised.value) == (
        "pairs.tsv:4: the label is neutral, and the same two sentences are labelled entailment in "
        "pairs.tsv:2. Correct one of them, or write conflicts: drop, which leaves such pairs out"
    )
    found = suitable(read_pairs(path, read_pair_table({"format": "tsv", "conflicts": "drop"})))
    assert found.rejected["the source gives the pair several labels"] == 2
    assert not {"n1", "n3"} & {pair.id for pair in found.pairs}


def test_labels_of_another_split_are_no_conflict(tmp_path: Path) -> None:
    text = TWICE.replace("label\n", "label\tpart\n").replace("neutral\n", "neutral\tb\n")
    path = write(tmp_path, text.replace("entailment\n", "entailment\ta\n"))
    columns = {"premise": "premise", "hypothesis": "hypothesis", "label": "label", "split": "part"}
    table = read_pair_table({"format": "tsv", "columns": columns})
    assert len(read_pairs(path, table, split="b")) == 3
