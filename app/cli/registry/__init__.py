"""What the commands show of the registry, and what goes into it and comes out."""
