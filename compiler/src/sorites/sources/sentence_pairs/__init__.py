"""Labelled pairs of sentences, from tables."""
