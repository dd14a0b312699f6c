"""The models that a server holds, by the names that requests use, and which of them answers otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from app.errors import AppError
from app.scoring.concepts import Scorer
from app.scoring.judged import level_of
from app.scoring.model_kinds import load_term_model
from app.scoring.offered import (
    NAMES,
    WORT_PLUS,
    ShippedModel,
    concept_models,
    concept_trouble,
    named_model,
    reads_encoder,
    term_models,
    term_trouble,
    unknown_name,
)
from app.scoring.terms import TermScorer, shipped_term_model, term_model_info
from app.serving.encoder import EncoderPlace
from app.settings import Settings
from models.errors import ModelError
from models.protocol import RelatednessModel
from wort.schemas.described import ModelInfo
from wort.schemas.releases import OfferedModel

ModelOf = Literal["concepts", "terms"]
"""What a model scores."""

OWN = "The model that this server was given, or that its registry has in force."


class TermSettings(NamedTuple):
    """How terms are scored where a request names no model.

    ``model``: by this one; None for the shipped one that is called ``name``, or that suits. ``strict``:
    whether it must have been trained on the snapshot. ``encoder``: where that of texts is.
    """

    model: RelatednessModel | None = None
    strict: bool = False
    name: str | None = None
    encoder: EncoderPlace | None = None

    @classmethod
    def of(cls, settings: Settings) -> TermSettings:
        """What ``settings`` say.

        Raises:
            ModelError: the file that they name cannot be used as a model of terms.
        """
        path = settings.term_model
        name = str(path) if str(path) in NAMES else None
        model = None if path is None or name is not None else load_term_model(path)
        return cls(model, settings.strict, name, EncoderPlace(settings.encoder))


class HeldModels:
    """The models that may be asked for: that in force by its own name, those that ship by theirs."""

    def __init__(self, scorer: Scorer, settings: TermSettings) -> None:
        """``scorer``: by the model of concepts in force."""
        self._scorer = scorer
        self._settings = settings

    def of_concepts(self, name: str) -> RelatednessModel:
        """The model of concepts of this name.

        Raises:
            UnknownModelName: none has it; the message lists those that there are.
            UnusableModel: the snapshot lacks tables that it reads.
            ModelError: a file of wort is damaged.
        """
        if self._is_own(name):
            return self._scorer.model
        shipped = concept_models(self._scorer.snapshot.id)
        if name not in shipped:
            raise unknown_name(name, self._names(shipped))
        return named_model(self._scorer.snapshot, name)

    def of_terms(self, name: str | None) -> RelatednessModel:
        """The model of terms of this name; where it is one of concepts alone, the one that goes with these.

        Raises:
            UnknownModelName: none has it; the message lists those that there are.
            NoTermModel: none comes with this copy of wort.
            ModelError: a file of wort is damaged.
        """
        snapshot = self._scorer.snapshot.id
        shipped, of_concepts = term_models(snapshot), concept_models(snapshot)
        if name is not None and name in shipped and not self._is_own(name):
            return shipped[name].model
        if name is not None and name not in of_concepts and not self._is_own(name):
            raise unknown_name(name, self._names({**of_concepts, **shipped}))
        settings = self._settings
        if settings.model is not None:
            return settings.model
        if settings.name is not None and settings.name in shipped:
            return shipped[settings.name].model
        plus = shipped.get(WORT_PLUS)
        # One scale for concepts and terms, where the two models can have it.
        same_scale = self._scorer.model.unit == "evidence" if name is None else False
        if plus is not None and same_scale and self._term_trouble(plus.model) is None:
            return plus.model
        return shipped_term_model(snapshot)

    def term_scorer(self, concepts: Scorer, name: str | None) -> TermScorer:
        """The scorer of terms by the model of this name, beside that of ``concepts``.

        Raises:
            UnusableModel: the model compares texts by an encoder, which is not there or cannot be opened.
            ForeignModel: it was trained on another snapshot, and the settings refuse that.
            UnknownModelName, NoTermModel, ModelError: as ``of_terms``.
        """
        model, place = self.of_terms(name), self._settings.encoder
        encoder = place.open() if reads_encoder(model) and place is not None else None
        return TermScorer.open(concepts, model, self._settings.strict, encoder)

    def described(self, name: str | None, of: ModelOf) -> RelatednessModel:
        """The model of this name, whether or not it can score here; None for the one in force.

        Raises:
            UnknownModelName, NoTermModel, ModelError: as ``of_concepts`` and ``of_terms``.
        """
        if of == "terms":
            return self.of_terms(name)
        if name is None or self._is_own(name):
            return self._scorer.model
        shipped = concept_models(self._scorer.snapshot.id)
        if name not in shipped:
            raise unknown_name(name, self._names(shipped))
        return shipped[name].model

    def concepts_beside(self, name: str | None) -> str | None:
        """Which model of concepts goes with the model of terms of this name: that of the name, if any."""
        shipped = concept_models(self._scorer.snapshot.id)
        return name if name is not None and (name in shipped or self._is_own(name)) else None

    def terms_info(self) -> ModelInfo | None:
        """What is said of the model that scores terms by default; None where there is none."""
        try:
            return term_model_info(self.of_terms(None), self._scorer.snapshot.id)
        except (AppError, ModelError):
            return None

    def listed(self) -> tuple[OfferedModel, ...]:
        """Every model that a request may name, the ones that answer otherwise first."""
        try:
            return tuple(self._listed())
        except (AppError, ModelError):
            return ()

    def _listed(self) -> Iterator[OfferedModel]:
        snapshot, own = self._scorer.snapshot, self._scorer.model
        shipped = concept_models(snapshot.id)
        if all(own != each.model for each in shipped.values()):
            yield _offered(own.name, "concepts", own, self._scorer.model_info, default=True)
        for name, (model, _) in shipped.items():
            info = ModelInfo(model.name, model.snapshot, model.check_snapshot(snapshot.id))
            trouble = concept_trouble(snapshot, model) if name == WORT_PLUS else None
            yield _offered(name, "concepts", model, info, default=model == own, trouble=trouble)
        default = self.of_terms(None)
        for name, (model, _) in term_models(snapshot.id).items():
            info, trouble = term_model_info(model, snapshot.id), self._term_trouble(model)
            yield _offered(name, "terms", model, info, default=model == default, trouble=trouble)

    def _is_own(self, name: str) -> bool:
        info = self._scorer.model_info
        return name in (info.name, info.version)

    def _names(self, shipped: dict[str, ShippedModel]) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*shipped, self._scorer.model_info.name)))

    def _term_trouble(self, model: RelatednessModel) -> str | None:
        place = self._settings.encoder
        return term_trouble(model, place is not None and place.folder is not None)


def _offered(
    name: str,
    of: ModelOf,
    model: RelatednessModel,
    info: ModelInfo,
    *,
    default: bool,
    trouble: str | None = None,
) -> OfferedModel:
    return OfferedModel(
        name,
        of,
        info,
        model.type,
        NAMES.get(name, OWN),
        model.metrics,
        default,
        level_of(model),
        trouble,
    )
