"""Encoders: what turns any text into a vector, without torch.

A folder holds an encoder (``encoders.card`` says what is in it), ``encoders.encoder`` opens it. Two texts are
as related as their vectors point the same way: their cosine. ``docs/encoders.md`` tells what that is good
for.
"""
