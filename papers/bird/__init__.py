"""Experiments on composition: how well one vector for two words stands for a bigram."""
