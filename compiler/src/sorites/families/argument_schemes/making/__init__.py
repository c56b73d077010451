"""Making: pairs of arguments, distractors and the rows they become."""
