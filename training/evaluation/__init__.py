"""Judging: measures and models against people's scores, one benchmark in detail or many on a board."""
