"""The part of ``benchmark.json`` that says which analyses were made of a release's runs."""
