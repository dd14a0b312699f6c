"""Other names of a concept, as its title and the opening of its article give them."""
