"""Two versions of a release: what changed, and which version number that needs."""
