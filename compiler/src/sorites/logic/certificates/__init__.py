"""What shows a verdict to whoever does not trust the prover: refutations and finite models."""
