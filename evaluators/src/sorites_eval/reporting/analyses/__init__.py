"""The analyses that a release declares, computed from runs: numbers, tables and figures."""
