"""Content into a release: files, checksums, card, contract; then whole, verified, published."""
