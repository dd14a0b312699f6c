"""What ``wort.open`` opens: everything a server answers about concepts, computed in the process that asks."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from functools import partial
from types import TracebackType
from typing import NoReturn

import numpy as np

import wort.schemas.arguments as given
from app.errors import NoSuchConcept
from app.model_names import check_model_name
from app.scoring.annotating import resolved_context
from app.scoring.batches import DEFAULT_SIZES
from app.scoring.columns import Column, have_texts, listed_pairs, pair_columns, references
from app.scoring.feature_table import FeatureTable
from app.scoring.in_words import advice
from app.scoring.matrix import Matrix, concepts_of, resolved, resolved_together
from app.scoring.naming.references import AnyPair, has_text
from app.scoring.naming.resolving import Helped
from app.scoring.notes import noted
from app.scoring.offered import NAMES
from app.scoring.paired_columns import comparable, paired_concepts
from app.scoring.related import NoSuchCategory, related
from app.scoring.search import search
from app.scoring.sides import score_mixed
from app.scoring.unscored import UnclearSides, unclear_names, unclear_results, warn_of
from app.serving.encoder import EncoderPlace
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.starter import open_scorer
from features.catalogue import FEATURE_NAMES, named
from features.extract import extract
from measures.arrays import Floats
from wort.schemas.columns import ConceptColumn, Pairs
from wort.schemas.concepts import FoundConcept, RelatedConcepts
from wort.schemas.described import ModelInfo, SnapshotInfo
from wort.schemas.references import Concept
from wort.schemas.relatedness import Ambiguous, PairResult
from wort.schemas.sides import Side
from wort.schemas.texts import AnnotateResponse


class Wort:
    """A snapshot and a model that answer in this process. It may be shared between threads.

    Every answer is what a server with the same snapshot and model answers, to the last bit. ``close`` it, or
    use it in a ``with`` block. ``wort.in_process.Wort`` says what each method does.
    """

    def __init__(self, serving: Serving) -> None:
        self._open: Serving | None = serving

    @classmethod
    def open(
        cls, snapshot: str | os.PathLike[str] | None = None, model: str | os.PathLike[str] | None = None
    ) -> Wort:
        """What answers by a snapshot's folder and a model's file or name; by the package's where None.

        Raises:
            NoStarter: no snapshot is named, and the starter is not installed.
            snapshots.errors.SnapshotError, models.errors.ModelError: the files cannot be used.
            UnknownModelName: the model is neither the name of one nor a file.
            UnusableModel: the snapshot lacks tables that the named model reads.
        """
        folder, file = given.place(snapshot, "snapshot"), given.place(model, "model")
        check_model_name(file)
        scorer = open_scorer(folder, file)
        if scorer.model_info.warning is not None:
            # Whose line it names is that of who called wort.open, two calls away.
            warnings.warn(scorer.model_info.warning, stacklevel=4)
        name = str(model) if str(model) in NAMES else None
        return cls(Serving(scorer, TermSettings(name=name, encoder=EncoderPlace(None))))

    def __repr__(self) -> str:
        if self._open is None:
            return "<Wort, closed>"
        return f"<Wort of {self.snapshot.id}, {self.snapshot.concepts:,} concepts, by {self.model.name}>"

    def __enter__(self) -> Wort:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "What wort.open() opened cannot be pickled, nor sent to another process: its tables are mapped "
            "into this one. Call wort.open() in each process; they share the memory of one snapshot."
        )

    def close(self) -> None:
        """Answer nothing more. Calls that have begun end well; then the snapshot's files are let go."""
        self._open = None

    @property
    def _serving(self) -> Serving:
        """What answers. A call reads it once.

        Raises:
            ValueError: it is closed.
        """
        serving = self._open
        if serving is None:
            raise ValueError("This is closed. wort.open() opens another.")
        return serving

    @property
    def snapshot(self) -> SnapshotInfo:
        """The snapshot that the evidence comes from."""
        return self._serving.scorer.snapshot_info

    @property
    def model(self) -> ModelInfo:
        """The model that scores."""
        return self._serving.scorer.model_info

    def relatedness(
        self,
        left: Concept,
        right: Concept,
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
    ) -> PairResult:
        """How related two concepts are."""
        pairs = [(given.side(left, "left"), given.side(right, "right"))]
        (result,) = self.results(pairs, explain=explain, features=features, ambiguous=ambiguous)
        return result

    def explain(self, left: Concept, right: Concept, *, ambiguous: Ambiguous = "report") -> PairResult:
        """How related two concepts are, and why."""
        return self.relatedness(left, right, explain=True, ambiguous=ambiguous)

    def results(
        self,
        pairs: Pairs,
        right: ConceptColumn | None = None,
        *,
        explain: bool = False,
        features: bool = False,
        ambiguous: Ambiguous = "report",
    ) -> list[PairResult]:
        """The whole answer for each pair."""
        asked = listed_pairs(*pair_columns(pairs, right))
        return _results(self._serving, asked, explain, features, ambiguous)

    def score(
        self,
        pairs: Pairs,
        right: ConceptColumn | None = None,
        *,
        ambiguous: Ambiguous = "report",
    ) -> Floats:
        """The score of each pair, float64[n]; NaN where there is none."""
        scores, unclear = _scores(self._serving, *pair_columns(pairs, right), ambiguous)
        warn_of(unclear, len(scores), "pair", "pairs", "score", "unscored")
        return scores

    def unscored(
        self,
        pairs: Pairs,
        right: ConceptColumn | None = None,
        *,
        ambiguous: Ambiguous = "report",
    ) -> dict[int, PairResult]:
        """Why some pairs have no score: the whole answer for each of these, by its row."""
        serving, columns = self._serving, pair_columns(pairs, right)
        rows = np.flatnonzero(np.isnan(_scores(serving, *columns, ambiguous)[0])).tolist()
        asked = listed_pairs(*columns)
        without = [asked[row] for row in rows]
        return dict(zip(rows, _results(serving, without, False, False, ambiguous), strict=True))

    def features(
        self,
        pairs: Pairs,
        right: ConceptColumn | None = None,
        *,
        names: Iterable[str] | None = None,
        ambiguous: Ambiguous = "report",
    ) -> FeatureTable:
        """The features of each pair, float64[n, k]."""
        scorer, columns = self._serving.scorer, pair_columns(pairs, right)
        if have_texts(*columns):
            raise ValueError("Features are those of two concepts, and a text has none. Name a concept.")
        asked = FEATURE_NAMES if names is None else given.names(names, "names", "features")
        wanted = named(asked)
        left, other, unclear = paired_concepts(scorer, *columns, ambiguous)
        warn_of(unclear, len(left), "pair", "pairs", "features", "unscored")
        values = np.full((len(left), len(asked)), np.nan)
        for rows in comparable(left, other):
            values[rows] = extract(scorer.snapshot, left[rows], other[rows], wanted)
        return FeatureTable(asked, values)

    def matrix(
        self,
        concepts: ConceptColumn | None = None,
        columns: ConceptColumn | None = None,
        *,
        rows: ConceptColumn | None = None,
        ambiguous: Ambiguous = "report",
    ) -> Floats:
        """The score of each concept with each other one, or of each row with each of ``columns``."""
        scorer = self._serving.scorer
        given.check_matrix(concepts, rows, columns)
        given_rows = references(*((concepts, "concepts") if rows is None else (rows, "rows")))
        others = [] if columns is None else references(columns, "columns")
        asked = [*given_rows, *others]
        understood = resolved_together(scorer, asked, given.ambiguity(ambiguous))
        ids, count = concepts_of(understood), len(given_rows)
        unclear = unclear_names(zip(asked), zip(understood))
        warn_of(unclear, len(asked), "concept", "concepts", "score", "resolve")
        return Matrix(scorer, ids[:count], None if columns is None else ids[count:]).filled()

    def resolve(
        self,
        concepts: ConceptColumn,
        *,
        ambiguous: Ambiguous = "report",
    ) -> list[Side]:
        """How each of some concepts is understood, as in a matrix of them."""
        scorer, asked = self._serving.scorer, references(concepts, "concepts")
        understood = resolved_together(scorer, asked, given.ambiguity(ambiguous))
        return list(map(scorer.pairs.side, asked, understood))

    def related(
        self, concept: Concept, k: int = 20, *, min_score: float | None = None, category: str | None = None
    ) -> RelatedConcepts:
        """The concepts that are the most related to one."""
        scorer = self._serving.scorer
        k = given.whole(k, "k", "how many concepts are asked for")
        least = 0.0 if min_score is None else given.share(min_score, "min_score")
        if category is not None:
            given.text(category, "category")
        (asked,) = references([given.concept(concept, "concept")], "concept")
        (resolution,) = resolved(scorer, [asked], "report")
        if resolution.concept < 0:
            side = scorer.pairs.side(asked, resolution)
            raise NoSuchConcept(advice(scorer.snapshot_info, side.asked, side, "Wort.search"))
        try:
            return related(scorer, resolution.concept, k, least, category)
        except NoSuchCategory as error:
            shared = "`explain(left, right).evidence.categories` has those that two concepts share."
            raise NoSuchCategory(f"{error} {shared}") from None

    def search(
        self, query: str | None = None, limit: int = 10, *, text: str | None = None
    ) -> list[FoundConcept]:
        """Concepts that are called so, or have a title that begins so or has these words, or nearly so."""
        scorer = self._serving.scorer
        most = min(given.whole(limit, "limit", "how many concepts are asked for"), scorer.snapshot.concepts)
        if query is not None and text is not None:
            raise ValueError("`text` is another name of `query`: give one of the two.")
        asked = given.text(query if text is None else text, "query")
        return search(scorer, asked, most).concepts

    def annotate(
        self, text: str, *, context: Sequence[Concept] = (), min_rho: float | None = None
    ) -> AnnotateResponse:
        """The concepts that a text mentions, and where."""
        serving, text = self._serving, given.text(text, "text")
        if min_rho is not None:
            min_rho = given.share(min_rho, "min_rho")
        context = given.context(context)
        references(context, "context")  # which refuses what names no concept
        annotator = serving.annotator()
        sides, concepts = resolved_context(serving.scorer, context)
        described = annotator.described(text, annotator.annotated(text, concepts, min_rho))
        return AnnotateResponse(described, serving.scorer.snapshot_info, sides)


