"""What a server can be asked, a method each. Answers are the structs that the server itself declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from wort.transport import Transport

__all__ = ["Client", "Concept"]


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
            TypeError: one of these is of a wrong type.
            ValueError: the address is none of HTTP, the key cannot stand in a header, or a number is out of
                its range.
        """
        self._transport = Transport(Server(url, key, longest_wait), timeout, retries)
        self._chunk = asking.CHUNK

    def __repr__(self) -> str:
        return f"Client({str(self._transport.server.address)!r})"

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
        pairs = [(given.side(left, "left"), given.side(right, "right"))]
        (result,) = self.score(pairs, explain=explain, features=features, ambiguous=ambiguous, model=model)
        return result

    def explain(
        self, left: Concept, right: Concept, *, ambiguous: Ambiguous = "report", model: str | None = None
    ) -> PairResult:
        """How related two concepts are, and why: ``relatedness`` with ``explain``."""
        return self.relatedness(left, right, explain=True, ambiguous=ambiguous, model=model)

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
        chunks = asking.Chunks(pairs, asking.How(explain, features, ambiguous, model), self._chunk)
        while (question := chunks.next()) is not None:
            try:
                response = self._transport.ask(question)
            except TooLarge as problem:
                chunks.refused(problem)
                self._chunk = chunks.most
                continue
            chunks.answered()
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
        question = asking.How(explain, features, ambiguous, model).of(asking.listed(pairs))
        streamed = asking.StreamedResults()
        with self._transport.sent(question, asking.LINES) as response:
            for piece in response.iter_bytes():
                yield from streamed.take(piece)
            yield from streamed.end()

    def matrix(
        self,
        concepts: Sequence[Concept] | None = None,
        columns: Sequence[Concept] | None = None,
        *,
        rows: Sequence[Concept] | None = None,
        ambiguous: Ambiguous = "report",
        model: str | None = None,
    ) -> MatrixResponse:
        """The scores of ``concepts`` with one another, or of each of them with each of ``columns``.

        With ``columns``, ``rows`` is another name of ``concepts``.
        """
        return self._transport.ask(asking.matrix(concepts, rows, columns, ambiguous, model))

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
        return self._transport.ask(asking.related(self._place(concept), k, min_score, category, model))

    def search(self, query: str, limit: int = 10) -> list[FoundConcept]:
        """Concepts that are called so, or have a title that begins so or has these words, or nearly so."""
        return self._transport.ask(asking.search(query, limit)).concepts

    def concept(self, concept: Concept) -> ConceptDetails:
        """What is known of one concept: its redirects, categories, links, and which evidence there is.

        Raises:
            Unresolved: ``concept`` names none, or several.
        """
        return self._transport.ask(asking.details(self._place(concept)))

    def annotate(
        self, text: str, *, context: Sequence[Concept] = (), min_rho: float | None = None
    ) -> AnnotateResponse:
        """The concepts that a text mentions, and where; ``context`` names some that it is about."""
        return self._transport.ask(asking.annotate(text, context, min_rho))

    def documents(
        self, left: str, right: str, *, explain: bool = False, model: str | None = None
    ) -> DocumentsResponse:
        """How related two texts are, through the concepts that they mention."""
        return self._transport.ask(asking.documents(left, right, explain, model))

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
        (result,) = self._transport.ask(asking.terms(left, right, context, explain, model)).results
        return result

    def models(self) -> ModelsResponse:
        """Which model and snapshot answer, and which registry is followed."""
        return self._transport.ask(asking.MODELS)

    def snapshot(self) -> SnapshotInfo:
        """The snapshot that the evidence comes from: its wiki, date, licence and attribution."""
        return self._transport.ask(asking.SNAPSHOT)

    def _place(self, concept: Concept) -> asking.Place:
        """Where ``concept`` is, as the server resolves it in a pair.

        Raises:
            Unresolved: it names no concept, or several.
        """
        known = asking.known_place(concept)
        return known or asking.place_of(self.relatedness(concept, concept).resolved.left)
