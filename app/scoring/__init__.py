"""Pairs to results: what the service, the batch command and every other way in score with."""
