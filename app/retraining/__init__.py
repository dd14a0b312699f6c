"""Retraining as a server runs it: a process of its own."""
