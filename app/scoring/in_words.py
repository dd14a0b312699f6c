"""Scores and what they rest on, as people are told of them: on the pages, on a terminal, by an assistant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import floor, fsum

from app.scoring.naming.names_in_titles import is_read_as_word
from app.scoring.panels import is_uncertain
from features.catalogue import FEATURES
from features.feature import AnyFeature
from features.terms.catalogue import EVERY_TERM_FEATURE
from features.terms.reordered import is_reordered
from snapshots.naming.resolution import Resolution
from wort.schemas.described import Interval, ModelInfo, SnapshotInfo, Used
from wort.schemas.evidence import PairEvidence, Percentiles
from wort.schemas.explanations import Explanation
from wort.schemas.naming import not_a_title, not_known, quoted, which_of_several
from wort.schemas.relatedness import PairResult, RelatednessResponse
from wort.schemas.sides import Side

SCORES_IN_WORDS = (
    (0.15, "Unrelated"),
    (0.35, "Barely related"),
    (0.6, "Somewhat related"),
    (0.8, "Related"),
    (1.0, "Closely related"),
)
"""What a score is called that is at most so much, with the two decimals that are shown. The number is what
counts; this is how to say it."""

OF_TEXTS = (
    "This is the mean score of their concepts, each with its nearest one of the other text, weighted by what "
    "it matters in its own: no share of people who would call the texts related."
)
"""What a score of two texts is."""

UNCERTAIN = "Too uncertain to tell"
"""What a score is called of which people may say anything."""

IDLE_CONTEXT = (
    "The context changed nothing: it chooses among the senses that a term has here, and chose none but those "
    "that are taken without it."
)
"""What is said of a context that left the score of two terms as it is."""

HARDLY = SCORES_IN_WORDS[1][0]
"""The score from which on two are called more than barely related."""

HEADINGS_OF_TERMS = {
    "TR9856": "words of the terms",
    "words": "more about their words",
    "senses": "concepts that they name or contain",
}
"""What groups of features of terms are called, where the catalogue's name does not say what they have."""

_PLAIN = ("title", "variant", "page_id")
"""Ways to name a concept by which nobody may have meant another."""

_CATALOGUES: tuple[Sequence[AnyFeature], ...] = (FEATURES, EVERY_TERM_FEATURE)


def in_words(score: float, interval: Interval | None = None) -> str:
    """A score, from 0 to 1, in words, which say no more than its interval does.

    >>> in_words(0.596), in_words(0.604), in_words(0.84, Interval(0.0, 1.0, 0.9))
    ('Somewhat related', 'Somewhat related', 'Too uncertain to tell')
    """
    if is_uncertain(interval):
        return UNCERTAIN
    shown = round(score, 2)
    return next(words for most, words in SCORES_IN_WORDS if shown <= most)


def in_words_of_texts(score: float) -> str:
    """A score of two texts in words, which are those of concepts: nobody was asked of such texts.

    >>> in_words_of_texts(0.17), in_words_of_texts(0.04)
    ('On average, their concepts are barely related', 'On average, their concepts are unrelated')
    """
    return f"On average, their concepts are {in_words(score).lower()}"


def percent_below(percentile: float) -> str:
    """A percentile as it is said: to a tenth, never rounded up, and never 100.

    It was measured on a sample of the pairs, and says that a score is higher than so many.

    >>> [percent_below(percentile) for percentile in (99.96, 99.17, 8.2, 0.0, 100.0)]
    ['99.9', '99.1', '8.2', '0.0', '99.9']
    """
    # Percentiles have few decimals: what is a hair below a tenth is that tenth.
    return f"{min(floor(round(10 * percentile, 6)) / 10, 99.9):.1f}"


def outdone(percentiles: Percentiles | None, interval: Interval | None = None) -> list[tuple[float, str]]:
    """Than which percentage of which pairs a score is higher: none where that says nothing.

    >>> outdone(Percentiles(11.7, 0.04)), outdone(Percentiles(99.9, 97.0), Interval(0.0, 1.0, 0.9))
    ([(11.7, 'random pairs')], [])
    """
    if percentiles is None or is_uncertain(interval):
        return []
    every = ((percentiles.random, "random pairs"), (percentiles.linked, "pairs of linked articles"))
    # "More than 0.0 %" may be said of any score.
    return [
        (percentile, pairs)
        for percentile, pairs in every
        if percentile is not None and percent_below(percentile) != "0.0"
    ]


def more_than(percentiles: Percentiles | None, interval: Interval | None = None) -> str:
    """Than which pairs a score is higher, as a sentence with a blank before it; empty where it says nothing.

    >>> more_than(Percentiles(99.96, 62.08))
    ' More than 99.9 % of random pairs and 62.0 % of pairs of linked articles.'
    """
    compared = [f"{percent_below(share)} % of {pairs}" for share, pairs in outdone(percentiles, interval)]
    return f" More than {' and '.join(compared)}." if compared else ""


