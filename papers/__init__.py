"""The experiments of papers, repeated: their tables, ours beside theirs."""
