"""What a server answers, computed in the process that asks: ``wort.open``.

What computes is in the distribution ``wort-server``, which this one does without. Here stands what it can be
asked, so that editors and type checkers know it wherever it is installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from wort.schemas.columns import ConceptColumn, Pairs
from wort.schemas.concepts import FoundConcept, RelatedConcepts
from wort.schemas.described import ModelInfo, SnapshotInfo
from wort.schemas.references import Concept
from wort.schemas.relatedness import Ambiguous, PairResult
from wort.schemas.sides import Side
from wort.schemas.texts import AnnotateResponse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["FeatureTable", "Wort", "open"]


class FeatureTable(Protocol):
    """The features of pairs: an array float64[n, k] for NumPy, its columns by name.

    A row is NaN where a side named no concept, and where both named the same one.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The features, in the order of the columns."""

    @property
    def values(self) -> Floats:
        """float64[n, k]."""

    def __len__(self) -> int: ...

    def __getitem__(self, name: str) -> Floats:
        """The column of a feature, float64[n].

        Raises:
            KeyError: there is none of that name.
        """

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...  # noqa: ANN401


class Wort(Protocol):
    """A snapshot and a model that answer in this process. It may be shared between threads.

    Every answer is what a server with the same snapshot and model answers, to the last bit. ``close`` it, or
    use it in a ``with`` block. It cannot be pickled: each process opens its own.

    A concept is what it is for a ``Client``: a title, a page id, an address on Wikipedia, or a ``Reference``;
    a side of a pair may be a text, ``SideReference(text="screen time")``. A column of them is a list, a NumPy
    array, or what NumPy can make an array of, such as a column of pandas, Polars or Arrow. Pairs are a list
    of pairs, an array or a data frame of two columns, or two columns, ``left`` and ``right``.

    ``ambiguous``: ``"report"`` has a title that may mean several concepts stay without a score, ``"resolve"``
    has its sense chosen.

    Methods raise TypeError for what names no concept, as a gap in a column does, and ValueError for what are
    no pairs, for another ``ambiguous``, and once it is closed.
    """

    def __enter__(self) -> Wort: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def close(self) -> None:
        """Answer nothing more. Calls that have begun end well; then the snapshot's files are let go."""

    @property
    def snapshot(self) -> SnapshotInfo:
        """The snapshot that the evidence comes from: its wiki, date, licence and attribution."""

    @property
    def model(self) -> ModelInfo:
        """The model that scores."""

    def relatedness(
        self,
        left: Concept,
        right: Concept,
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
    ) -> PairResult:
        """How related two concepts or texts are, as a server answers it.

        A side is a title, an address on Wikipedia, a page id, a ``Reference``, or any text:
        ``SideReference(text="screen time")``. ``explain``: add each feature's contribution and the evidence;
        ``features``: add the features. ``ambiguous``: ``"report"`` gives a title that may mean several
        concepts no score, ``"resolve"`` chooses the sense of it that suits the other side.

        The answer's ``score`` is from 0 to 1, or None where a side names no concept, or several; its
        ``status`` says which, and ``resolved`` how each side was understood.

        Raises:
            TypeError: a side names nothing, as None does, or ``explain`` or ``features`` is no truth value.
            ValueError: ``ambiguous`` is another value, or this is closed.
            app.errors.NoTermModel: a side is a text, and there is no model for texts.
        """

    def explain(self, left: Concept, right: Concept, *, ambiguous: Ambiguous = "report") -> PairResult:
        """How related two concepts are, and why: ``relatedness`` with ``explain`` and ``ambiguous``.

        ``explanation`` of the answer has what each feature contributes, and ``evidence`` what the two share.
        Both are None where there is no score, or where the two are one concept.

        Raises:
            TypeError, ValueError, app.errors.NoTermModel: as for ``relatedness``.
        """

    def results(
        self,
        pairs: Pairs,
        right: ConceptColumn | None = None,
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
    ) -> list[PairResult]:
        """The whole answer for each pair, in order: n results, in more time than ``score`` takes.

        ``pairs``, ``right``: as for ``score``. ``explain``, ``features``, ``ambiguous``: as for
        ``relatedness``.

        Raises:
            TypeError, ValueError, app.errors.NoTermModel: as for ``score`` and ``relatedness``.
        """

    def score(
        self,
        pairs: Pairs,
        right: ConceptColumn | None = None,
        *,
        ambiguous: Ambiguous = "report",
    ) -> Floats:
        """The score of each of n pairs, from 0 to 1: float64[n], in their order.

        ``pairs``: a list of pairs, or an array or a data frame of two columns. With ``right``, two columns:
        ``pairs`` has the left sides and ``right`` as many right ones, each as a list, a NumPy array, or a
        column of pandas, Polars or Arrow. A side is what it is for ``relatedness``; two arrays of integers,
        which are page ids, take the least time. ``ambiguous``: as for ``relatedness``.

        A score is NaN where a side names no concept, or several. Where there are such, one
        ``wort.UnscoredWarning`` says how many, and ``unscored`` why.

        Raises:
            TypeError: an entry names nothing, as a gap does; the message says which.
            ValueError: these are no pairs, or this is closed.
            app.errors.NoTermModel: a side is a text, and there is no model for texts.
        """

    def unscored(
        self,
        pairs: Pairs,
        right: ConceptColumn | None = None,
        *,
        ambiguous: Ambiguous = "report",
    ) -> dict[int, PairResult]:
        """Why some pairs have no score: the whole answer for each of these, by its row, from 0.

        ``pairs``, ``right``, ``ambiguous``: as for ``score``. Empty where every pair has a score.

        Raises:
            TypeError, ValueError, app.errors.NoTermModel: as for ``score``.
        """

    def features(
        self,
        pairs: Pairs,
        right: ConceptColumn | None = None,
        *,
        names: Iterable[str] | None = None,
        ambiguous: Ambiguous = "report",
    ) -> FeatureTable:
        """The features of each of n pairs: a table whose ``values`` are float64[n, k], a column a feature.

        ``pairs``, ``right``, ``ambiguous``: as for ``score``. ``names``: which k features, in this order; all
        that there are where it is None. A row is NaN where a side names no concept, of which it is warned
        as by ``score``, and where both sides name the same one.

        Raises:
            KeyError: there is no feature of a name.
            TypeError: as for ``score``; or ``names`` is no list of names.
            ValueError: as for ``score``; or a side is a text, which has no features.
        """

    def matrix(
        self,
        concepts: ConceptColumn | None = None,
        columns: ConceptColumn | None = None,
        *,
        rows: ConceptColumn | None = None,
        ambiguous: Ambiguous = "report",
    ) -> Floats:
        """The score of each of n concepts with each other one, float64[n, n], or with m ``columns``, [n, m].

        ``concepts``, ``columns``: columns as for ``resolve``; ``rows`` may stand for ``concepts`` where there
        are ``columns``, as a client has it. Scores are from 0 to 1, and NaN where one names no concept, or
        several, of which it is warned as by ``score``; ``resolve`` says which. ``ambiguous``: with
        ``"resolve"``, a title that may mean several concepts has the sense that suits the others, the same
        throughout the matrix.

        Raises:
            TypeError: an entry names nothing, or is a text; the message says which.
            ValueError: this is no column, neither ``concepts`` nor ``rows`` with ``columns`` are given, or
                this is closed.
        """

    def resolve(
        self,
        concepts: ConceptColumn,
        *,
        ambiguous: Ambiguous = "report",
    ) -> list[Side]:
        """How each of some concepts is understood, as in a matrix of them.

        ``concepts``: a column of titles, addresses, page ids and ``Reference``. ``ambiguous``: with
        ``"resolve"``, a title that may mean several concepts has the sense that suits the others. There is a
        ``Side`` for each, in order: its ``status`` is ``"ok"`` where it names one concept, of which it has
        the ``title`` and the ``page_id``.

        Raises:
            TypeError: an entry names nothing, or is a text.
            ValueError: this is no column, or this is closed.
        """

    def related(
        self, concept: Concept, k: int = 20, *, min_score: float | None = None, category: str | None = None
    ) -> RelatedConcepts:
        """The concepts that are the most related to one, the most related first.

        ``k``: how many at most. ``min_score``: the least score of one, from 0 to 1, if any. ``category``: the
        title of a category, of whose articles alone they are. ``related`` of the answer has their titles,
        page ids and scores.

        Raises:
            LookupError: ``concept`` names none, or several, or there is no such category.
            TypeError: ``concept`` names nothing, as None does, or is a text; or another argument is of a
                wrong type.
            ValueError: ``k`` is below 1, ``min_score`` is not from 0 to 1, or this is closed.
        """

    def search(
        self, query: str | None = None, limit: int = 10, *, text: str | None = None
    ) -> list[FoundConcept]:
        """Concepts that are called so, or have a title that begins so or has these words, or nearly so.

        ``query``: what was typed of a name; ``text`` is what this argument was called before. The best match
        comes first, and there are ``limit`` at the most; none where nothing is near. A concept says by
        ``match`` how it was found, and by ``redirect`` or ``alias`` under which other name.

        Raises:
            TypeError: ``query`` is no text, or ``limit`` no whole number.
            ValueError: ``limit`` is below 1, or this is closed.
        """

    def annotate(
        self, text: str, *, context: Sequence[Concept] = (), min_rho: float | None = None
    ) -> AnnotateResponse:
        """The concepts that a text mentions, and where.

        ``context``: concepts that the text is about, which help to tell senses apart. ``min_rho``: how sure
        an annotation is at least, from 0 to 1; as the snapshot says where it is None. ``annotations`` of the
        answer are in the order of the text; their ``start`` and ``end`` are places in it, in characters.

        Raises:
            TypeError: ``text`` is no text, ``min_rho`` no number, or an entry of ``context`` names nothing or
                is a text.
            ValueError: ``context`` has too many concepts, ``min_rho`` is not from 0 to 1, or this is closed.
        """


