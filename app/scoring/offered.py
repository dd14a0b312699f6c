"""The models that come with wort, by the names that requests and settings use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from app.errors import UnknownModelName, UnusableModel
from app.scoring.model_kinds import load_concept_model, load_term_model
from features.catalogue import FEATURES
from features.terms.catalogue import ENCODED_FEATURES
from models.errors import NotAModel
from models.protocol import RelatednessModel
from models.shipped import shipped_models
from snapshots.snapshot import Snapshot

WORT, WORT_PLUS, REGRESSION = "wort", "wort-plus", "regression"

NAMES = {
    WORT_PLUS: "Log-logistic: Wikipedia's evidence and an encoder's, calibrated to people's answers, with "
    "an interval.",
    WORT: "Linear over the features of the paper (Ein-Dor et al. 2018) and their logarithms: the reference.",
    REGRESSION: "The papers' linear regression: of concepts over the sixteen features as they are (Ein-Dor "
    "et al. 2018), of terms over four (Levy et al. 2015).",
}
"""What the models that come with wort are called, and what they are; the first that can be used answers."""

GENERAL = "starter"
GENERAL_OF_TERMS = "enwiki-relinked"
"""How the names of files end whose models are for snapshots that none was trained on. Of terms it is the one
that saw the most articles."""

OF_TERMS = "terms-"
"""How the names of the files of models of terms begin."""


class ShippedModel(NamedTuple):
    """A model that comes with wort, and its file."""

    model: RelatednessModel
    file: Path


def concept_models(snapshot: str) -> dict[str, ShippedModel]:
    """The models of concepts that come with wort for the snapshot of this id, by name, as ``NAMES`` stand.

    Of each name it is the one that was trained on the snapshot, else the general one.

    Raises:
        ModelError: a file is damaged.
    """
    return _suiting(snapshot, GENERAL, of_terms=False)


def term_models(snapshot: str) -> dict[str, ShippedModel]:
    """The models of terms, as ``concept_models``."""
    return _suiting(snapshot, GENERAL_OF_TERMS, of_terms=True)


def default_model(snapshot: Snapshot) -> ShippedModel:
    """The model of concepts that answers where none is named: the first whose evidence the snapshot has.

    ``WORT`` needs none: a table that a build left out reads as empty, as it always did.

    Raises:
        ModelError: a file is damaged, or no model comes with this copy of wort.
    """
    for name, shipped in concept_models(snapshot.id).items():
        if name == WORT or concept_trouble(snapshot, shipped.model) is None:
            return shipped
    raise NotAModel("no model comes with this copy of wort. Install it again, or name a file.")


def named_model(snapshot: Snapshot, name: str) -> RelatednessModel:
    """The model of concepts that comes with wort under a name, for a snapshot.

    Raises:
        UnknownModelName: none does.
        UnusableModel: the snapshot lacks tables that it reads.
        ModelError: a file is damaged.
    """
    models = concept_models(snapshot.id)
    if name not in models:
        raise unknown_name(name, tuple(models))
    model = models[name].model
    trouble = None if name == WORT else concept_trouble(snapshot, model)
    if trouble is not None:
        raise UnusableModel(trouble)
    return model


def concept_trouble(snapshot: Snapshot, model: RelatednessModel) -> str | None:
    """Why a model of concepts cannot score well: the snapshot lacks tables of what it weighs. Else None."""
    weighed = _weighed(model)
    needed = {table for feature in FEATURES if feature.name in weighed for table in feature.tables}
    missing = sorted(name for name in needed if not snapshot.has(name))
    if not missing:
        return None
    return (
        f"the snapshot {snapshot.id} was built without {', '.join(missing)}, which {model.name} reads. "
        "Build it again with them, or name another model."
    )


def term_trouble(model: RelatednessModel, has_encoder: bool) -> str | None:
    """Why a model of terms cannot score: it reads what an encoder says, and there is none. Else None."""
    if has_encoder or not reads_encoder(model):
        return None
    return (
        f"{model.name} compares texts by an encoder, and there is none here. Name one with WORT_ENCODER, or "
        "another model."
    )


def reads_encoder(model: RelatednessModel) -> bool:
    """Whether a model of terms reads a feature that needs an encoder of texts."""
    return any(feature.name in model.reads for feature in ENCODED_FEATURES)


def unknown_name(name: str, known: Sequence[str]) -> UnknownModelName:
    """The error that says that there is no model ``name``, and which there are."""
    return UnknownModelName(f"there is no model {name[:100]!r} here. There are {', '.join(known)}.")


def _weighed(model: RelatednessModel) -> set[str]:
    """The features that count in a model."""
    return {coefficient.feature for coefficient in model.coefficients if coefficient.weight}


def _suiting(snapshot: str, general: str, *, of_terms: bool) -> dict[str, ShippedModel]:
    """Of each name the model that was trained on a snapshot, else the general one; as ``NAMES`` stand."""
    by_name: dict[str, ShippedModel] = {}
    for name in NAMES:
        named = [shipped for shipped in _shipped(of_terms) if _name_of(shipped) == name]
        trained_on = [shipped for shipped in named if shipped.model.snapshot == snapshot]
        others = [shipped for shipped in named if shipped.file.stem.endswith(general)]
        by_name.update((name, shipped) for shipped in (trained_on or others)[:1])
    return by_name


@cache
def _shipped(of_terms: bool) -> tuple[ShippedModel, ...]:
    """The models that come with wort. They are read once: the files are part of it."""
    load = load_term_model if of_terms else load_concept_model
    return tuple(
        ShippedModel(load(file), file)
        for file in shipped_models("")
        if file.stem.startswith(OF_TERMS) == of_terms
    )


def _name_of(shipped: ShippedModel) -> str:
    """Which of ``NAMES`` it has."""
    if REGRESSION in shipped.file.stem:
        return REGRESSION
    return WORT_PLUS if shipped.model.unit == "evidence" else WORT