def snapshot_name(snapshot: SnapshotInfo) -> str:
    """What a snapshot is called in an answer: its wiki and date, or the works that it is made of."""
    return f"{works_of(snapshot)}, {snapshot.concepts:,} concepts"


def works_of(snapshot: SnapshotInfo) -> str:
    """The works that a snapshot is made of, as they call themselves, or its wiki and date."""
    dated = f" of {snapshot.dump_date}" if snapshot.dump_date else ""
    return ", ".join(snapshot.works) or snapshot.wiki + dated


WHOLE = (
    "`wort download` fetches the dump of a Wikipedia, and `wort build` makes a snapshot of all its articles."
)
"""How to get all concepts, for who has an excerpt."""


def not_in_excerpt(snapshot: SnapshotInfo) -> str:
    """Why a title may be missing that stands on the wiki, and how to get it; empty for whole snapshots."""
    return " ".join(excerpt_of(snapshot) or ())


def excerpt_of(snapshot: SnapshotInfo) -> tuple[str, str] | None:
    """What an excerpt has, in a sentence, and where all is; None for whole snapshots."""
    if snapshot.excerpt_of is None:
        return None
    if snapshot.excerpt_of == snapshot.concepts:
        size = f"This snapshot is a starter: it has {snapshot.concepts:,} concepts and no others."
    else:
        whole = f"the {snapshot.excerpt_of:,} concepts of its Wikipedia"
        size = f"This snapshot is an excerpt, with {snapshot.concepts:,} of {whole}."
    # When its texts were written tells why what is newer is not there.
    return size, f"It was made from {works_of(snapshot)}. {WHOLE}"


def answer_of(results: list[PairResult], model: ModelInfo, snapshot: SnapshotInfo) -> RelatednessResponse:
    """An answer with all that it rests on; where a name is unknown to an excerpt, it says that it is one."""
    is_missing = any(result.status == "unknown" for result in results)
    note = not_in_excerpt(snapshot) if is_missing else ""
    return RelatednessResponse(results, model, snapshot, note or None)


def advice(
    snapshot: SnapshotInfo,
    asked: str | int,
    side: Side | Resolution,
    search: str = "search",
    terms: str | None = None,
) -> str:
    """What to ask instead of what names no concept, or several: ``advice_on`` one."""
    return advice_on(snapshot, [(asked, side)], search, terms)


def advice_on(
    snapshot: SnapshotInfo,
    unclear: Iterable[tuple[str | int, Side | Resolution]],
    search: str = "search",
    terms: str | None = None,
) -> str:
    """What to ask instead of some names, each of which names no concept, or several.

    ``search``: what finds titles. ``terms``: what compares any words, if they can be compared here. That, and
    that the snapshot is an excerpt, are said once, where it may be what is missing.
    """
    told, is_missing = dict[str | int, str](), False
    for asked, side in unclear:
        is_missing |= side.status == "unknown" or (side.status == "ambiguous" and len(side.candidates) == 1)
        told[asked] = _told(snapshot, asked, side, search)
    anyway = terms and f"`{terms}` compares most words, whether or not a concept is called so."
    instead = (anyway, not_in_excerpt(snapshot)) if is_missing else ()
    return " ".join(filter(None, (*told.values(), *instead)))


def _told(snapshot: SnapshotInfo, asked: str | int, side: Side | Resolution, search: str) -> str:
    if side.status == "invalid":
        return f"{not_a_title(asked)} Ask again with a title; `{search}` finds titles."
    if side.status == "ambiguous":
        return which_of_several(asked, side.candidates, side.suggestions, search)
    # The works of which an excerpt has a part may well have such an article.
    place = snapshot_name(snapshot) if snapshot.excerpt_of is None else "this snapshot"
    return not_known(asked, side.title, side.suggestions, place, search)


def understood(side: Side) -> str | None:
    """How a side was understood, where that is not what it says: a redirect, another name, a chosen sense.

    A title, an address and a page id say what they name, whatever their case and accents; but capitals may be
    those of an abbreviation.
    """
    if side.title is None:
        return None
    is_plain = side.matched in _PLAIN or side.title.casefold() == str(side.asked).casefold()
    if is_plain and not is_read_as_word(side.asked, side.title):
        return None
    others = "; ".join(one.title for one in side.alternatives)
    shared = side.matched == "alias" and others and side.prior is not None
    share = f" in {cases(side.prior or 0.0)}" if shared else ""
    return f"{quoted(side.asked)} is {side.title}{share}.{f' It may mean {others} too.' if others else ''}"


def cases(share: float) -> str:
    """How often a name that others have, too, means one thing.

    >>> cases(0.594), cases(0.9996)
    ('about 59 % of cases', 'nearly all cases')
    """
    return f"about {100 * share:.0f} % of cases" if share < 0.995 else "nearly all cases"


def of_order(left: str, right: str) -> str | None:
    """Why the words of two terms say nothing of them: they are the same in another order; else None.

    >>> of_order("law school", "law"), of_order("law school", "school law")
    (None, 'They have the same words in another order, which only the encoder of texts tells apart.')
    """
    if not is_reordered(left, right):
        return None
    return "They have the same words in another order, which only the encoder of texts tells apart."


