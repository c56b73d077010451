"""Parquet files as tables that lie on the disk: of any size, in little memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sorites.engines.spool import open_spool
from sorites.errors import InvalidRelease
from sorites_eval.contract.parquet import FloodError, portions

__all__ = ["mapped"]

_LARGEST_FILE = 16 * 2**30
"""Bytes of a Parquet file once decoded. What this program writes has a thirtieth of it."""

_MOST_ROWS = 50_000_000

_TABLE = "rows"


def mapped(paths: Sequence[Path]) -> pa.Table:
    """The rows of Parquet files, one after another, decoded into a file that is mapped.

    Nothing is left of that file when the table is no longer used. Raises InvalidRelease for a file
    that cannot be read, that has not the columns of the first, or that would be larger once decoded
    than is read; and CutShort where the disk does not take what is decoded.
    """
    at = paths[0]
    try:
        with pq.ParquetFile(at, arrow_extensions_enabled=False) as first:
            schema = first.schema_arrow.remove_metadata()
        with open_spool(None, {_TABLE: schema}) as spool:
            for at in paths:
                with pq.ParquetFile(at, arrow_extensions_enabled=False) as file:
                    if not file.schema_arrow.equals(schema):
                        raise InvalidRelease(f"{at}: has not the columns of {paths[0]}")
                    for batch in portions(
                        file, schema.names, most_rows=_MOST_ROWS, most_bytes=_LARGEST_FILE
                    ):
                        spool.append({_TABLE: pa.Table.from_batches([batch])}, None)
            return spool.table(_TABLE)
    except FloodError as error:
        raise InvalidRelease(f"{at}: {error}") from error
    except (pa.ArrowException, OSError) as error:
        raise InvalidRelease(f"{at}: cannot be read: {error}") from error
