"""Answers as people write them in files: what means yes, what no, and what that there is none."""

YES = frozenset({"1", "1.0", "related", "yes", "true"})
NO = frozenset({"0", "0.0", "unrelated", "no", "false"})

NONE = frozenset({"", "null", "none", "nan"})
"""What stands where somebody did not know, or was not asked."""