def listed(used: Sequence[Used]) -> str:
    """Some kinds of evidence, on which a score rests, as a sentence has them.

    >>> listed(["concepts"]), listed(["concepts", "words"]), listed(["concepts", "words", "encoder"])
    ('concepts', 'concepts and words', 'concepts, words and the encoder')
    """
    *others, last = ("the encoder" if kind == "encoder" else kind for kind in used)
    return f"{', '.join(others)} and {last}" if others else last


def resting_on(used: Sequence[Used]) -> str:
    """What the score of two different terms rests on, in a sentence.

    >>> resting_on(["words"]), resting_on([])[:43]
    ('The score rests on words.', 'Nothing that is known of them here adds to ')
    """
    if not used:
        return "Nothing that is known of them here adds to the score: it is where every pair begins."
    return f"The score rests on {listed(used)}."


def also_called_so(namesakes: Sequence[str]) -> str | None:
    """Which other concepts are called as what was asked for; None where none is."""
    return f"There is {' and '.join(namesakes)}, too." if namesakes else None


def merely_called_so(words: Sequence[str], quote: Callable[[str], str] = quoted) -> str | None:
    """That two may share a mere name, of which ``words`` are; None where there are none.

    >>> merely_called_so(["horse"])[:56], merely_called_so([])
    ("Both titles have the word 'horse', and hardly any other ", None)
    """
    if not words:
        return None
    the = "the word" if len(words) == 1 else "the words"
    telling = " and ".join(map(quote, words))
    return (
        f"Both titles have {the} {telling}, and hardly any other telling word is in both articles. Where two "
        "merely share a name, scores are too high."
    )


def marked_as_called_so(title: str) -> str:
    """What the sign beside a concept says that may share a mere name with the concept ``title``."""
    return (
        f"* Its title has a word of {title}, and hardly any other telling word is in both articles. "
        "Where two merely share a name, scores are too high."
    )


@dataclass(frozen=True, slots=True)
class SharedTitles:
    """What two concepts share, by titles, the most telling first; ``paragraphs`` mention both."""

    linked_from: list[str]
    links_to: list[str]
    categories: list[str]
    topics: list[str]
    words: list[str]
    paragraphs: str

    @classmethod
    def of(cls, evidence: PairEvidence) -> SharedTitles:
        """What the evidence of a pair says that the two share."""
        return cls(
            [neighbour.title for neighbour in evidence.in_links.strongest],
            [neighbour.title for neighbour in evidence.out_links.strongest],
            list(evidence.categories.titles),
            [concept.title for concept in evidence.esa.strongest],
            [word.word for word in evidence.tfidf.strongest],
            evidence.comentions.said,
        )

    def lines(self, most: int) -> list[str]:
        """A sentence for each kind, with ``most`` titles at the most. Words say little by themselves."""
        kinds = {
            "Articles that link to both": self.linked_from,
            "Articles that both link to": self.links_to,
            "Categories of both": self.categories,
            "Concepts that both texts speak of": self.topics,
        }
        said = [f"{kind}: {', '.join(titles[:most])}." for kind, titles in kinds.items() if titles]
        return [*said, f"Paragraphs that mention both: {self.paragraphs}."]


@dataclass(frozen=True, slots=True)
class FeatureShare:
    """What a feature adds to a score: its value, and ``added``, in units of the score."""

    feature: AnyFeature
    value: float
    added: float


@dataclass(frozen=True, slots=True)
class GroupShare:
    """What the features of a group add to a score. ``added``: all together."""

    name: str
    added: float
    features: list[FeatureShare]


def is_shown(added: float) -> bool:
    """Whether what a feature adds to a score is more than nothing, as it is shown with three decimals.

    >>> is_shown(0.0004), is_shown(-0.0006)
    (False, True)
    """
    return round(added, 3) != 0


def start_of(explanation: Explanation) -> float:
    """Where every pair begins, in units of the score."""
    return explanation.begin


def shares_by_group(explanation: Explanation) -> list[GroupShare]:
    """What the features add to a score, by group, both in the order of the catalogues.

    Contributions to another unit are told by the shares of the score that they stand for.
    """
    by_name = {entry.feature: entry for entry in explanation.contributions}
    # Features of concepts and of terms may be called the same: those count of which more are there.
    catalogue = max(_CATALOGUES, key=lambda features: sum(of.name in by_name for of in features))
    groups: dict[str, list[FeatureShare]] = {}
    for feature in catalogue:
        entry = by_name.get(feature.name)
        if entry is not None:
            added = entry.contribution if entry.share is None else entry.share
            groups.setdefault(feature.group, []).append(FeatureShare(feature, entry.value, added))
    headings = HEADINGS_OF_TERMS if catalogue is EVERY_TERM_FEATURE else {}
    return [
        GroupShare(headings.get(name, name), fsum(of.added for of in group), group)
        for name, group in groups.items()
    ]
