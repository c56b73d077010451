"""The tasks of a release, tried on its own rows."""
