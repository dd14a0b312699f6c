"""Models of free terms: their design, how they are fitted, the report on them."""
