"""Correlations, their intervals, and whether two of them differ."""
