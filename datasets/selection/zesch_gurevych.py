"""Pairs of words with their senses: Zesch & Gurevych 2006, sections 4.1 and 4.2.

1. The nouns, verbs and adjectives of each document are weighted, SMART's ltc (``ltc_weights``).
2. Pairs are made at random of the words with the highest weights of a document.
3. A pair is left out if a word of it has fewer than three letters, only capitals, or is a stop word.
4. Parts of speech are combined in fixed shares: NN .5, NV .15, NA .15, VV .1, VA .05, AA .05.
5. Each word pair is expanded to all combinations of the senses that a lexicon has of its words, with glosses.
   A word of more than three senses is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, product
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from datasets.selection.errors import TooFewTerms
from datasets.selection.lexicons import PartOfSpeech, SenseLexicon, WordSense, artificial_gloss
from datasets.selection.selection import PAIRS, Selection, SelectionTable, generator
from datasets.selection.tagging import Tagger
from datasets.selection.texts import Document
from training.progress import Steps

PROTOCOL = "zesch-gurevych"

SHARES: Mapping[str, float] = {"NN": 0.5, "NV": 0.15, "NA": 0.15, "VV": 0.1, "VA": 0.05, "AA": 0.05}
"""Of all word pairs, those of each combination of nouns, verbs and adjectives."""

_ORDER: tuple[PartOfSpeech, ...] = ("n", "v", "a")


class ZeschGurevychSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of the protocol.

    Printed: ``word_pairs`` of a corpus, ``minimum_letters``, ``maximum_senses``, and that glosses are made of
    synonyms and hypernyms (``artificial``), where a lexicon's own are missing; another one may have them
    (``lexicon``). Not printed: ``heaviest``, how many words of a document pairs are made of (there r, which a
    user chooses); and ``unknown_words``, what becomes of a word that the lexicon lacks: it is kept, with one
    sense and no gloss, as the data have names such as Georg and August.
    """

    word_pairs: int = 100
    heaviest: int = 20
    minimum_letters: int = 3
    maximum_senses: int = 3
    glosses: Literal["artificial", "lexicon"] = "artificial"
    unknown_words: Literal["kept", "left out"] = "kept"


class Word(NamedTuple):
    """A lemma and its part of speech."""

    lemma: str
    part: PartOfSpeech


class TextWordPair(NamedTuple):
    """Two words of the same document, in the order of their combination."""

    left: Word
    right: Word
    document: str

    @property
    def combination(self) -> str:
        """Their parts of speech, as NV."""
        return f"{self.left.part}{self.right.part}".upper()


def select(
    documents: Iterable[Document],
    tagger: Tagger,
    lexicon: SenseLexicon,
    stop_words: AbstractSet[str],
    settings: ZeschGurevychSettings,
    seed: int,
    steps: Steps,
    source: Mapping[str, object],
) -> Selection:
    """Pairs of senses from a corpus; ``source``: what the provenance says of the texts.

    Raises:
        TooFewTerms: no pair passes the filters.
    """
    counted = [(document.title, word_counts(document, tagger)) for document in documents]
    steps.begin("Pairing the words")
    senses = _Senses(lexicon, settings)

    def passes(word: Word) -> bool:
        return is_wanted(word, stop_words, settings.minimum_letters) and senses.suit(word)

    random = generator(seed, PROTOCOL)
    pool = candidate_pairs(counted, settings.heaviest)
    chosen = chosen_pairs(
        [pair for pair in pool if passes(pair.left) and passes(pair.right)], settings, random
    )
    if not chosen:
        raise TooFewTerms(
            "No document has two heavy words that pass the filters. Take longer texts, or more words of "
            "each: --set heaviest=50."
        )
    rows: list[tuple[object, ...]] = []
    for number, pair in enumerate(chosen, start=1):
        for left, right in product(senses.of(pair.left), senses.of(pair.right)):
            words = pair.left.lemma, pair.right.lemma
            glosses = senses.gloss(left, words[0]), senses.gloss(right, words[1])
            identifiers = [None if one is None else one.identifier for one in (left, right)]
            rows.append(
                (len(rows) + 1, *words, pair.combination, number, *glosses, *identifiers, pair.document)
            )
    columns = ("pair", "left", "right", "parts", "word_pair", "left_gloss", "right_gloss")
    return Selection(
        PROTOCOL,
        settings,
        seed,
        {PAIRS: SelectionTable((*columns, "left_sense", "right_sense", "document"), rows)},
        {"texts": dict(source), "stop_words": len(stop_words), **tagger.described(), **lexicon.described()},
        {
            "documents": len(counted),
            "word_pairs": len(chosen),
            "wanted": quotas(settings.word_pairs),
            "found": dict(Counter(pair.combination for pair in chosen)),
        },
    )


