"""What a server can be asked, as values: whoever sends them waits for the answers as he does.

A question of several requests is put together by ``Client`` and ``AsyncClient`` in the same steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

import wort.schemas.arguments as given
from wort.errors import NotReached, TooLarge, Unresolved
from wort.exchange import decoded
from wort.schemas.concepts import ConceptDetails, RelatedConcepts, SearchResponse
from wort.schemas.described import SnapshotInfo
from wort.schemas.matrix import MatrixResponse
from wort.schemas.references import Concept, Reference
from wort.schemas.relatedness import Ambiguous, PairResult, RelatednessResponse
from wort.schemas.releases import ModelsResponse
from wort.schemas.sides import Side
from wort.schemas.streaming import StreamEnd, StreamHead
from wort.schemas.terms import TermsResponse
from wort.schemas.texts import AnnotateResponse, DocumentsResponse

T = TypeVar("T")

CHUNK = 1_000
"""Pairs that are sent at a time: enough for the server's full speed."""

LINES = "application/x-ndjson"

Pair = tuple[Concept, Concept]


class Question(NamedTuple, Generic[T]):
    """One request: its path, the kind of its answer, its query, and its body, None for a GET."""

    path: str
    kind: type[T]
    query: Mapping[str, Any] = {}
    body: Mapping[str, Any] | None = None


class Place(NamedTuple):
    """Where a concept is known: a path, and the query that goes with it."""

    path: str
    query: Mapping[str, str | None] = {}


class How(NamedTuple):
    """How pairs are to be scored: as the parameters of ``Client.relatedness`` say."""

    explain: bool
    features: bool
    ambiguous: Ambiguous
    model: str | None

    def of(self, pairs: Iterable[Pair], first: int = 0) -> Question[RelatednessResponse]:
        """The question after ``pairs``; ``first``: the row of the first one, for messages.

        Raises:
            TypeError: a side names nothing, or ``explain`` or ``features`` is no truth value.
            ValueError: there is no pair in a row, or ``ambiguous`` is neither of its two values.
        """
        body = {"pairs": [_pair(pair, row) for row, pair in enumerate(pairs, first)]}
        wanted = {
            "explain": given.flag(self.explain, "explain"),
            "features": given.flag(self.features, "features"),
        }
        meant = {"ambiguous": given.ambiguity(self.ambiguous)}
        return Question("v1/relatedness", RelatednessResponse, body=body | wanted | meant | by(self.model))


