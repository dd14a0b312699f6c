"""The features: measures (formulas) applied to evidence (what the tables say of a pair)."""
