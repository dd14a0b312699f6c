"""The experiments of TR9856 (Levy et al. 2015, section 5), and what its paper leaves open."""
