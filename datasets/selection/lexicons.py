"""Lexicons of word senses: what a protocol asks of one, and those that the package ``wn`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, Protocol, get_args

from datasets.selection.errors import MissingResource

PartOfSpeech = Literal["n", "v", "a", "r"]
"""Noun, verb, adjective, adverb, as WordNet has them."""

Relation = Literal["synonym", "hypernym", "hyponym", "holonym", "meronym"]
"""What another word is to a sense: of the same meaning, a kind above or below it, a whole or a part of it."""

RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True, slots=True)
class WordSense:
    """One meaning of a word.

    ``lemmas``: the words that have it, the word itself among them, with blanks between those of a longer one;
    ``gloss``: its definition, empty where the lexicon has none.
    """

    identifier: str
    lemmas: tuple[str, ...]
    gloss: str


class SenseLexicon(Protocol):
    """Words and their senses. Words are looked up without regard to capitals."""

    def senses(self, word: str, part: PartOfSpeech) -> list[WordSense]:
        """The senses of a word, the commonest first where the lexicon knows; none if it has not the word."""

    def related(self, sense: WordSense, relation: Relation) -> list[str]:
        """Words that stand in a relation to a sense, in the order of the lexicon, each once."""

    def described(self) -> dict[str, object]:
        """Name and version, for the provenance."""


def artificial_gloss(lexicon: SenseLexicon, sense: WordSense, word: str) -> str:
    """What tells a sense apart where its lexicon has no gloss: its synonyms and hypernyms.

    As Gurevych (2005) made them for GermaNet: for brother, "brother, male sibling".
    """
    others = [one for one in sense.lemmas if one.lower() != word.lower()]
    return ", ".join(dict.fromkeys([word, *others, *lexicon.related(sense, "hypernym")]))


class WnLexicon:
    """A lexicon that the package ``wn`` has in its database, such as ``odenet:1.4`` or ``oewn:2024``.

    Raises:
        MissingResource: the package is not installed, or its database has no such lexicon.
    """

    def __init__(self, name: str) -> None:
        try:
            wn: Any = import_module("wn")
        except ModuleNotFoundError:
            raise MissingResource(
                "Lexicons but WordNet's own files are read by the package wn, which is not installed. Fetch "
                "it where there is a network (pip download 'wort-server[datasets]'), bring the files here, "
                "and install them: pip install --no-index --find-links FOLDER wn."
            ) from None
        try:
            self._wordnet: Any = wn.Wordnet(name)
        except wn.Error as error:
            raise MissingResource(
                f"The package wn has no lexicon {name!r} ({error}). Fetch its file where there is a network "
                "(python -m wn download), bring it here, and add it: python -c 'import wn; wn.add(\"FILE\")'."
            ) from None

    def senses(self, word: str, part: PartOfSpeech) -> list[WordSense]:
        """The senses of a word; see ``SenseLexicon``."""
        parts = ("a", "s") if part == "a" else (part,)
        synsets = [synset for one in parts for synset in self._wordnet.synsets(word, pos=one)]
        return [WordSense(one.id, tuple(one.lemmas()), one.definition() or "") for one in synsets]

    def related(self, sense: WordSense, relation: Relation) -> list[str]:
        """Words in a relation to a sense; see ``SenseLexicon``."""
        if relation == "synonym":
            return list(sense.lemmas)
        synset = self._wordnet.synset(sense.identifier)
        others: Sequence[Any] = getattr(synset, f"{relation}s")()
        return list(dict.fromkeys(lemma for other in others for lemma in other.lemmas()))

    def described(self) -> dict[str, object]:
        """Name and version; see ``SenseLexicon``."""
        return {"lexicons": [one.specifier() for one in self._wordnet.lexicons()]}
