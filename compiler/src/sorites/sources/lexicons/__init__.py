"""Lexicons: concepts, relations, glosses and lemmas, from several formats."""
