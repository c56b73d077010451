"""Evaluate models on any benchmark release: a release and a model in, scores out."""
