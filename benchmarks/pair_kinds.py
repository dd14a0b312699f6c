"""What kind of pair a pair of concepts is, by rules on titles, categories and links that are declared here.

A pair may be of several kinds. The rules are simple on purpose, and miss some: a name of one word that no
category tells ("Microsoft") counts as a generic concept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from measures.arrays import Bools, Ints
from snapshots.snapshot import Snapshot
from training.coverage import CoveredPairs

FEW_IN_LINKS = 3
"""A concept that at most so many articles link to is rarely linked."""

HUBS = 99.0
"""The percentile of in-links above which a concept is a hub."""

_SMALL = "a an and at by de del des di du for from in la le of on or the to van von"

WITHIN_NAMES = frozenset(re.findall(r"\w+", _SMALL))
"""Words that stay small within a name."""

OPPOSITE_PREFIXES = ("anti", "counter", "dis", "im", "in", "non", "un")
"""What makes of a word its opposite; before a hyphen, a space or nothing."""

OPPOSITES: tuple[tuple[str, str], ...] = (
    ("acid", "base"),
    ("adult", "child"),
    ("adult", "infant"),
    ("agnosticism", "theism"),
    ("altruism", "egoism"),
    ("antarctica", "arctic"),
    ("atheism", "monotheism"),
    ("atheism", "religion"),
    ("atheism", "theism"),
    ("authoritarianism", "libertarianism"),
    ("autocracy", "democracy"),
    ("birth", "death"),
    ("black", "white"),
    ("buyer", "seller"),
    ("capitalism", "communism"),
    ("capitalism", "socialism"),
    ("childlessness", "parenting"),
    ("colonialism", "decolonization"),
    ("conservatism", "liberalism"),
    ("day", "night"),
    ("death", "life"),
    ("defeat", "victory"),
    ("deflation", "inflation"),
    ("demand", "supply"),
    ("democracy", "dictatorship"),
    ("disease", "health"),
    ("divorce", "marriage"),
    ("doubt", "faith"),
    ("employment", "unemployment"),
    ("evil", "good"),
    ("export", "import"),
    ("fact", "lie"),
    ("faith", "reason"),
    ("female", "male"),
    ("feminism", "misogyny"),
    ("fertility", "infertility"),
    ("freedom", "slavery"),
    ("globalization", "protectionism"),
    ("guilt", "innocence"),
    ("happiness", "sadness"),
    ("hate", "love"),
    ("husband", "wife"),
    ("insult", "respect"),
    ("left-libertarianism", "right-libertarianism"),
    ("left-wing politics", "right-wing politics"),
    ("legalization", "prohibition"),
    ("liberty", "slavery"),
    ("lie", "truth"),
    ("man", "woman"),
    ("monoculturalism", "multiculturalism"),
    ("monogamy", "polygamy"),
    ("monotheism", "polytheism"),
    ("nonviolence", "violence"),
    ("optimism", "pessimism"),
    ("peace", "war"),
    ("polyandry", "polygyny"),
    ("poverty", "wealth"),
    ("private school", "state school"),
    ("private sector", "public sector"),
    ("pseudoscience", "science"),
    ("punishment", "reward"),
    ("religion", "secularism"),
    ("rural area", "urban area"),
    ("student", "teacher"),
    ("summer", "winter"),
    ("vice", "virtue"),
)
"""Pairs of opposites, beside those that a prefix makes: small letters, in alphabetical order. Some were
found by reading the titles of WORD's pairs."""

_PEOPLE = re.compile(r"\bPeople\b|\bpeople\b|Presidents|Monarchs|\b(births|deaths)$")
_PLACES = re.compile(r"Countries|Geography of|(African|European|Asian|American) Geography|^Populated places")

PairRule = Callable[["PairTraits"], Bools]


class PairTraits:
    """What is asked of n pairs to tell their kinds."""

    def __init__(self, snapshot: Snapshot, pairs: CoveredPairs) -> None:
        """``pairs``: those of the snapshot's concepts."""
        self.snapshot = snapshot
        self.pairs = pairs

    def either(self, chosen: Bools) -> Bools:
        """Pairs with a side among the ``chosen`` concepts, bool[concepts]: bool[n]."""
        return chosen[self.pairs.left] | chosen[self.pairs.right]

    @cached_property
    def titles(self) -> list[tuple[str, str]]:
        """The titles of both sides."""
        titles = self.snapshot.concept_titles
        sides = zip(self.pairs.left.tolist(), self.pairs.right.tolist(), strict=True)
        return [(titles[left], titles[right]) for left, right in sides]

    @cached_property
    def in_links(self) -> Ints:
        """How many articles link to each concept: int64[concepts]."""
        everyone = np.arange(self.snapshot.concepts)
        return np.asarray(self.snapshot.csr("in_links").sizes(everyone), np.int64)

    @cached_property
    def people(self) -> Bools:
        """The concepts that a category says are people: bool[concepts]."""
        return self._in_category(_PEOPLE)

    @cached_property
    def places(self) -> Bools:
        """The concepts that a category says are places, and none that they are people: bool[concepts]."""
        return self._in_category(_PLACES) & ~self.people

    @cached_property
    def named(self) -> Bools:
        """People, places, and concepts whose title is a name: bool[concepts]."""
        titles = self.snapshot.concept_titles
        named = self.people | self.places
        for concept in np.unique((self.pairs.left, self.pairs.right)).tolist():
            named[concept] |= is_name(titles[concept])
        return named

    def each(self, rule: Callable[[str, str], bool]) -> Bools:
        """The pairs whose titles keep to a ``rule``: bool[n]."""
        return np.array([rule(left, right) for left, right in self.titles], np.bool_)

    def categories(self, concept: int) -> set[str]:
        """The categories of a concept as words: small letters, singular."""
        table, titles = self.snapshot.csr("categories"), self.snapshot.strings("category_titles")
        return {" ".join(sorted(words_of(titles[category]))) for category in table.row(concept).tolist()}

    def _in_category(self, said: re.Pattern[str]) -> Bools:
        titles = self.snapshot.strings("category_titles")
        chosen = np.array([said.search(titles[place]) is not None for place in range(len(titles))], np.bool_)
        table = self.snapshot.csr("categories")
        everyone = np.arange(self.snapshot.concepts)
        of = np.repeat(everyone, table.sizes(everyone))
        found = np.zeros(self.snapshot.concepts, np.bool_)
        found[of[chosen[np.asarray(table.indices)]]] = True
        return found


