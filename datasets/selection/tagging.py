"""Parts of speech and lemmas of the words of a text: what a protocol asks of a tagger, and HanTa."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple, Protocol

from datasets.selection.errors import MissingResource
from datasets.selection.lexicons import PartOfSpeech
from snapshots.stop_words import base_language

_TOKEN = re.compile(r"['’]s\b|\w+(?:-\w+)*|[^\w\s]")


class Tagged(NamedTuple):
    """A word as it is written, its lemma, and whether it is a noun, a verb, an adjective, or none of them.

    ``name``: it is a proper noun.
    """

    word: str
    lemma: str
    part: PartOfSpeech | None
    name: bool = False


class Tagger(Protocol):
    """Tags the words of a sentence."""

    def tag(self, sentence: str) -> list[Tagged]:
        """The words and punctuation marks of a sentence, in order."""

    def described(self) -> dict[str, object]:
        """Name, version and model, for the provenance."""


_MODELS: Mapping[str, tuple[str, Mapping[PartOfSpeech, str]]] = {
    "de": ("morphmodel_ger.pgz", {"n": r"NN|NE", "v": r"VV", "a": r"ADJ"}),
    "en": ("morphmodel_en.pgz", {"n": r"NN|NP", "v": r"VV", "a": r"AJ"}),
    "nl": ("morphmodel_dutch.pgz", {"n": r"N\(", "v": r"WW", "a": r"ADJ"}),
}
"""By language, the model in the package and what the tags of each part of speech begin with: those of STTS,
of the British National Corpus, and of the Corpus Gesproken Nederlands. Auxiliary verbs are none of them where
their tags differ."""


_NAME = re.compile(r"NP0|NE|N\(eigen")
"""What the tags of proper nouns begin with, in any of the three."""


class HanTaTagger:
    """The Hanover Tagger, with a model that its package brings: English, German or Dutch, without a network.

    A model is loaded by the package itself, and from the installed package alone: it is a pickle.

    Raises:
        MissingResource: the package is not installed, or has no model of the language.
    """

    def __init__(self, language: str) -> None:
        code = base_language(language)
        if code not in _MODELS:
            raise MissingResource(
                f"There is no tagger of the language {language!r} here, but of {', '.join(_MODELS)}. Give "
                "another one from Python: datasets.selection.tagging.Tagger says what it must do."
            )
        try:
            library: Any = import_module("HanTa.HanoverTagger")
        except ModuleNotFoundError:
            raise MissingResource(
                "Words are tagged by the package hanta, which is not installed. Fetch it where there is a "
                "network (pip download hanta), bring the file here, and install it: "
                "pip install --no-index --find-links FOLDER hanta. Its models are in it."
            ) from None
        self._model, parts = _MODELS[code]
        self._parts = {part: re.compile(begins) for part, begins in parts.items()}
        self._tagger: Any = library.HanoverTagger(self._model)

    def tag(self, sentence: str) -> list[Tagged]:
        """The words of a sentence; see ``Tagger``."""
        tokens = _TOKEN.findall(sentence)
        tagged = self._tagger.tag_sent(tokens) if tokens else []
        return [Tagged(word, lemma, self._part(tag), bool(_NAME.match(tag))) for word, lemma, tag in tagged]

    def described(self) -> dict[str, object]:
        """Name, version and model; see ``Tagger``."""
        return {"tagger": "HanTa", "version": version("HanTa"), "model": self._model}

    def _part(self, tag: str) -> PartOfSpeech | None:
        return next((part for part, begins in self._parts.items() if begins.match(tag)), None)
