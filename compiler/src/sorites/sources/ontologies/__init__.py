"""Ontologies: classes, their hierarchy and their members, from several formats."""
