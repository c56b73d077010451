"""The command ``sorites``."""
