"""Models of free terms: their design, how they are fitted, the experiments of TR9856."""
