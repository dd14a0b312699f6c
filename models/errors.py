"""What can go wrong with model files.

ModelError
├── NotAModel         the file cannot be read, is cut off, or is not a model
├── WrongModelFormat  a model of another type, or of another version of the format
├── WrongFeatures     it reads a feature that is not computed here, or is defined otherwise
├── UnknownTransform  a coefficient has a transform that is not known here
└── BadNumbers        a number that no trained model has
"""

from __future__ import annotations


class ModelError(Exception):
    """A model cannot be used; the message says why and what to do."""


class NotAModel(ModelError):
    """The file cannot be read, is cut off, or holds something else than a model."""


class WrongModelFormat(ModelError):
    """The model is of a type, or of a version of the file format, that is not known here."""


class WrongFeatures(ModelError):
    """The model reads a feature that is not computed here, or that is defined otherwise by now."""


class UnknownTransform(ModelError):
    """A coefficient of the model names a transform that is not declared here."""


class BadNumbers(ModelError):
    """A weight, the intercept or the clip is not a number that a trained model can have."""
