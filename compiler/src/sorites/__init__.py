"""Sorites, the compiler: from short declarative specs to releases whose labels are proved."""
