"""Sorites, the compiler: short declarative specs into benchmark releases whose labels are proved."""
