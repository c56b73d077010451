"""What a release says it holds, and whether it does."""
