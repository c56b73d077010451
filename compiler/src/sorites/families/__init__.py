"""The families: one for each kind of spec, from spec and sources to rows."""
