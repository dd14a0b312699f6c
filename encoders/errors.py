"""What can go wrong with the folder of an encoder.

EncoderError
├── NotAnEncoder     no card, or not one of ours, or a file in it that this version cannot read
├── DamagedEncoder   a file is missing or is not what the card says
├── MissingRuntime   what runs the encoder is not installed
├── BadLeftOut       the file of left-out cosines cannot be used
└── UnknownPairs     pairs that the file of left-out cosines does not have
"""

from __future__ import annotations


class EncoderError(Exception):
    """An encoder cannot be used; the message says why and what to do."""


class NotAnEncoder(EncoderError):
    """The folder holds no encoder that this version reads."""


class DamagedEncoder(EncoderError):
    """A file of the encoder is missing, or is not what its card says it is."""


class MissingRuntime(EncoderError):
    """The library that runs the encoder is not installed."""


class BadLeftOut(EncoderError):
    """A row of the file of left-out cosines, named by its line, or the file as a whole, cannot be used."""


class UnknownPairs(EncoderError):
    """Pairs were asked for that the file of left-out cosines does not have; the message names some."""


def damaged(what: object, found: str) -> DamagedEncoder:
    """The error that says that ``what`` is damaged, what was found, and what to do."""
    return DamagedEncoder(f"{what} is damaged: {found}. Copy the encoder's folder again, or make it again.")
