"""Princeton WordNet's own files, as wndb(5WN) describes them: of version 3.0 in Debian's ``wordnet-base``."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

from datasets.selection.errors import MissingResource, UnusableInput
from datasets.selection.lexicons import PartOfSpeech, Relation, WordSense

DEBIAN = Path("/usr/share/wordnet")
"""Where the package ``wordnet-base`` of Debian puts them."""

_FILES: dict[PartOfSpeech, str] = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_POINTERS: dict[Relation, tuple[str, ...]] = {
    "hypernym": ("@", "@i"),
    "hyponym": ("~", "~i"),
    "holonym": ("#m", "#s", "#p"),
    "meronym": ("%m", "%s", "%p"),
}
_MARKER = re.compile(r"\((?:a|p|ip)\)$")
"""Where an adjective may stand, behind some of them."""


class WordNet:
    """The nouns, verbs, adjectives and adverbs of WordNet, read from its index and data files.

    Raises:
        MissingResource: the files are not there.
    """

    def __init__(self, folder: Path = DEBIAN) -> None:
        names = [f"{kind}.{name}" for name in _FILES.values() for kind in ("index", "data")]
        if not all((folder / name).is_file() for name in names):
            raise MissingResource(
                f"The files of WordNet (data.noun, index.noun and so on) are not in {folder}. Fetch the "
                "package wordnet-base where there is a network (apt-get download wordnet-base), bring it "
                "here and install it (dpkg -i), or unpack it (dpkg -x) and name the folder: --wordnet."
            )
        self._folder = folder
        self._index: dict[PartOfSpeech, dict[str, list[int]]] = {}
        self._data = {part: (folder / f"data.{name}").read_bytes() for part, name in _FILES.items()}

    def senses(self, word: str, part: PartOfSpeech) -> list[WordSense]:
        """The senses of a word; see ``lexicons.Lexicon``."""
        places = self._places(part).get(word.lower().replace(" ", "_"), [])
        return [self._sense(part, place) for place in places]

    def related(self, sense: WordSense, relation: Relation) -> list[str]:
        """Words in a relation to a sense; see ``lexicons.Lexicon``."""
        if relation == "synonym":
            return list(sense.lemmas)
        fields = self._fields(*_placed(sense.identifier))[0]
        pointers = fields[4 + 2 * int(fields[3], 16) :]
        words: dict[str, None] = {}
        for symbol, place, letter in zip(pointers[1::4], pointers[2::4], pointers[3::4], strict=False):
            if symbol in _POINTERS[relation]:
                words |= dict.fromkeys(self._sense(_part(letter), int(place)).lemmas)
        return list(words)

    def described(self) -> dict[str, object]:
        """Name, version and checksum; see ``lexicons.Lexicon``."""
        head = self._data["n"][:4096].decode("utf-8", "replace")
        version = re.search(r"WordNet (\d\.\d)", head)
        digest = blake2b(self._data["n"], digest_size=16).hexdigest()
        return {"wordnet": version[1] if version else "unknown", "data.noun": digest}

    def _places(self, part: PartOfSpeech) -> dict[str, list[int]]:
        if part not in self._index:
            lines = (self._folder / f"index.{_FILES[part]}").read_text("utf-8").splitlines()
            entries = (line.split() for line in lines if not line.startswith(" "))
            # lemma, part of speech, number of senses, number and list of pointers, two numbers, the places
            self._index[part] = {
                entry[0]: [int(place) for place in entry[-int(entry[2]) :]] for entry in entries
            }
        return self._index[part]

    def _sense(self, part: PartOfSpeech, place: int) -> WordSense:
        fields, gloss = self._fields(part, place)
        words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        lemmas = tuple(_MARKER.sub("", word).replace("_", " ") for word in words)
        return WordSense(f"{part}{place:08d}", lemmas, gloss)

    def _fields(self, part: PartOfSpeech, place: int) -> tuple[list[str], str]:
        """The fields of a line of a data file, and its gloss."""
        data = self._data[part]
        line = data[place : data.find(b"\n", place)].decode("utf-8")
        if not line.startswith(f"{place:08d} "):
            raise UnusableInput(
                f"The files in {self._folder} do not belong together: no synset begins at {place} of "
                f"data.{_FILES[part]}. Install WordNet anew."
            )
        fields, _, gloss = line.partition(" | ")
        return fields.split(), gloss.strip()


def _placed(identifier: str) -> tuple[PartOfSpeech, int]:
    return _part(identifier[0]), int(identifier[1:])


def _part(letter: str) -> PartOfSpeech:
    """The part of speech that a letter stands for; a satellite is an adjective."""
    return next(part for part in _FILES if part == ("a" if letter == "s" else letter))
