"""The files of a release: Parquet, column types, checksums, a place to build in."""
