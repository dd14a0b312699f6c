"""What can go wrong while pairs are selected.

SelectionError
├── MissingResource  a lexicon, a tagger or its model is not installed
├── UnusableInput    a file of topics, a folder of texts or a phrase table cannot be used
└── TooFewTerms      what was found in the texts is not enough to make the pairs that were asked for
"""

from __future__ import annotations


class SelectionError(Exception):
    """Pairs cannot be selected; the message says why and what to do."""


class MissingResource(SelectionError):
    """Something that a protocol needs is not installed; the message says how to install it offline."""


class UnusableInput(SelectionError):
    """What the pairs are to be selected from cannot be read or understood."""


class TooFewTerms(SelectionError):
    """The texts have too few words or concepts for what was asked."""