def _results(
    serving: Serving, pairs: Sequence[AnyPair], explain: bool, features: bool, ambiguous: Ambiguous
) -> list[PairResult]:
    """The result of each pair, in order, a batch at a time, as a server has them."""
    explain, features = given.flag(explain, "explain"), given.flag(features, "features")
    given.ambiguity(ambiguous)
    terms = serving.terms() if any(map(has_text, pairs)) else None
    of = partial(score_mixed, serving.scorer, terms, helped=Helped())
    size = DEFAULT_SIZES.pairs
    results = [
        result
        for start in range(0, len(pairs), size)
        for result in of(pairs[start : start + size], explain, features, ambiguous)
    ]
    return noted(serving.scorer, results) if explain else results


def _scores(
    serving: Serving, left: Column, right: Column, ambiguous: Ambiguous
) -> tuple[Floats, UnclearSides]:
    """The score of each pair, float64[n]; NaN where there is none, and the sides of these pairs."""
    if have_texts(left, right):
        results = _results(serving, listed_pairs(left, right), False, False, ambiguous)
        scores = np.array([result.score for result in results], np.float64)
        return scores, unclear_results(results)
    scorer = serving.scorer
    first, second, unclear = paired_concepts(scorer, left, right, ambiguous)
    scores = np.full(len(first), np.nan)
    scores[(first >= 0) & (first == second)] = 1.0
    for rows in comparable(first, second):
        scores[rows] = scorer.relatedness(first[rows], second[rows])
    return scores, unclear
