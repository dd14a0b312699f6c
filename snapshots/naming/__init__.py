"""How a name finds the concepts that have it: the tables of names, resolving, searching and suggesting."""
