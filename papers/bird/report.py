"""BiRD's experiment from a snapshot to tables: Table 4 and Figure 2, ours beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from measures.arrays import Floats
from papers.bird import paper
from papers.bird.bigrams import bigram_pairs
from papers.bird.composition import COMPOSITIONS
from papers.bird.experiment import CompositionResults, covered_by_all, evaluate
from papers.bird.signs import DRAWS, SignRange, sign_ranges
from papers.bird.vectors import CONTEXTS, associations, counts_of, factorised, word2vec, word_ids
from papers.tables import Experiment, PaperTable, shown
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark, Judgement
from training.progress import Steps
from training.statistics.significance import shown_p

Measures = Callable[[list[Judgement]], Mapping[str, Floats]]


def run_bird(
    benchmark: Benchmark,
    snapshot: Snapshot,
    steps: Steps,
    beside: Measures | None = None,
    contexts: int = CONTEXTS,
) -> tuple[CompositionResults, tuple[SignRange, ...]]:
    """Every composition on every kind of vectors, and what the products owe to signs.

    ``beside``: other measures of the same judgements. ``contexts``: see ``associations``.

    Raises:
        TooFewPairs: the snapshot has vectors for the words of fewer than two pairs.
    """
    pairs = bigram_pairs(benchmark)
    ids = word_ids(snapshot, pairs.words)
    steps.begin("counting pairs of words", "words")
    associated = associations(snapshot, ids, contexts, progress=steps.advance_to)
    counts = counts_of(associated, ids)
    trained = word2vec(snapshot, ids)
    # Before the factorisation, which takes a minute or two.
    covered_by_all(pairs, (trained, counts))
    steps.begin("factorising the counts", "iterations")
    spaces = trained, counts, factorised(associated, ids, progress=steps.advance_to)
    covered = covered_by_all(pairs, spaces)
    others: Mapping[str, Floats] = {}
    if beside is not None:
        steps.begin("computing other measures")
        others = beside([benchmark.judgements[row] for row in covered.rows.tolist()])
    steps.begin("turning signs")
    ranges = tuple(chain.from_iterable(sign_ranges(covered, space) for space in (spaces[0], spaces[2])))
    steps.begin("composing", "compositions")
    results = evaluate(len(benchmark.judgements), covered, spaces, beside=others, progress=steps.advance_to)
    return results, ranges


def experiment(
    results: CompositionResults, ranges: Sequence[SignRange], benchmark: Benchmark, snapshot: str
) -> Experiment:
    """The figures as tables."""
    tables = (
        _table_4(results),
        _ranks(results),
        _signs(ranges),
        _figure_2(results),
        _significance(results),
        _transposed(results),
        _beside(results),
    )
    return Experiment("bird", snapshot, benchmark.checksum, tuple(table for table in tables if table.rows))


def _table_4(results: CompositionResults) -> PaperTable:
    spaces = [space.name for space in results.spaces]
    return PaperTable(
        "Table 4: Pearson correlation by composition and vectors",
        ("method", *spaces, *(f"paper: {space}" for space in paper.SPACES)),
        tuple(
            (method, *(results.of(space, method).pearson for space in spaces), *paper.TABLE_4[method])
            for method in COMPOSITIONS
        ),
        f"Over {results.pairs:,} of {results.read:,} pairs, whose words have all vectors; the paper's over "
        f"{paper.PAIRS:,}. Of {results.words:,} different words, "
        + ", ".join(
            f"{space.words:,} have {space.name} vectors of {space.dimensions:,}" for space in results.spaces
        )
        + " dimensions.",
    )


def _ranks(results: CompositionResults) -> PaperTable:
    spaces = [space.name for space in results.spaces]
    return PaperTable(
        "Spearman correlation, which the paper does not give",
        ("method", *spaces),
        tuple((method, *(results.of(space, method).spearman for space in spaces)) for method in COMPOSITIONS),
    )


def _signs(ranges: Sequence[SignRange]) -> PaperTable:
    return PaperTable(
        "Products under random signs of the dimensions: Pearson correlation",
        ("vectors", "method", "lowest", "highest"),
        tuple((one.vectors, one.method, one.low, one.high) for one in ranges),
        f"Over {DRAWS} draws.",
    )


def _figure_2(results: CompositionResults) -> PaperTable:
    alphas = results.sweeps[0].alphas if results.sweeps else ()
    return PaperTable(
        "Figure 2: Pearson correlation of weighted addition, α to the modifier and 1 − α to the head",
        ("α", *(sweep.vectors for sweep in results.sweeps)),
        tuple(
            (f"{alpha:.1f}", *(sweep.pearson[place] for sweep in results.sweeps))
            for place, alpha in enumerate(alphas)
        ),
        f"The paper has the highest correlations at {' and '.join(map(str, paper.BEST_ALPHAS))}.",
    )


def _significance(results: CompositionResults) -> PaperTable:
    return PaperTable(
        "Steiger's Z: addition against the best other method, and the modifier against the head",
        ("vectors", "methods", "r of the first", "r of the second", "r between", "Z", "p"),
        tuple(
            (vectors, f"{one.first} – {one.second}", *r, one.z, shown_p(one.log10_p))
            for vectors, one in results.differences
            for r in ((one.r_first, one.r_second, one.r_between),)
        ),
    )


def _transposed(results: CompositionResults) -> PaperTable:
    spaces = [space.name for space in results.spaces]
    return PaperTable(
        "AB–BA pairs: mean relatedness, and Pearson correlation where it is not the same for all",
        ("method", *(f"{space}: {what}" for space in spaces for what in ("mean", "r"))),
        tuple(
            (method, *chain.from_iterable((one.transposed_mean, one.transposed) for one in of_method))
            for method in COMPOSITIONS
            if results.transposed
            for of_method in ([results.of(space, method) for space in spaces],)
        ),
        f"{results.transposed:,} pairs of a bigram and its words in the other order. People's scores: mean "
        f"{shown(results.transposed_mean)}, standard deviation {shown(results.transposed_deviation)}.",
    )


def _beside(results: CompositionResults) -> PaperTable:
    return PaperTable(
        "Other measures on the same pairs",
        ("measure", "Pearson", "Spearman"),
        tuple((one.name, one.pearson, one.spearman) for one in results.beside),
    )
