"""What people and machines read about a release: card, Croissant, registry."""
