"""Selects pairs that are worth a person's judgement, each protocol as its paper has it."""
