"""Clauses around an embedded sentence: a language as a table, frames, and what they say."""
