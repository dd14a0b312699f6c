"""A tagger and a WordNet of a few words, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from datasets.selection.lexicons import PartOfSpeech
from datasets.selection.tagging import Tagged


class WordListTagger:
    """Knows the part of speech of listed words, and lemmas without a final s."""

    def __init__(self, parts: dict[str, PartOfSpeech]) -> None:
        self._parts = parts

    def tag(self, sentence: str) -> list[Tagged]:
        words = sentence.replace(".", "").split()
        return [Tagged(word, word.removesuffix("s"), self._parts.get(word.lower())) for word in words]

    def described(self) -> dict[str, object]:
        return {"tagger": "a list of words"}


class Synset(NamedTuple):
    """A synset to be written; ``pointers`` name symbols and other synsets by their first word."""

    part: PartOfSpeech
    lemmas: Sequence[str]
    gloss: str
    pointers: Sequence[tuple[str, str]] = ()


NAMES: dict[PartOfSpeech, str] = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
HEAD = "  1 This was written for a test of WordNet 3.0.  \n"


def write_wordnet(folder: Path, synsets: Sequence[Synset]) -> Path:
    """Write index and data files in the format of WordNet."""
    folder.mkdir(exist_ok=True)
    # A place is written with eight digits, so that lines have their length before places are known.
    places: dict[str, tuple[int, PartOfSpeech]] = {}
    for settled in (False, True):
        for part, name in NAMES.items():
            data, index = HEAD, dict[str, list[int]]()
            for synset in (one for one in synsets if one.part == part):
                place = len(data.encode())
                places[synset.lemmas[0]] = place, part
                words = " ".join(f"{lemma.replace(' ', '_')} 0" for lemma in synset.lemmas)
                pointers = [(symbol, *places.get(to, (0, part))) for symbol, to in synset.pointers]
                pointed = "".join(f" {symbol} {to:08d} {kind} 0000" for symbol, to, kind in pointers)
                fields = (
                    f"{place:08d} 03 {part} {len(synset.lemmas):02x} {words} {len(pointers):03d}{pointed}"
                )
                data += f"{fields} | {synset.gloss}  \n"
                for lemma in synset.lemmas:
                    index.setdefault(lemma.lower().replace(" ", "_"), []).append(place)
            if settled:
                lines = []
                for lemma, found in sorted(index.items()):
                    listed = " ".join(f"{one:08d}" for one in found)
                    lines.append(f"{lemma} {part} {len(found)} 1 @ {len(found)} 0 {listed}  ")
                (folder / f"data.{name}").write_text(data)
                (folder / f"index.{name}").write_text(HEAD + "".join(f"{line}\n" for line in lines))
    return folder
