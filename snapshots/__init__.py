"""Pages to tables: everything a snapshot holds, how it is built and how it is read."""