def word_counts(document: Document, tagger: Tagger) -> Counter[Word]:
    """How often each noun, verb and adjective is in a document. Only capitals stay as they are written."""
    return Counter(
        Word(tagged.word if tagged.word.isupper() else tagged.lemma, tagged.part)
        for sentence in document.sentences()
        for tagged in tagger.tag(sentence)
        if tagged.part in _ORDER
    )


def ltc_weights(counts: NDArray[np.int64], documents: int, having: NDArray[np.int64]) -> NDArray[np.float64]:
    """The weights of the words of a document, float64[n]: SMART's ltc (Salton 1989), with natural logarithms.

    (1 + ln tf) · ln(N / df), divided by the root of the sum of all squares. ``counts`` are tf, ``having`` df.

    >>> ltc_weights(np.array([1, 1]), 4, np.array([2, 2])).round(3).tolist()
    [0.707, 0.707]
    """
    weights = (1 + np.log(counts)) * np.log(documents / having)
    length = np.sqrt(np.square(weights).sum())
    return np.asarray(weights / length if length else weights)


def candidate_pairs(counted: Sequence[tuple[str, Counter[Word]]], heaviest: int) -> Iterator[TextWordPair]:
    """All pairs of the heaviest words of each document, but those of one lemma, each pair once."""
    having = Counter(word for _, counts in counted for word in counts)
    taken: set[tuple[Word, Word]] = set()
    for title, counts in counted:
        words = sorted(counts)
        tf, df = (np.array([of[word] for word in words], np.int64) for of in (counts, having))
        weights = ltc_weights(tf, len(counted), df)
        heavy = [words[place] for place in np.argsort(-weights, kind="stable")[:heaviest]]
        for one, other in combinations(heavy, 2):
            left, right = sorted((one, other), key=lambda word: (_ORDER.index(word.part), word.lemma))
            if left.lemma.lower() != right.lemma.lower() and (left, right) not in taken:
                taken.add((left, right))
                yield TextWordPair(left, right, title)


def is_wanted(word: Word, stop_words: AbstractSet[str], minimum_letters: int) -> bool:
    """Whether a word has enough letters, not only capitals, and is no stop word."""
    letters = sum(letter.isalpha() for letter in word.lemma)
    return letters >= minimum_letters and not word.lemma.isupper() and word.lemma.lower() not in stop_words


def quotas(pairs: int) -> dict[str, int]:
    """How many of so many pairs are of each combination, by the largest remainders.

    >>> quotas(100)
    {'NN': 50, 'NV': 15, 'NA': 15, 'VV': 10, 'VA': 5, 'AA': 5}
    """
    exact = {combination: share * pairs for combination, share in SHARES.items()}
    floors = {combination: int(number + 1e-9) for combination, number in exact.items()}
    rest = sorted(SHARES, key=lambda combination: floors[combination] - exact[combination])
    for combination in rest[: pairs - sum(floors.values())]:
        floors[combination] += 1
    return floors


def chosen_pairs(
    pool: Sequence[TextWordPair], settings: ZeschGurevychSettings, random: np.random.Generator
) -> list[TextWordPair]:
    """Pairs drawn at random, of each combination its share of all, or what there is of it."""
    left = quotas(settings.word_pairs)
    chosen = []
    for place in random.permutation(len(pool)).tolist():
        pair = pool[place]
        if left[pair.combination]:
            left[pair.combination] -= 1
            chosen.append(pair)
    return chosen


class _Senses:
    """The senses of words, each looked up once."""

    def __init__(self, lexicon: SenseLexicon, settings: ZeschGurevychSettings) -> None:
        self._lexicon = lexicon
        self._settings = settings
        self._known: dict[Word, list[WordSense]] = {}

    def of(self, word: Word) -> list[WordSense] | list[None]:
        """The senses of a word; of one that the lexicon lacks, one that is not known."""
        return self._found(word) or [None]

    def suit(self, word: Word) -> bool:
        """Whether a word has no more senses than people are asked to tell apart."""
        senses = len(self._found(word))
        least = 1 if self._settings.unknown_words == "left out" else 0
        return least <= senses <= self._settings.maximum_senses

    def gloss(self, sense: WordSense | None, word: str) -> str:
        """What tells a sense apart."""
        if sense is None:
            return ""
        if self._settings.glosses == "lexicon" and sense.gloss:
            return sense.gloss
        return artificial_gloss(self._lexicon, sense, word)

    def _found(self, word: Word) -> list[WordSense]:
        if word not in self._known:
            self._known[word] = self._lexicon.senses(word.lemma, word.part)
        return self._known[word]
