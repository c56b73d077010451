"""First-order logic in full: trees, Z3, finite models; for formulas that others have written."""
