"""Engines: what maps a step over tasks, in this process, in several, or on a cluster."""
