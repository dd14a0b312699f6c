"""Code that is compiled where it runs: how, for which processor, and where it is kept."""
