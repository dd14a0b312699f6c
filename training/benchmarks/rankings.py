"""Rankings: seeds, each with other articles in the order in which people found them related to it."""

from __future__ import annotations

from training.benchmarks.judgements import Judgement
from training.errors import BadRow


def read_kore(text: str) -> tuple[Judgement, ...]:
    """The rankings of a file as KORE's authors release it (Hoffart et al. 2012), each seed with each article.

    A line that begins with a tab holds an article; the seed that it is ranked by, which is its topic, is the
    last line before it that does not. The score counts down from the top of the list: its size, then one less
    a place. Only its order is used.

    Raises:
        BadRow: an article stands before any seed, or twice under one, or a seed has fewer than two.
    """
    rankings: list[tuple[int, str, dict[str, int]]] = []
    for line, written in enumerate(text.split("\n"), start=1):
        title = written.strip()
        if not title:
            continue
        if not written.startswith("\t"):
            rankings.append((line, title, {}))
        elif not rankings:
            raise BadRow(f"line {line}: {title!r} is ranked by no seed. A seed's line begins without a tab.")
        elif title in rankings[-1][2]:
            raise BadRow(f"line {line}: {title!r} is ranked a second time by {rankings[-1][1]!r}.")
        else:
            rankings[-1][2][title] = line
    for line, seed, ranked in rankings:
        if len(ranked) < 2:
            raise BadRow(
                f"line {line}: {seed!r} ranks {len(ranked)} articles, and an order takes two. The articles "
                "of a seed stand below it, each after a tab."
            )
    return tuple(
        Judgement(seed, article, float(len(ranked) - place), seed, line)
        for _, seed, ranked in rankings
        for place, (article, line) in enumerate(ranked.items())
    )
