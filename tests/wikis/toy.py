"""The toy wiki of twelve articles that ``tests/toy/README.md`` draws."""

from __future__ import annotations

from pathlib import Path

from snapshots.snapshot import Snapshot
from tests.wikis.small_wiki import SmallWiki, write_snapshot

TITLES = (
    "Cat",
    "Dog",
    "Pet",
    "House mouse",
    "Computer",
    "Computer mouse",
    "Computer keyboard",
    "Musical keyboard",
    "Piano",
    "Music",
    "Noun",
    "Zyzzyva",
)
LINKS = {
    "Cat": "Dog, Pet, House mouse, Noun",
    "Dog": "Cat, Pet, Noun",
    "Pet": "Cat, Dog, Noun",
    "House mouse": "Cat, Noun",
    "Computer": "Computer mouse, Computer keyboard, Noun",
    "Computer mouse": "Computer, House mouse, Noun",
    "Computer keyboard": "Computer, Computer mouse, Noun",
    "Musical keyboard": "Piano, Music, Noun",
    "Piano": "Musical keyboard, Music, Noun",
    "Music": "Piano, Noun",
}
CATEGORIES = {
    "Cat": {"Domestic animals"},
    "Dog": {"Domestic animals"},
    "House mouse": {"Rodents"},
    "Computer": {"Computing"},
    "Computer mouse": {"Computing", "Input devices"},
    "Computer keyboard": {"Input devices"},
    "Musical keyboard": {"Musical instruments"},
    "Piano": {"Musical instruments"},
}
SENTENCES = (
    "house cat mouse",
    "cat dog pet",
    "dog pet",
    "dog house",
    "computer mouse keyboard",
    "computer keyboard",
    "musical keyboard piano",
    "piano music",
)
WORDS = ("dog", "keyboard", "cat", "computer", "house", "mouse", "pet", "piano", "music", "musical")
VECTORS = {
    "cat": (1.0, 0.0),
    "dog": (0.8, 0.6),
    "pet": (0.6, 0.8),
    "mouse": (0.0, 1.0),
    "computer": (-1.0, 0.0),
    "keyboard": (-0.8, 0.6),
    "piano": (-0.6, 0.8),
    "musical": (-0.6, 0.8),
}
PARAGRAPHS = (
    "Cat, Dog, Pet",
    "Cat, Dog",
    "Cat, House mouse",
    "Dog, Pet",
    "Computer, Computer mouse, Computer keyboard",
    "Computer, Computer mouse",
    "Computer mouse, House mouse",
    "Musical keyboard, Piano, Music",
    "Piano, Music",
    "Noun",
)
CONTEXTS = {
    "Cat": {"Dog": 1.0, "Pet": 1.0},
    "Dog": {"Cat": 1.0, "Pet": 1.0},
    "Pet": {"Cat": 3.0, "Dog": 4.0},
    "Computer": {"Computer mouse": 1.0},
    "Computer mouse": {"Computer": 3.0, "House mouse": 4.0},
}
TFIDF = {
    "Cat": {"cat": 3.0, "dog": 4.0},
    "Dog": {"dog": 1.0},
    "Pet": {"cat": 4.0, "dog": 3.0},
    "House mouse": {"cat": 1.0, "house": 1.0, "mouse": 1.0},
    "Computer mouse": {"computer": 4.0, "mouse": 3.0},
}
ESA = {
    "Cat": {"Cat": 4.0, "Pet": 3.0},
    "Dog": {"Dog": 4.0, "Pet": 3.0},
    "Pet": {"Pet": 1.0},
    "Computer": {"Computer": 1.0},
    "Computer mouse": {"Computer": 4.0, "House mouse": 3.0},
}
TITLE_VECTORS = {"Cat": (127, 0, 0), "Dog": (127, 127, 0), "Piano": (0, 0, 127)}
LEAD_VECTORS = {"Cat": (127, 127, 0), "Dog": (0, 127, 127), "Piano": (0, 0, 127)}


def concept(title: str) -> int:
    """The id of the toy's article ``title``."""
    return TITLES.index(title)


def _concepts(titles: str) -> frozenset[int]:
    return frozenset(concept(title) for title in titles.split(", "))


def _vectors(rows: dict[str, dict[str, float]]) -> tuple[dict[int, float], ...]:
    return tuple({concept(key): weight for key, weight in rows.get(title, {}).items()} for title in TITLES)


TOY = SmallWiki(
    titles=TITLES,
    universe=len(TITLES),
    links=frozenset(
        (concept(source), target) for source, targets in LINKS.items() for target in _concepts(targets)
    ),
    categories=tuple(frozenset(CATEGORIES.get(title, ())) for title in TITLES),
    title_words=tuple(frozenset(title.lower().split()) for title in TITLES),
    words=WORDS,
    sentences=tuple(frozenset(sentence.split()) for sentence in SENTENCES),
    vectors=VECTORS,
    paragraphs=tuple(_concepts(titles) for titles in PARAGRAPHS),
    contexts=_vectors(CONTEXTS),
    tfidf=tuple(TFIDF.get(title, {}) for title in TITLES),
    esa=_vectors(ESA),
    title_vectors=tuple(TITLE_VECTORS.get(title, ()) for title in TITLES),
    lead_vectors=tuple(LEAD_VECTORS.get(title, ()) for title in TITLES),
)


def toy_snapshot(folder: Path) -> Snapshot:
    """The toy wiki as a snapshot, written to ``folder``, which must not exist yet."""
    return write_snapshot(TOY, folder)
