"""Models run here with transformers and torch."""
