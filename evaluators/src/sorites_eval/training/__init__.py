"""Models trained on a release, for comparison with models that are only prompted."""
