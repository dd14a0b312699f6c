"""Judging and fitting: benchmarks, folds, correlations, the training protocol and its report."""
