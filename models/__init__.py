"""Model files: what they hold, how they score, and the ones that ship."""
