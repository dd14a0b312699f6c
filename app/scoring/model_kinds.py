"""Models of concepts and models of free terms: loaded, and told apart where the one stands for the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from features.catalogue import FEATURE_NAMES, SIGNATURES
from features.terms.catalogue import TERM_FEATURE_NAMES, TERM_SIGNATURES
from models.errors import WrongFeatures
from models.files import load
from models.given import content_of
from models.protocol import RelatednessModel, name_of

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


def load_concept_model(path: Path) -> RelatednessModel:
    """The model of concepts in a file.

    Raises:
        ModelError: the file cannot be used as a model of these features.
    """
    return _load(path, SIGNATURES, is_of_terms, OF_TERMS)


def load_term_model(path: Path) -> RelatednessModel:
    """The model of free terms in a file; errors as ``load_concept_model``."""
    return _load(path, TERM_SIGNATURES, is_of_concepts, OF_CONCEPTS)


def is_of_terms(content: bytes) -> bool:
    """Whether a model file's ``content`` names features that terms alone have, of whatever version."""
    return _names_only(content, TERM_FEATURE_NAMES, FEATURE_NAMES)


def is_of_concepts(content: bytes) -> bool:
    """Whether it names features that concepts alone have."""
    return _names_only(content, FEATURE_NAMES, TERM_FEATURE_NAMES)


def _load(
    path: Path, signatures: tuple[str, ...], is_other: Callable[[bytes], bool], message: str
) -> RelatednessModel:
    try:
        return load(path, signatures)
    except WrongFeatures:
        if not is_other(content_of(path)):
            raise
        raise WrongFeatures(f"{path} is {message}") from None


def _names_only(content: bytes, own: Sequence[str], others: Sequence[str]) -> bool:
    """Whether a file names features of ``own`` that are not of ``others``, and none the other way round."""
    try:
        listed = msgspec.json.decode(content, type=_Features).features
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    names = {name_of(signature) for signature in listed}
    return bool(names & set(own) - set(others)) and not names & set(others) - set(own)
