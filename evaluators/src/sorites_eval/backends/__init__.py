"""Ways to get an answer: baselines, local models, and models behind an API."""
