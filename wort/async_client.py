"""What ``wort.client`` asks, for programs that do other things while they wait."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from types import TracebackType

import wort.schemas.arguments as given
from wort import asking
from wort.errors import TooLarge
from wort.exchange import Server
from wort.schemas.concepts import ConceptDetails, FoundConcept, RelatedConcepts
from wort.schemas.described import SnapshotInfo
from wort.schemas.matrix import MatrixResponse
from wort.schemas.references import Concept
from wort.schemas.relatedness import Ambiguous, PairResult
from wort.schemas.releases import ModelsResponse
from wort.schemas.terms import TermResult
from wort.schemas.texts import AnnotateResponse, DocumentsResponse
from wort.transport import AsyncTransport

__all__ = ["AsyncClient", "Concept"]


class AsyncClient:
    """Asks one server, as ``Client`` does, method by method, and lets others work meanwhile.

    It belongs to one event loop; ``close`` it, or use it in an ``async with`` block. Any number of its
    methods may be waited for at once.

    What passes is tried again, and what goes wrong for good is raised, as there.
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
        """The parameters are those of ``Client``.

        Raises:
            TypeError, ValueError: as for ``Client``.
        """
        self._transport = AsyncTransport(Server(url, key, longest_wait), timeout, retries)
        self._chunk = asking.CHUNK

    def __repr__(self) -> str:
        return f"AsyncClient({str(self._transport.server.address)!r})"

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()

    async def relatedness(
        self,
        left: Concept,
        right: Concept,
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> PairResult:
        """As ``Client.relatedness``."""
        pairs = [(given.side(left, "left"), given.side(right, "right"))]
        scored = self.score(pairs, explain=explain, features=features, ambiguous=ambiguous, model=model)
        (result,) = [result async for result in scored]
        return result

    async def explain(
        self, left: Concept, right: Concept, *, ambiguous: Ambiguous = "report", model: str | None = None
    ) -> PairResult:
        """As ``Client.explain``."""
        return await self.relatedness(left, right, explain=True, ambiguous=ambiguous, model=model)

    async def score(
        self,
        pairs: Iterable[tuple[Concept, Concept]],
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> AsyncIterator[PairResult]:
        """As ``Client.score``."""
        chunks = asking.Chunks(pairs, asking.How(explain, features, ambiguous, model), self._chunk)
        while (question := chunks.next()) is not None:
            try:
                response = await self._transport.ask(question)
            except TooLarge as problem:
                chunks.refused(problem)
                self._chunk = chunks.most
                continue
            chunks.answered()
            for result in response.results:
                yield result

    async def stream(
        self,
        pairs: Iterable[tuple[Concept, Concept]],
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> AsyncIterator[PairResult]:
        """As ``Client.stream``."""
        question = asking.How(explain, features, ambiguous, model).of(asking.listed(pairs))
        streamed = asking.StreamedResults()
        async with self._transport.sent(question, asking.LINES) as response:
            async for piece in response.aiter_bytes():
                for result in streamed.take(piece):
                    yield result
            for result in streamed.end():
                yield result

    async def matrix(
        self,
        concepts: Sequence[Concept] | None = None,
        columns: Sequence[Concept] | None = None,
        *,
        rows: Sequence[Concept] | None = None,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> MatrixResponse:
        """As ``Client.matrix``."""
        return await self._transport.ask(asking.matrix(concepts, rows, columns, ambiguous, model))

    async def related(
        self,
        concept: Concept,
        k: int = 20,
        *,
        min_score: float | None = None,
        category: str | None = None,
        model: str | None = None,
    ) -> RelatedConcepts:
        """As ``Client.related``."""
        return await self._transport.ask(
            asking.related(await self._place(concept), k, min_score, category, model)
        )

    async def search(self, query: str, limit: int = 10) -> list[FoundConcept]:
        """As ``Client.search``."""
        return (await self._transport.ask(asking.search(query, limit))).concepts

    async def concept(self, concept: Concept) -> ConceptDetails:
        """As ``Client.concept``."""
        return await self._transport.ask(asking.details(await self._place(concept)))

    async def annotate(
        self, text: str, *, context: Sequence[Concept] = (), min_rho: float | None = None
    ) -> AnnotateResponse:
        """As ``Client.annotate``."""
        return await self._transport.ask(asking.annotate(text, context, min_rho))

    async def documents(
        self, left: str, right: str, *, explain: bool = False, model: str | None = None
    ) -> DocumentsResponse:
        """As ``Client.documents``."""
        return await self._transport.ask(asking.documents(left, right, explain, model))

    async def terms(
        self,
        left: str,
        right: str,
        *,
        context: str | None = None,
        explain: bool = False,
        model: str | None = None,
    ) -> TermResult:
        """As ``Client.terms``."""
        (result,) = (await self._transport.ask(asking.terms(left, right, context, explain, model))).results
        return result

    async def models(self) -> ModelsResponse:
        """As ``Client.models``."""
        return await self._transport.ask(asking.MODELS)

    async def snapshot(self) -> SnapshotInfo:
        """As ``Client.snapshot``."""
        return await self._transport.ask(asking.SNAPSHOT)

    async def _place(self, concept: Concept) -> asking.Place:
        """Where ``concept`` is, as the server resolves it in a pair.

        Raises:
            Unresolved: it names no concept, or several.
        """
        known = asking.known_place(concept)
        return known or asking.place_of((await self.relatedness(concept, concept)).resolved.left)
