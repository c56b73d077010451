"""The commands of ``sorites-eval``, one file for each thing that a person comes to do."""
