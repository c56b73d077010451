"""Units that are done, kept and gone on with: the same tables wherever a run was stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites.engines.processes import Processes
from sorites.engines.serial import Serial
from sorites.engines.spool import Spool, open_spool
from sorites.engines.units import Made, Slices, do_units, slices_of, unpacked
from sorites.errors import CutShort

SCHEMAS = {
    "numbers": pa.schema([("n", pa.int64()), ("words", pa.list_(pa.string()))]),
    "odd": pa.schema([("n", pa.int64())]),
}


def make(shared: int, unit: int) -> Made:
    rows = {"n": range(unit), "words": [[str(shared)] * (at % 3) for at in range(unit)]}
    tables = {"numbers": pa.table(rows, schema=SCHEMAS["numbers"])}
    if unit % 2:
        tables["odd"] = pa.table({"n": [unit]}, schema=SCHEMAS["odd"])
    return Made(tables, {"unit": unit})


class Counting:
    """An engine that counts its tasks and stops before a given one."""

    workers = 1

    def __init__(self, stop: int | None = None) -> None:
        self.done: list[int] = []
        self.stop = stop

    def map(self, step, tasks, *, shared, weight=None) -> Iterator[Made]:  # type: ignore[no-untyped-def]
        for task in tasks:
            if len(self.done) == self.stop:
                raise KeyboardInterrupt
            self.done.append(task)
            yield step(shared, task)


def run(folder: Path, units: Sequence[int], engine: object) -> tuple[dict[str, pa.Table], object]:
    with open_spool(folder, SCHEMAS) as spool:
        tallies = do_units(
            engine,  # type: ignore[arg-type]
            make,
            units,
            shared=7,
            spool=spool,
            advance=lambda steps: None,
        )
        return {name: spool.table(name) for name in SCHEMAS}, [*tallies]


def expected(units: Sequence[int]) -> dict[str, pa.Table]:
    made = [make(7, unit) for unit in units]
    return {
        name: pa.concat_tables(
            [schema.empty_table(), *(each.tables[name] for each in made if name in each.tables)]
        )
        for name, schema in SCHEMAS.items()
    }


@given(units=st.lists(st.integers(0, 9), max_size=8), data=st.data())
def test_a_run_that_was_stopped_anywhere_goes_on_to_the_same_tables(
    units: list[int], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("spool")
    stop = data.draw(st.integers(0, len(units)))
    first, second = Counting(stop), Counting()
    if stop < len(units):
        with pytest.raises(KeyboardInterrupt):
            run(folder, units, first)
    else:
        run(folder, units, first)
    tables, tallies = run(folder, units, second)
    assert first.done == units[:stop]
    assert second.done == units[stop:]
    assert tallies == [{"unit": unit} for unit in units]
    assert {name: table.to_pydict() for name, table in tables.items()} == {
        name: table.to_pydict() for name, table in expected(units).items()
    }


@pytest.mark.parametrize("lost", [1, 2, 5, 9, 40, 300])
def test_a_torn_end_of_the_journal_or_of_a_file_costs_the_units_that_it_tore(
    tmp_path: Path, lost: int
) -> None:
    units = [3, 4, 5]
    for name in ("units.jsonl", "numbers.arrows"):
        folder = tmp_path / name
        run(folder, units, Serial())
        path = folder / name
        with path.open("r+b") as file:
            file.truncate(max(0, path.stat().st_size - lost))
        again = Counting()
        tables, _ = run(folder, units, again)
        assert 1 <= len(again.done) < len(units) + 1
        assert again.done == units[-len(again.done) :]
        assert tables["numbers"].equals(expected(units)["numbers"])
        assert tables["odd"].equals(expected(units)["odd"])


def test_the_journal_of_other_tables_is_none(tmp_path: Path) -> None:
    run(tmp_path, [1, 2], Serial())
    with open_spool(tmp_path, {"numbers": SCHEMAS["numbers"]}) as spool:
        assert spool.tallies == []
        assert spool.table("numbers").num_rows == 0


def test_every_engine_fills_the_same_spool(tmp_path: Path) -> None:
    units = [5, 0, 2, 7, 1]
    tables, tallies = run(tmp_path / "two", units, Processes(2))
    alone, told = run(tmp_path / "one", units, Serial())
    assert tallies == told
    assert all(tables[name].equals(alone[name]) for name in SCHEMAS)
    written = [(tmp_path / of / "numbers.arrows").read_bytes() for of in ("one", "two")]
    assert written[0] == written[1]


def test_tables_outlive_their_spool() -> None:
    with open_spool(None, SCHEMAS) as spool:
        spool.append(make(1, 3).tables, None)
        table = spool.table("numbers")
    assert table["n"].to_pylist() == [0, 1, 2]


def test_rows_are_on_the_disk_and_not_in_memory(tmp_path: Path) -> None:
    before = pa.total_allocated_bytes()
    with open_spool(tmp_path, SCHEMAS) as spool:
        for _ in range(20):
            spool.append(make(1, 1_000).tables, None)
        table = spool.table("numbers")
        assert table.nbytes > 300_000
        assert pa.total_allocated_bytes() - before < table.nbytes / 4


LETTERS = st.lists(st.sampled_from("abc"), max_size=40)


@given(letters=LETTERS, rows=st.integers(1, 9), whole=st.booleans())
def test_slices_hold_each_row_once_and_never_part_what_stands_together(
    letters: list[str], rows: int, whole: bool
) -> None:
    table = pa.table({"letter": pa.array(letters, pa.string()), "n": [*range(len(letters))]})
    slices = Slices(slices_of("name", table, rows, together="letter" if whole else None))
    found = [unpacked(packed) for _, packed in slices]
    assert [row for part in found for row in part.to_pylist()] == table.to_pylist()
    assert all(part.num_rows for part in found)
    if whole:
        for part, other in pairwise(found):
            assert part["letter"][-1].as_py() != other["letter"][0].as_py()
    else:
        assert all(part.num_rows == rows for part in found[:-1])
    assert [*slices[1:]] == [*slices][1:]


def test_a_slice_is_packed_alone() -> None:
    table = pa.table({"text": ["x" * 1_000] * 1_000})
    (_, packed), *_ = Slices(slices_of("", table, 10))
    assert len(packed) < 20_000


class Full:
    """A file on a disk that takes so many bytes more."""

    def __init__(self, file: BinaryIO, room: int) -> None:
        self.file = file
        self.room = room

    def write(self, content: bytes) -> int:
        size = len(memoryview(content))
        if size > self.room:
            raise OSError(28, "No space left on device")
        self.room -= size
        return self.file.write(content)

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)


@pytest.mark.parametrize("full", ["numbers", "odd", "the journal"])
def test_a_full_disk_leaves_the_units_before(tmp_path: Path, full: str) -> None:
    def fill(spool: Spool) -> None:
        if full == "the journal":
            spool._journal = Full(spool._journal, 10)  # type: ignore[assignment]
        else:
            files = {**spool._files, full: Full(spool._files[full], 10)}
            spool._files = files  # type: ignore[assignment]

    with open_spool(tmp_path, SCHEMAS) as spool:
        for unit in (3, 5):
            spool.append(make(7, unit).tables, {"unit": unit})
        fill(spool)
        with pytest.raises(CutShort) as caught:
            spool.append(make(7, 7).tables, {"unit": 7})
    assert str(caught.value) == (
        f"{tmp_path}: cannot be written: No space left on device. What was done is kept: make room "
        "there, and the same command goes on; or let SORITES_CACHE name a folder on a larger disk"
    )
    again = Counting()
    tables, _ = run(tmp_path, [3, 5, 7, 8], again)
    assert again.done == [7, 8]
    assert tables["numbers"].equals(expected([3, 5, 7, 8])["numbers"])


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CutShort) as caught, open_spool(tmp_path / "file", SCHEMAS):
        pass
    assert str(caught.value).startswith(f"{tmp_path / 'file'}: cannot be written: File exists. ")
