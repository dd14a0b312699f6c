"""Which pairs are worth a person's time, and how a benchmark of them stays fair."""
