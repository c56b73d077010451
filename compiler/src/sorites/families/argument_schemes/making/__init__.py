"""Making: arguments, fallacies, distractors and the rows they become."""