class Chunks:
    """Any number of pairs, a chunk at a time, as large as the server allows."""

    def __init__(self, pairs: Iterable[Pair], how: How, most: int) -> None:
        """``most``: pairs of a chunk, as far as is known."""
        self._rest = iter(listed(pairs))
        self._row = 0
        self._how = how
        self._waiting: list[Pair] = []
        self._chunk: list[Pair] = []
        self.most = most

    def next(self) -> Question[RelatednessResponse] | None:
        """The question after the next chunk, or after the same one where it was not ``answered``."""
        if not self._waiting:
            self._waiting = list(islice(self._rest, self.most))
        self._chunk = self._waiting[: self.most]
        return self._how.of(self._chunk, self._row) if self._chunk else None

    def answered(self) -> None:
        """Go on to the next chunk."""
        self._row += len(self._chunk)
        self._waiting = self._waiting[len(self._chunk) :]

    def refused(self, problem: TooLarge) -> None:
        """Ask for less.

        Raises:
            TooLarge: it was a single pair.
        """
        if len(self._chunk) == 1:
            raise problem
        # The limit may be one of pairs, or one of bytes.
        most = problem.limit if problem.kind == "too-many-pairs" else None
        self.most = max(1, min(most or len(self._chunk), len(self._chunk) // 2))


class StreamedResults:
    """The results in an answer of lines, as its bytes arrive."""

    def __init__(self) -> None:
        self._rest = b""
        self._headed = False
        self._last: bytes | None = None
        self._results = 0

    def take(self, piece: bytes) -> Iterator[PairResult]:
        """The results that ``piece`` completes."""
        # Lines end with a line feed alone: titles may hold what else ends a line.
        *whole, self._rest = (self._rest + piece).split(b"\n")
        for line in whole:
            yield from self._line(line)

    def end(self) -> Iterator[PairResult]:
        """The results that are still to come, at the end of the answer.

        Raises:
            NotReached: it broke off.
            BrokenAnswer: it is none.
        """
        if self._rest or not self._headed:
            yield from self._line(self._rest)
        # Only a whole answer ends with the line that counts its results.
        if self._last is None or not self._last.startswith(b'{"done"'):
            raise NotReached(f"The answer broke off after {self._results:,} results. Ask for the rest again.")
        decoded(self._last, StreamEnd)

    def _line(self, line: bytes) -> Iterator[PairResult]:
        if not self._headed:
            decoded(line, StreamHead)
            self._headed = True
            return
        if self._last is not None:
            yield decoded(self._last, PairResult)
            self._results += 1
        self._last = line


def listed(pairs: Iterable[Pair]) -> Iterable[Pair]:
    """What should be pairs, one after the other. A data frame may list its columns instead, as Polars' does.

    Raises:
        TypeError: nothing is listed there, or a single text is, or this is a data frame.
    """
    if hasattr(pairs, "columns"):
        raise TypeError(
            "A client reads pairs one by one, and takes no data frame. Give two of its columns, as "
            "zip(frame['left'], frame['right'])."
        )
    return given.pairs(pairs)


def matrix(
    concepts: Sequence[Concept] | None,
    rows: Sequence[Concept] | None,
    columns: Sequence[Concept] | None,
    ambiguous: Ambiguous,
    model: str | None,
) -> Question[MatrixResponse]:
    """As ``Client.matrix``."""
    given.check_matrix(concepts, rows, columns)
    if rows is None and columns is not None:
        concepts, rows = None, concepts
    parts = {"concepts": concepts, "rows": rows, "columns": columns}
    named = {name: _column(part, name) for name, part in parts.items() if part is not None}
    body = {**named, "ambiguous": given.ambiguity(ambiguous), **by(model)}
    return Question("v1/relatedness/matrix", MatrixResponse, body=body)


def related(
    place: Place, k: int, min_score: float | None, category: str | None, model: str | None
) -> Question[RelatedConcepts]:
    """As ``Client.related``, of the concept at ``place``."""
    query = {
        **place.query,
        "k": given.whole(k, "k", "how many concepts are asked for"),
        "min_score": None if min_score is None else given.share(min_score, "min_score"),
        "category": None if category is None else given.text(category, "category"),
        "model": model,
    }
    return Question(f"{place.path}/related", RelatedConcepts, query)


def search(query: str, limit: int) -> Question[SearchResponse]:
    """As ``Client.search``."""
    most = given.whole(limit, "limit", "how many concepts are asked for")
    return Question("v1/concepts/search", SearchResponse, {"q": given.text(query, "query"), "limit": most})


def details(place: Place) -> Question[ConceptDetails]:
    """As ``Client.concept``, of the concept at ``place``."""
    return Question(place.path, ConceptDetails, place.query)


def annotate(text: str, context: Sequence[Concept], min_rho: float | None) -> Question[AnnotateResponse]:
    """As ``Client.annotate``."""
    body = {
        "text": given.text(text, "text"),
        "context": _column(given.context(context), "context"),
        "min_rho": None if min_rho is None else given.share(min_rho, "min_rho"),
    }
    return Question("v1/annotate", AnnotateResponse, body=body)


def documents(left: str, right: str, explain: bool, model: str | None) -> Question[DocumentsResponse]:
    """As ``Client.documents``."""
    body = {
        "left": given.text(left, "left"),
        "right": given.text(right, "right"),
        "explain": given.flag(explain, "explain"),
        **by(model),
    }
    return Question("v1/documents/relatedness", DocumentsResponse, body=body)


def terms(
    left: str, right: str, context: str | None, explain: bool, model: str | None
) -> Question[TermsResponse]:
    """As ``Client.terms``."""
    pair = {
        "left": given.text(left, "left"),
        "right": given.text(right, "right"),
        "context": None if context is None else given.text(context, "context"),
    }
    body = {"pairs": [pair], "explain": given.flag(explain, "explain"), **by(model)}
    return Question("v1/terms/relatedness", TermsResponse, body=body)


MODELS = Question("v1/models", ModelsResponse)
SNAPSHOT = Question("v1/snapshot", SnapshotInfo)


def known_place(concept: Concept) -> Place | None:
    """Where ``concept`` is, if it is named by its page id; None where the server is to resolve it first.

    Raises:
        TypeError: it names nothing.
    """
    named = given.concept(concept, "concept")
    page_id = named.id if isinstance(named, Reference) else named
    return Place(f"v1/concepts/{page_id}") if isinstance(page_id, int) else None


def place_of(side: Side) -> Place:
    """Where the concept is that a server resolved a side to.

    Raises:
        Unresolved: it names no concept, or several.
    """
    if side.status != "ok":
        raise Unresolved(side)
    if side.page_id is None:
        return Place("v1/concepts", {"title": side.title})
    return Place(f"v1/concepts/{side.page_id}")


def by(model: str | None) -> dict[str, str]:
    """The part of a request that names a model; nothing for servers that know of none."""
    return {} if model is None else {"model": model}


def _pair(pair: Any, row: int) -> dict[str, Concept]:  # noqa: ANN401 whatever is in a list
    left, right = given.pair(pair, row)
    return {"left": given.side(left, "left", row), "right": given.side(right, "right", row)}


def _column(concepts: Any, name: str) -> list[Concept]:  # noqa: ANN401 whatever is a column
    return [given.concept(concept, name, row) for row, concept in enumerate(given.entries(concepts, name))]
