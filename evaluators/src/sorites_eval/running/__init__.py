"""Running: a model asked about every item, resumable and in several processes."""
