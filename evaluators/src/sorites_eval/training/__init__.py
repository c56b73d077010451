"""Models that are trained on a release, to set beside those that are only asked."""
