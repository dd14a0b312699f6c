"""Senses: the concepts that a term, a mention or an ambiguous title may name, and the choice among them."""
