"""The formats in which the four data sets were released, with a project's scores or votes."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from datasets.annotation.errors import BadProject, UnusableExchange
from datasets.annotation.exchange.given import Given, Named
from datasets.annotation.owning import Said
from datasets.annotation.records import Answer, ItemSide, Project, ProjectItem
from training.benchmarks.declared import shipped
from training.benchmarks.judgements import SPLIT
from training.benchmarks.tr9856 import table_votes
from training.benchmarks.word import LEFT, LEFT_URI, RIGHT, RIGHT_URI, SCORE, SOURCE
from training.errors import BenchmarkError

if TYPE_CHECKING:
    from datasets.agreement.agreeing import FileAgreement

LABELERS = 22
"""The columns of votes that TR9856 has; who reads it wants as many."""

_DIGITS = 6


def word(project: Project, agreement: FileAgreement, items: Sequence[ProjectItem]) -> bytes:
    """As ``WORD.csv``: concepts with their addresses, the article they come from, the score, the split.

    The split is the group of a pair where that says ``train`` or ``test``, and ``Train`` otherwise.
    """
    rows = []
    for item, score in _scored(project, agreement, items):
        left, right = item.asked[0].sides
        split = "Test" if (item.group or "").lower() == "test" else "Train"
        source = _address(project, ItemSide(item.topic or ""))
        uris = _address(project, left), _address(project, right)
        rows.append((source, left.name, right.name, score, *uris, split))
    return _written((SOURCE, LEFT, RIGHT, SCORE, LEFT_URI, RIGHT_URI, SPLIT), rows, ",")


def tr9856(project: Project, said: Sequence[Said], items: Sequence[ProjectItem]) -> bytes:
    """As ``TermRelatednessResults.csv``: terms, topic, each labeler's vote, the share that says related.

    Columns are in the order of annotators' numbers. Latin-1, as released.

    Raises:
        BadProject: more annotators judged than the format has columns, its kind is another, or a term has
            letters that Latin-1 lacks.
    """
    if project.kind != "binary":
        raise BadProject("the format of TR9856 has votes of related or not; this project has others.")
    annotators = sorted({one.annotator.number for one in said})
    if len(annotators) > LABELERS:
        raise BadProject(
            f"{len(annotators)} annotators judged, and the format of TR9856 has {LABELERS}. Export csv."
        )
    votes = {
        (one.item.id, one.annotator.number): one.judgement.value for one in said if one.judgement.turn == 0
    }
    rows = []
    for item in items:
        given = [votes.get((item.id, number)) for number in annotators]
        known = [vote for vote in given if vote is not None]
        if known and item.gold is None:
            cells = ["null" if vote is None else ("Related" if vote else "Unrelated") for vote in given]
            cells += ["null"] * (LABELERS - len(cells))
            sides = [side.name for side in item.asked[0].sides]
            rows.append((*sides, item.topic or "", *cells, _number(sum(known) / len(known))))
    labelers = (f"labeler{place}" for place in range(1, LABELERS + 1))
    text = _written(("term1", "term2", "topic", *labelers, "score"), rows, ",").decode()
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise BadProject(f"TR9856 is in Latin-1, which has no {letter!r}. Export csv.") from None


def read_tr9856(content: bytes, named: Named) -> list[Given]:
    """The votes in ``TermRelatednessResults.csv``, of labelers 1 to 22.

    Raises:
        UnusableExchange: it is no such table, or has other pairs than the project.
    """
    judgements = []
    seen: Counter[tuple[object, ...]] = Counter()
    try:
        for row, votes in table_votes(shipped()["tr9856"], Path("TermRelatednessResults.csv"), content):
            pair = (str(row.left), str(row.right), str(row.topic or ""))
            # Some pairs are in a topic twice.
            item = named.by_sides(f"line {row.line}", *pair, before=seen[pair])
            seen[pair] += 1
            for labeler, vote in enumerate(votes, start=1):
                if vote is not None:
                    answer = named.answer(f"line {row.line}", item, Answer(float(vote)))
                    judgements.append(Given(f"labeler {labeler}", item, answer))
    except BenchmarkError as error:
        raise UnusableExchange(str(error)) from None
    return judgements


def bird(project: Project, agreement: FileAgreement, items: Sequence[ProjectItem]) -> bytes:
    """As ``BiRD.txt``: pairs of terms by tabs, with the score. What is not known of them is left empty."""
    header = ("pair", "term1", "term2", "term2: unigram or bigram", "source", "relation")
    rows = []
    for left, right, group, score in _sides(project, agreement, items):
        words = {1: "unigram", 2: "bigram"}.get(len(right.split()), "")
        rows.append((f"({left}, {right})", left, right, words, group, "None", score, ""))
    return _written((*header, "relatedness score", "pos"), rows, "\t")


def zesch_gurevych(project: Project, agreement: FileAgreement, items: Sequence[ProjectItem]) -> bytes:
    """As ``wortpaare222.gold.pos.txt``: words, the mean, their parts of speech, by colons.

    The parts are the group of a pair, as ``n-v``.

    Raises:
        BadProject: a word has a colon.
    """
    rows = []
    for left, right, group, score in _sides(project, agreement, items):
        if ":" in left + right:
            raise BadProject(f"{left!r} or {right!r} has a colon, which parts columns there. Export csv.")
        first, _, second = group.partition("-")
        rows.append((left, right, score, first, second))
    return _written(("#WORD1", "WORD2", "GOLDSTANDARD", "POS1", "POS2"), rows, ":")


def _scored(
    project: Project, agreement: FileAgreement, items: Sequence[ProjectItem]
) -> Iterable[tuple[ProjectItem, str]]:
    """The pairs that have a score, which best-worst scaling gives to others than its items."""
    if project.kind == "best-worst":
        raise BadProject("the format of WORD has pairs that were judged one by one. Export bird.")
    scores = dict(zip((item.name for item in agreement.items), agreement.scores.score.tolist(), strict=True))
    for item in items:
        if item.asked[0].name in scores and item.gold is None:
            yield item, _number(scores[item.asked[0].name])


def _sides(
    project: Project, agreement: FileAgreement, items: Sequence[ProjectItem]
) -> Iterable[tuple[str, str, str, str]]:
    """Both sides of what has a score, its group, and the score."""
    groups = {asked.name: item.group or "" for item in items for asked in item.asked}
    for item, score in zip(agreement.items, agreement.scores.score.tolist(), strict=True):
        if not item.left:
            raise BadProject("the data sets are of pairs, and terms were judged alone. Export csv.")
        yield item.left, item.right, groups.get(item.name, ""), _number(score)


def _address(project: Project, side: ItemSide) -> str:
    if side.url or not side.name:
        return side.url
    page = quote(side.name.replace(" ", "_"), safe="/:(),!")
    return f"https://{project.settings.language}.wikipedia.org/wiki/{page}"


def _number(score: float) -> str:
    return f"{score:.{_DIGITS}g}"


def _written(header: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()
