"""Rankings: seeds, each with other articles in the order in which people found them related to it."""

from __future__ import annotations

from dataclasses import dataclass

from training.errors import BadRow


@dataclass(frozen=True, slots=True)
class Ranking:
    """A seed and the articles ranked by it, the most related first; titles as the file has them."""

    seed: str
    ranked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rankings:
    """The rankings of one file, in its order. ``checksum``: BLAKE2b-256 of the file, in hex."""

    name: str
    checksum: str
    rankings: tuple[Ranking, ...]
    language: str | None = None
    title: str | None = None


def read_kore(text: str) -> tuple[Ranking, ...]:
    """The rankings of a file as KORE's authors release it (Hoffart et al. 2012).

    A line that begins with a tab holds an article; the seed that it is ranked by is the last line before it
    that does not.

    Raises:
        BadRow: an article stands before any seed, or twice under one, or a seed has fewer than two.
    """
    rankings: list[tuple[int, str, list[str]]] = []
    for line, written in enumerate(text.split("\n"), start=1):
        title = written.strip()
        if not title:
            continue
        if not written.startswith("\t"):
            rankings.append((line, title, []))
        elif not rankings:
            raise BadRow(f"line {line}: {title!r} is ranked by no seed. A seed's line begins without a tab.")
        elif title in rankings[-1][2]:
            raise BadRow(f"line {line}: {title!r} is ranked a second time by {rankings[-1][1]!r}.")
        else:
            rankings[-1][2].append(title)
    for line, seed, ranked in rankings:
        if len(ranked) < 2:
            raise BadRow(
                f"line {line}: {seed!r} ranks {len(ranked)} articles, and an order takes two. The articles "
                "of a seed stand below it, each after a tab."
            )
    return tuple(Ranking(seed, tuple(ranked)) for _, seed, ranked in rankings)
