"""One concept by itself: what the snapshot knows of it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any
from urllib.parse import quote

from numpy.typing import NDArray

from app.scoring.concepts import Scorer
from features.catalogue import FEATURES
from snapshots.snapshot import Snapshot
from wort.schemas.concepts import ConceptDetails, Degrees, Redirects
from wort.schemas.described import SnapshotInfo

REDIRECTS = 100
"""The most redirects that are listed; all are counted."""

CALLED_OTHERWISE = frozenset(
    "als bat-smg be-x-old fiu-vro no roa-rup simple zh-classical zh-min-nan zh-yue".split()  # noqa: SIM905
)
"""Wikipedias that are not called after the code of their language: that of Norwegian, "nb", is "no"."""

_DIRECTIONS = {"in_links", "out_links"}


def details(scorer: Scorer, concept: int) -> ConceptDetails:
    """What the snapshot knows of ``concept``, one of its rows."""
    snapshot = scorer.snapshot
    title = snapshot.concept_titles[concept]
    count, redirects = scorer.resolver.redirects(concept, REDIRECTS)
    categories = snapshot.strings("category_titles")
    known = known_tables(snapshot, concept)
    return ConceptDetails(
        title=title,
        page_id=snapshot.page_ids[concept],
        redirects=Redirects(count, redirects),
        categories=[categories[category] for category in snapshot.csr("categories").row(concept).tolist()],
        degrees=Degrees(
            *(int(snapshot.csr(name).sizes(concept)) for name in ("in_links", "out_links", "links"))
        ),
        paragraphs=int(snapshot.array("concept_counts")[concept]),
        evidence={feature.name: suffices(known, feature.tables) for feature in FEATURES},
        snapshot=scorer.snapshot_info,
        url=article_url(scorer.snapshot_info, title),
    )


def known_tables(snapshot: Snapshot, concept: int) -> set[str]:
    """The names of the tables that know something of ``concept``.

    A table of concepts does where it has entries for it, or a value that is not 0; a table of words where it
    has that for a word of the title. Of pairs of words nothing is asked but that the title has a word: it
    meets itself in another title, whether or not the table has a pair of it.
    """
    words = snapshot.csr("title_words").row(concept)
    return {name for name in snapshot.tables if _knows(snapshot, name, concept, words)}


def suffices(known: Set[str], needed: Sequence[str]) -> bool:
    """Whether a feature that reads the tables ``needed`` has evidence where the tables ``known`` have some.

    It takes all of them, but for the two directions of the links: either says something to a feature of both.
    """
    missing = set(needed) - known
    return not missing or (missing < _DIRECTIONS <= set(needed))


def article_url(snapshot: SnapshotInfo, title: str) -> str | None:
    """Where an article stands on Wikipedia; None where the snapshot's wiki is none of Wikipedia's.

    A Wikipedia's database is called after its language: "enwiki", and not "commonswiki" or "companywiki".
    """
    code = snapshot.wiki.removesuffix("wiki").replace("_", "-")
    if not snapshot.wiki.endswith("wiki") or (code != snapshot.language and code not in CALLED_OTHERWISE):
        return None
    page = quote(title.replace(" ", "_"), safe="/:(),!'*@")
    return f"https://{code}.wikipedia.org/wiki/{page}"


def _knows(snapshot: Snapshot, name: str, concept: int, words: NDArray[Any]) -> bool:
    table = snapshot.tables[name]
    if table.rows == "concepts":
        if table.columns is not None:
            return int(snapshot.csr(name).sizes(concept)) > 0
        values = snapshot.scaled(name).vectors if table.scaled else snapshot.array(name)
        return bool(values[concept].any())
    if table.rows != "words":
        return False
    if table.pairs is not None:
        return len(words) > 0
    if table.columns is not None:
        return snapshot.csr(name).entries > 0
    values = snapshot.array(name)
    # Vectors may end before the vocabulary does.
    return bool(values[words[words < len(values)]].any())
