"""How many processes a compile takes if nobody says."""

from __future__ import annotations

import os

__all__ = ["default_workers"]


def default_workers() -> int:
    """One a core, and at most eight: each holds its own copy of the ontology."""
    return min(os.cpu_count() or 1, 8)