def is_name(title: str) -> bool:
    """Whether a title of several words is written as a name: all but small words with a capital.

    >>> is_name("Mahatma Gandhi"), is_name("Bank of England"), is_name("Lung cancer"), is_name("London")
    (True, True, False, False)
    """
    words = [word for word in bare(title).split() if word.lower() not in WITHIN_NAMES]
    return len(words) > 1 and all(word[0].isupper() or word[0].isdigit() for word in words)


def bare(title: str) -> str:
    """A title without what tells it from others of its spelling.

    >>> bare("Mercury (planet)")
    'Mercury'
    """
    return re.sub(r" \([^()]*\)$", "", title)


def words_of(title: str) -> frozenset[str]:
    """The words of a title: small letters, without the s of a plural.

    >>> sorted(words_of("Games of chance")), sorted(words_of("Glass"))
    (['chance', 'game'], ['glass'])
    """
    words = re.findall(r"\w+", bare(title).lower())
    return frozenset(re.sub(r"(?<=[^s]{2})s$", "", word) for word in words if word not in WITHIN_NAMES)


def contains(left: str, right: str) -> bool:
    """Whether one title has all words of the other, and more.

    >>> contains("Lung cancer", "Cancer"), contains("Cancer", "Cancer"), contains("War", "Warsaw")
    (True, False, False)
    """
    first, second = words_of(left), words_of(right)
    return bool(first and second) and (first < second or second < first)


def opposite(left: str, right: str) -> bool:
    """Whether two titles are opposites: declared ones, or one is the other with such a prefix.

    >>> opposite("Peace", "War"), opposite("Nonviolence", "Violence"), opposite("Theism", "Atheism")
    (True, True, True)
    >>> opposite("India", "Dia"), opposite("War", "Warsaw")
    (False, False)
    """
    first, second = sorted((bare(left).lower(), bare(right).lower()), key=len)
    if tuple(sorted((first, second))) in OPPOSITES:
        return True
    # A short rest is no word that could be turned: "Inca" is not the opposite of "Ca".
    return len(first) > 3 and second in {
        f"{prefix}{between}{first}" for prefix in OPPOSITE_PREFIXES for between in ("", "-", " ")
    }


def _generic(traits: PairTraits) -> Bools:
    return ~traits.either(traits.named)


def _hypernyms(traits: PairTraits) -> Bools:
    """One title contains the other, or a category of the one is called as the other is."""
    found = traits.each(contains)
    for place, (left, right) in enumerate(traits.titles):
        ends = int(traits.pairs.left[place]), int(traits.pairs.right[place])
        named = (" ".join(sorted(words_of(title))) for title in (right, left))
        found[place] |= any(name in traits.categories(end) for end, name in zip(ends, named, strict=True))
    return found


def _hubs(traits: PairTraits) -> Bools:
    return traits.either(traits.in_links > np.percentile(traits.in_links, HUBS))


def _rarely_linked(traits: PairTraits) -> Bools:
    return traits.either(traits.in_links <= FEW_IN_LINKS)


def _unseen(traits: PairTraits) -> Bools:
    """Neither concept stands in a pair of another topic: what was fitted without the topic saw neither."""
    pairs = traits.pairs
    return ~(_elsewhere(pairs.left, pairs) | _elsewhere(pairs.right, pairs))


def _elsewhere(concepts: Sequence[int] | Ints, pairs: CoveredPairs) -> Bools:
    topics: dict[int, set[int]] = {}
    for side in (pairs.left, pairs.right):
        for concept, topic in zip(side.tolist(), pairs.topic.tolist(), strict=True):
            topics.setdefault(concept, set()).add(topic)
    return np.array([len(topics[int(concept)]) > 1 for concept in concepts], np.bool_)


KINDS: dict[str, PairRule] = {
    "all": lambda traits: np.ones(len(traits.pairs.scores), np.bool_),
    "generic concepts": _generic,
    "a named entity": lambda traits: traits.either(traits.named),
    "a person": lambda traits: traits.either(traits.people),
    "a place": lambda traits: traits.either(traits.places),
    "hypernyms": _hypernyms,
    "antonyms": lambda traits: traits.each(opposite),
    "a hub": _hubs,
    "both unseen": _unseen,
    "one rarely linked": _rarely_linked,
}
"""The kinds by name, and the pairs of each: bool[n]."""
