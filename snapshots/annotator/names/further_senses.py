"""Senses that no link from a name leads to, weighed by the links to all of its senses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from snapshots.csr import CSR
from snapshots.naming.aliases import AliasSense


def weighed_by_links(
    further: Iterable[int], known: Sequence[int], in_links: CSR, least: float
) -> list[AliasSense]:
    """The ``further`` senses of a name, with their shares of the links to them and to ``known``, the others.

    Those with a share of ``least`` at least; each concept counts as one link more.
    """
    links = {concept: 1 + float(in_links.sizes(concept)) for concept in further if concept not in known}
    total = sum(links.values()) + sum(1 + float(in_links.sizes(each)) for each in known)
    return [
        AliasSense(concept, of / total, ("unqualified",))
        for concept, of in links.items()
        if of >= least * total
    ]
