"""Evidence of the link graph beyond counts of shared links: tried, measured, and in no model."""
