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

from wort.schemas.concepts import FoundConcept, RelatedConcepts
from wort.schemas.described import ModelInfo, SnapshotInfo
from wort.schemas.relatedness import Ambiguous, Concept, PairResult, Side
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
    use it in a ``with`` block.

    A concept is what it is for a ``Client``: a title, a page id, an address on Wikipedia, or a ``Reference``;
    a side of a pair may be a text, ``SideReference(text="screen time")``. A column of them is a list, a NumPy
    array, or what NumPy can make an array of, such as a column of pandas, Polars or Arrow. Pairs are a list
    of pairs, an array or a data frame of two columns, or two columns, ``left`` and ``right``.

    ``ambiguous``: ``"report"`` has a title that may mean several concepts stay without a score, ``"resolve"``
    has its sense chosen.

    Methods raise TypeError for what names no concept, as a gap in a column does, and ValueError for what are
    no pairs and once it is closed.
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
        """How related two concepts are: ``score``, from 0 to 1, is None where one could not be resolved.

        ``explain``: add each feature's contribution and the evidence; ``features``: add the features.
        """

    def explain(self, left: Concept, right: Concept, *, ambiguous: Ambiguous = "report") -> PairResult:
        """How related two concepts are, with each feature's contribution and the evidence."""

    def results(
        self,
        pairs: Any,  # noqa: ANN401
        right: Any = None,  # noqa: ANN401
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
    ) -> list[PairResult]:
        """The whole answer for each pair, in order: slower than ``score``, as a server is."""

    def score(
        self,
        pairs: Any,  # noqa: ANN401
        right: Any = None,  # noqa: ANN401
        *,
        ambiguous: Ambiguous = "report",
    ) -> Floats:
        """The score of each pair, float64[n]; NaN where there is none, of which ``unscored`` says why.

        Columns of page ids, as arrays of integers, take the least time.
        """

    def unscored(
        self,
        pairs: Any,  # noqa: ANN401
        right: Any = None,  # noqa: ANN401
        *,
        ambiguous: Ambiguous = "report",
    ) -> dict[int, PairResult]:
        """Why some pairs have no score: the whole answer for each of these, by its row."""

    def features(
        self,
        pairs: Any,  # noqa: ANN401
        right: Any = None,  # noqa: ANN401
        *,
        names: Iterable[str] | None = None,
        ambiguous: Ambiguous = "report",
    ) -> FeatureTable:
        """The features of each pair, float64[n, k]; ``names``: of which features, all where it is None.

        Raises:
            KeyError: there is no feature of a name.
            ValueError: a side is a text.
        """

    def matrix(
        self,
        concepts: Any,  # noqa: ANN401
        columns: Any = None,  # noqa: ANN401
        *,
        ambiguous: Ambiguous = "report",
    ) -> Floats:
        """The score of each of n concepts with each other one, float64[n, n], or with m ``columns``, [n, m].

        It is NaN where one could not be resolved; ``resolve`` says which. A title that may mean several
        concepts means the same throughout the matrix.
        """

    def resolve(
        self,
        concepts: Any,  # noqa: ANN401
        *,
        ambiguous: Ambiguous = "report",
    ) -> list[Side]:
        """How each of some concepts is understood, whatever it is compared with."""

    def related(
        self, concept: Concept, k: int = 20, *, min_score: float = 0.0, category: str | None = None
    ) -> RelatedConcepts:
        """The concepts that are the most related to one: ``k`` at most, of a category if one is named.

        Raises:
            LookupError: ``concept`` names none, or several, or there is no such category.
        """

    def search(self, text: str, limit: int = 10) -> list[FoundConcept]:
        """Concepts that are called so, or have a title that begins so or has these words, or nearly so."""

    def annotate(
        self, text: str, *, context: Sequence[Concept] = (), min_rho: float | None = None
    ) -> AnnotateResponse:
        """The concepts that a text mentions, and where; ``context`` names some that it is about.

        ``min_rho``: the least that an annotation is sure, from 0 to 1; as the snapshot says where it is None.
        """


def open(snapshot: str | os.PathLike[str] | None = None, model: str | os.PathLike[str] | None = None) -> Wort:
    """Open a snapshot and a model, to be asked in this process as a server is.

    ``snapshot``: its folder; None for the starter snapshot. ``model``: a model's file, or the name of one
    that comes with wort, ``"wort-plus"`` or ``"wort"``; None for the first of these two that suits the
    snapshot. A model that was trained on another snapshot is told of by a warning.

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
    return opened
