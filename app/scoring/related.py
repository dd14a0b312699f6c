"""The concepts most related to one: candidates from the tables, scored by the full model."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from app.errors import AppError
from app.scoring.candidates import candidates, members
from app.scoring.concepts import Scorer
from app.scoring.naming.named_again import first_of_each
from measures.arrays import Ints
from measures.ranks import greatest
from snapshots.naming.alias_use import lists_meanings
from wort.schemas.concepts import NamedConcept, RelatedConcept, RelatedConcepts

MOST = 100
"""The most related concepts that can be asked for."""

MEMBERS = 5000
"""Members of a category that are scored: a few tenths of a second."""


OF_MEANINGS = 20
"""Pages that list meanings, among the best: so many more are looked at, since nobody asks for such a page.

What is named again, which is rarer, is among them."""


class NoSuchCategory(AppError, LookupError):
    """The snapshot has no category of that title. Where titles are listed is for whoever was asked to say."""


def related(
    scorer: Scorer,
    concept: int,
    k: int = 20,
    min_score: float = 0.0,
    category: str | None = None,
    most_members: int = MEMBERS,
) -> RelatedConcepts:
    """The ``k`` concepts most related to ``concept``, a row of the snapshot; it is never one of them.

    The scores are those that the pair has anywhere, to the last bit: the same features, the same model. So a
    concept that is missing here was no candidate, and none is here with a score that it does not have. Of
    1,000 concepts or fewer each is a candidate, of more some hundreds (``app.scoring.candidates``). Pages of
    meanings, which some dumps have among their articles, are left out, and what another work of a dump names
    again (``app.scoring.naming.named_again``). They are in the order of the raw scores, which differ where
    scores were cut to the same; of equal raw scores the smaller page id is first.

    ``min_score``: the least score, from 0 to 1. ``category``: the title of a category whose members are the
    candidates, instead; of more than ``most_members`` those that are candidates without it, and the most
    linked.

    Raises:
        NoSuchCategory: there is no category of that title.
    """
    snapshot = scorer.snapshot
    if category is None:
        asked = candidates(snapshot, concept, scorer.model.reads)
    else:
        asked = _of_category(scorer, concept, category_id(scorer, category), most_members)
    raw = scorer.raw(np.full(len(asked), concept), asked)
    scores = scorer.model.clipped(raw)
    # Candidates ascend by their ids, and ids by page id. Scores fall where raw scores do.
    best = greatest(raw, k + OF_MEANINGS)
    titles = (snapshot.concept_titles[row] for row in asked[best].tolist())
    best = best[np.array([not lists_meanings(title) for title in titles], np.bool_)]
    best = best[first_of_each(snapshot, concept, asked[best])][:k]
    best = best[scores[best] >= min_score]
    between = scorer.intervals(concept, asked[best])
    rows, theirs = asked[best].tolist(), scores[best]
    page_ids = snapshot.page_ids
    return RelatedConcepts(
        concept=NamedConcept(snapshot.concept_titles[concept], page_ids[concept]),
        related=[
            RelatedConcept(snapshot.concept_titles[row], page_ids[row], score, rank, interval)
            for row, score, rank, interval in zip(
                rows, theirs.tolist(), scorer.percentiles.of(theirs), between, strict=True
            )
        ],
        candidates=len(asked),
        model=scorer.model_info,
        snapshot=scorer.snapshot_info,
    )


def category_id(scorer: Scorer, title: str) -> int:
    """The id of the category titled ``title``, with or without its namespace, underscores and all.

    Raises:
        NoSuchCategory: there is none.
    """
    written = scorer.resolver.category(title)
    titles = scorer.snapshot.strings("category_titles")
    # Ids ascend by title, in the order of Unicode.
    place = bisect_left(range(len(titles)), written, key=titles.__getitem__) if written else len(titles)
    if place == len(titles) or titles[place] != written:
        raise NoSuchCategory(f"No category here has the title {title!r}.")
    return place


def _of_category(scorer: Scorer, concept: int, category: int, most: int) -> Ints:
    """The members of a category, without ``concept``: ``most`` of them at the most, by their ids."""
    snapshot = scorer.snapshot
    everyone = members(snapshot, category)
    others: Ints = everyone[everyone != concept]
    if len(others) <= most:
        return others
    first = others[np.isin(others, candidates(snapshot, concept, scorer.model.reads))]
    rest = np.setdiff1d(others, first, assume_unique=True)
    by_links = rest[greatest(snapshot.csr("in_links").sizes(rest), most)]
    chosen: Ints = np.sort(np.concatenate([first, by_links])[:most])
    return chosen
