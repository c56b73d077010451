"""Formulas: what they say, whether it follows, whether it is true, and how to put it."""
