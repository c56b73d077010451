"""The tasks of a release, checked against its own rows."""
