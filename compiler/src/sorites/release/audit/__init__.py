"""What a release says of its own quality."""
