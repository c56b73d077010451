"""Notations of first-order logic: a table for each, and one reader and one writer for all."""
