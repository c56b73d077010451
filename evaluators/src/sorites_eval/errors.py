"""The evaluators' errors: each says what is wrong, where, and what to do about it."""

from __future__ import annotations

__all__ = ["InvalidRelease", "ModelError", "RunError", "SoritesError"]


class SoritesError(Exception):
    """Whatever the evaluators refuse to do, in words for the person who asked for it."""


class InvalidRelease(SoritesError):
    """A release that cannot be found, is incomplete, or is not what its manifest promises."""


class ModelError(SoritesError):
    """A model that cannot be loaded, or that cannot answer what a task asks of it."""


class RunError(SoritesError):
    """A run that cannot be started, continued or read back."""
