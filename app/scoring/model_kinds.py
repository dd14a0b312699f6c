"""Models of concepts and models of free terms: loaded, and told apart where the one stands for the other."""

from __future__ import annotations

from pathlib import Path

import msgspec

from features.catalogue import FEATURE_NAMES, SIGNATURES
from features.terms.catalogue import TERM_FEATURE_NAMES, TERM_SIGNATURES
from models.errors import WrongFeatures
from models.given import content_of
from models.model import Model

OF_CONCEPTS = (
    "a model of concepts, and a model of free terms is asked for. Name one that was trained on terms, or "
    "leave it out for the one that comes with wort."
)
OF_TERMS = (
    "a model of free terms, and a model of concepts is asked for. Name one that was trained on concepts. "
    "`wort score --terms` scores with this one, and `wort serve` takes it as its --term-model."
)


class _Features(msgspec.Struct):
    features: tuple[str, ...]


def load_concept_model(path: Path) -> Model:
    """The model of concepts in a file.

    Raises:
        ModelError: the file cannot be used as a model of these features.
    """
    return _load(path, SIGNATURES, TERM_FEATURE_NAMES, OF_TERMS)


def load_term_model(path: Path) -> Model:
    """The model of free terms in a file; errors as ``load_concept_model``."""
    return _load(path, TERM_SIGNATURES, FEATURE_NAMES, OF_CONCEPTS)


def is_of_terms(content: bytes) -> bool:
    """Whether a model file's ``content`` lists the features of terms, of whatever version."""
    return _names(content) == set(TERM_FEATURE_NAMES)


def _load(path: Path, signatures: tuple[str, ...], others: tuple[str, ...], told: str) -> Model:
    try:
        return Model.load(path, signatures)
    except WrongFeatures:
        if _names(content_of(path)) != set(others):
            raise
        raise WrongFeatures(f"{path} is {told}") from None


def _names(content: bytes) -> set[str]:
    try:
        listed = msgspec.json.decode(content, type=_Features).features
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return set()
    return {signature.split("@")[0] for signature in listed}
