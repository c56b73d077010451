"""Scoring: from replies to answers, metrics and statistics."""
