"""From pinned files to small models: ontologies, lexicons, sentence pairs."""
