"""Grammars with semantics: sentences and their formulas together."""
