"""What a server can be asked, a method each. Answers are the structs that the server itself declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from types import TracebackType

import httpx

from wort.errors import NotReached, TooLarge, Unresolved
from wort.schemas.concepts import ConceptDetails, FoundConcept, RelatedConcepts, SearchResponse
from wort.schemas.described import SnapshotInfo
from wort.schemas.matrix import MatrixResponse
from wort.schemas.relatedness import Ambiguous, Concept, PairResult, Reference, RelatednessResponse
from wort.schemas.releases import ModelsResponse
from wort.schemas.streaming import StreamEnd, StreamHead
from wort.schemas.terms import TermResult, TermsResponse
from wort.schemas.texts import AnnotateResponse, DocumentsResponse
from wort.transport import Transport, decoded

__all__ = ["CHUNK", "LINES", "Client", "Concept"]

CHUNK = 1_000
"""Pairs that ``Client.score`` sends at a time: enough for the server's full speed."""

LINES = "application/x-ndjson"


class Client:
    """Asks one server. It may be shared between threads; ``close`` it, or use it in a ``with`` block.

    A request that finds the server busy (503), the rate limit met (429) or the connection broken is sent
    again, after what ``Retry-After`` says or ever longer: scoring changes nothing. All that goes wrong for
    good is raised as a ``WortError``.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        key: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 5,
        longest_wait: float = 30.0,
    ) -> None:
        """``url``: where the service is, its path too where a proxy has put it under one.

        ``key``: the server's key, if it asks for one. ``timeout``: seconds without a byte after which an
        answer is given up. ``retries``: how often a request is sent again. ``longest_wait``: the most seconds
        between two tries; where the server asks for a longer wait, its problem is raised at once.

        Raises:
            ValueError: the address is none of HTTP, or the key cannot stand in a header.
        """
        self._transport = Transport(url, key, timeout, retries, longest_wait)
        self._chunk = CHUNK

    def __repr__(self) -> str:
        return f"Client({str(self._transport.address)!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def relatedness(
        self,
        left: Concept,
        right: Concept,
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> PairResult:
        """How related two concepts are: ``score``, from 0 to 1, is None where one could not be resolved.

        ``interval`` says between which shares the answer of ten people lies, where the model knows it. A side
        may be any text: ``SideReference(text="screen time")``. ``explain``: add each feature's contribution
        and the evidence. ``ambiguous``: ``"resolve"`` has the senses of an ambiguous title chosen, and the
        choice reported in ``resolved``. ``model``: the name of the one to score with, of those that
        ``models`` lists.
        """
        pairs = [(left, right)]
        (result,) = self.score(pairs, explain=explain, features=features, ambiguous=ambiguous, model=model)
        return result

    def score(
        self,
        pairs: Iterable[tuple[Concept, Concept]],
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> Iterator[PairResult]:
        """The results of any number of pairs, in order, as they are taken.

        ``pairs`` is read a chunk at a time, so it may be longer than memory; no chunk is larger than the
        server allows. Each is a request: a release that is promoted between two answers the later ones.
        """
        wanted = {"explain": explain, "features": features, "ambiguous": ambiguous, **_by(model)}
        rest = iter(pairs)
        while waiting := list(islice(rest, self._chunk)):
            while waiting:
                chunk = waiting[: self._chunk]
                body = {"pairs": _pairs(chunk), **wanted}
                try:
                    response = self._transport.post("v1/relatedness", body, RelatednessResponse)
                except TooLarge as problem:
                    if len(chunk) == 1:
                        raise
                    # The limit may be one of pairs, or one of bytes.
                    most = problem.limit if problem.kind == "too-many-pairs" else None
                    self._chunk = max(1, min(most or len(chunk), len(chunk) // 2))
                    continue
                waiting = waiting[len(chunk) :]
                yield from response.results

    def stream(
        self,
        pairs: Iterable[tuple[Concept, Concept]],
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> Iterator[PairResult]:
        """The results of many pairs, in order, each as soon as it is scored: one request, one release.

        Raises:
            NotReached: the answer broke off; the results until then are good.
            TooLarge: more pairs than the server streams in one answer; ``score`` takes any number.
        """
        wanted = {"explain": explain, "features": features, "ambiguous": ambiguous, **_by(model)}
        body = {"pairs": _pairs(pairs), **wanted}
        with self._transport.sent("POST", "v1/relatedness", body=body, accept=LINES) as response:
            lines = _lines(response)
            decoded(next(lines, b""), StreamHead)
            results = 0
            last: bytes | None = None
            for line in lines:
                if last is not None:
                    yield decoded(last, PairResult)
                    results += 1
                last = line
            # Only a whole answer ends with the line that counts its results.
            if last is None or not last.startswith(b'{"done"'):
                raise NotReached(f"The answer broke off after {results:,} results. Ask for the rest again.")
            decoded(last, StreamEnd)

    def matrix(
        self,
        concepts: Sequence[Concept] | None = None,
        *,
        rows: Sequence[Concept] | None = None,
        columns: Sequence[Concept] | None = None,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> MatrixResponse:
        """The scores of ``concepts`` with one another, or of each of ``rows`` with each of ``columns``."""
        parts = {"concepts": concepts, "rows": rows, "columns": columns}
        named = {name: list(part) for name, part in parts.items() if part is not None}
        body = {**named, "ambiguous": ambiguous, **_by(model)}
        return self._transport.post("v1/relatedness/matrix", body, MatrixResponse)

    def related(
        self,
        concept: Concept,
        k: int = 20,
        *,
        min_score: float | None = None,
        category: str | None = None,
        model: str | None = None,
    ) -> RelatedConcepts:
        """The concepts that are the most related to one: ``k`` at most, of a category if one is named.

        Raises:
            Unresolved: ``concept`` names none, or several.
        """
        path, title = self._address(concept)
        query = {**title, "k": k, "min_score": min_score, "category": category, "model": model}
        return self._transport.get(f"{path}/related", RelatedConcepts, query)

    def search(self, query: str, limit: int = 10) -> list[FoundConcept]:
        """Concepts whose titles begin with ``query`` or are written nearly so, the best first."""
        response = self._transport.get("v1/concepts/search", SearchResponse, {"q": query, "limit": limit})
        return response.concepts

    def concept(self, concept: Concept) -> ConceptDetails:
        """What is known of one concept: its redirects, categories, links, and which evidence there is.

        Raises:
            Unresolved: ``concept`` names none, or several.
        """
        path, title = self._address(concept)
        return self._transport.get(path, ConceptDetails, title)

    def annotate(
        self, text: str, *, context: Sequence[Concept] = (), min_rho: float | None = None
    ) -> AnnotateResponse:
        """The concepts that a text mentions, and where; ``context`` names some that it is about."""
        body = {"text": text, "context": list(context), "min_rho": min_rho}
        return self._transport.post("v1/annotate", body, AnnotateResponse)

    def documents(self, left: str, right: str, *, explain: bool = False) -> DocumentsResponse:
        """How related two texts are, through the concepts that they mention."""
        body = {"left": left, "right": right, "explain": explain}
        return self._transport.post("v1/documents/relatedness", body, DocumentsResponse)

    def terms(
        self,
        left: str,
        right: str,
        *,
        context: str | None = None,
        explain: bool = False,
        model: str | None = None,
    ) -> TermResult:
        """How related two free terms are, whether or not they name concepts; ``context`` says what about.

        ``used`` says by which evidence; where both terms name concepts, the score is that of these.
        """
        pair = {"left": left, "right": right, "context": context}
        body = {"pairs": [pair], "explain": explain, **_by(model)}
        (result,) = self._transport.post("v1/terms/relatedness", body, TermsResponse).results
        return result

    def models(self) -> ModelsResponse:
        """Which model and snapshot answer, and which registry is followed."""
        return self._transport.get("v1/models", ModelsResponse, {})

    def snapshot(self) -> SnapshotInfo:
        """The snapshot that the evidence comes from: its wiki, date, licence and attribution."""
        return self._transport.get("v1/snapshot", SnapshotInfo, {})

    def _address(self, concept: Concept) -> tuple[str, dict[str, str | None]]:
        """The path of ``concept``, as the server resolves it in a pair; its title too, if it has no page id.

        Raises:
            Unresolved: it names no concept, or several.
        """
        page_id = concept.id if isinstance(concept, Reference) else concept
        if not isinstance(page_id, int):
            side = self.relatedness(concept, concept).resolved.left
            if side.status != "ok":
                raise Unresolved(side)
            if side.page_id is None:
                return "v1/concepts", {"title": side.title}
            page_id = side.page_id
        return f"v1/concepts/{page_id}", {}


def _pairs(pairs: Iterable[tuple[Concept, Concept]]) -> list[dict[str, Concept]]:
    return [{"left": left, "right": right} for left, right in pairs]


def _by(model: str | None) -> dict[str, str]:
    """The part of a request that names a model; nothing for servers that know of none."""
    return {} if model is None else {"model": model}


def _lines(response: httpx.Response) -> Iterator[bytes]:
    """The lines of an answer. They end with a line feed alone: titles may hold what else ends a line."""
    rest = b""
    for piece in response.iter_bytes():
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    if rest:
        yield rest
