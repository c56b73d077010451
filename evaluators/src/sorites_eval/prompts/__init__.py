"""Prompts: from an item to the conversation that a model is shown."""
