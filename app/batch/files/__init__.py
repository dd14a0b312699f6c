"""Files of pairs: read row by row, written with the answers beside what they held."""
