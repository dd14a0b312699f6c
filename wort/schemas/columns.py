"""What pairs and columns are given as, where answers are computed in the process that asks."""

from __future__ import annotations

from typing import Any, TypeAlias

ConceptColumn: TypeAlias = Any
"""What names some concepts: a list, a NumPy array, or what NumPy can make an array of, such as a column of
pandas, Polars or Arrow. An entry is a ``Concept``, and as a side of a pair it may be a ``SideReference``."""

Pairs: TypeAlias = Any
"""Pairs of concepts: a list of pairs, or an array or a data frame of two columns. Or, where the right sides
are given apart, a ``ConceptColumn`` of the left ones."""
