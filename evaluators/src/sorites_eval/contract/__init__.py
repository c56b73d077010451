"""The contract between a release and its evaluators: what a ``benchmark.json`` says."""
