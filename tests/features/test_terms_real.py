"""Terms on a real wiki of a small language: what its anchors leave open, a context decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from features.terms.extract import TermExtractor, TermPair
from snapshots.naming.resolver import Resolver
from tests.snapshots.test_real_wikis import built

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]


def test_a_context_chooses_a_sense_on_the_latgalian_wikipedia(data_dir: Path, tmp_path: Path) -> None:
    snapshot = built(data_dir / "wiki" / "ltgwiki-20170901-pages-articles.xml.bz2", tmp_path / "ltg")
    extractor = TermExtractor.open(snapshot, Resolver.open(snapshot))

    def sense(term: str, context: str | None) -> str | None:
        chosen, _ = extractor.senses(TermPair(term, "Latgola", context))
        return None if chosen is None else chosen.title

    # A lake, and the river (upe) that leaves it; a district (nūvods) has its name as well.
    assert sense("rēzne", None) == "Rēzne"
    assert sense("rēzne", "upe") == "Rēzne (upe)"
    assert sense("rēznis", None) == "Rēzne"
    assert sense("rēznis", "nūvods") == "Rēznis nūvods"
    # An island state, and a village in a parish (pogosts) of the same name.
    assert sense("malta", None) == "Malta"
    assert sense("malta", "pogosts") == "Malta (Maltys pogosts)"
    # The sense changes the features.
    pairs = [TermPair("malta", "Latgola", context) for context in (None, "pogosts")]
    without, with_context = extractor.extract(pairs)
    assert (without != with_context).any()
