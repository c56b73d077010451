"""How well readers that see only a part of an item do: each should be at chance."""