def open(snapshot: str | os.PathLike[str] | None = None, model: str | os.PathLike[str] | None = None) -> Wort:
    """Open a snapshot and a model, to be asked in this process as a server is.

    ``snapshot``: its folder; None for the starter snapshot. ``model``: a model's file, or the name of one
    that comes with wort, ``"wort-plus"``, ``"wort"`` or ``"regression"``; None for ``"wort-plus"`` where the
    snapshot has the tables that it reads, else ``"wort"``. A model that was trained on another snapshot is
    told of by a warning.

    Raises:
        ModuleNotFoundError: what computes is not installed here; the message names what to install.
        wort_server.NamesTaken: another package has a name that one of the server's has.
        app.errors.NoStarter: no snapshot is named, and the starter snapshot is not installed.
        app.errors.AppError, snapshots.errors.TableError, models.errors.ModelError: the snapshot or the model
            cannot be used; the message says why.
    """
    try:
        server = import_module("wort_server")
    except ModuleNotFoundError as error:
        if error.name != "wort_server":
            raise
        raise ModuleNotFoundError(
            "wort.open() computes in this process, with the distribution wort-server, which is not installed "
            "here. Install wort-server, and wort-starter unless you have a snapshot of your own; or ask a "
            "server elsewhere, by wort.Client.",
            name="wort_server",
        ) from None
    opened: Wort = server.open(snapshot, model)
    _document(type(opened))
    return opened


def _document(kind: type) -> None:
    """Have the methods of what answers say what is said of them here, to ``help`` and in notebooks.

    The server shares nothing with the client but the schemas, and cannot take it from here itself.
    """
    for name, declared in vars(Wort).items():
        if not name.startswith("_") and declared.__doc__:
            vars(kind)[name].__doc__ = declared.__doc__
