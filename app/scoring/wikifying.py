"""Terms and texts to concepts, as IBM's Term Wikifier answers: a term as a whole, if it is one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.scoring.annotating import TextAnnotator
from app.scoring.terms import LONGEST_TERM
from snapshots.annotator import Annotation
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from wort.schemas.debater import WikifiedMention


class Wikifier:
    """The concepts of terms and texts, over one snapshot. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, resolver: Resolver, annotator: TextAnnotator) -> None:
        self._snapshot = snapshot
        self._resolver = resolver
        self._annotator = annotator

    def titled(self, text: str) -> WikifiedMention | None:
        """The whole of ``text``, where it is an article's title or leads to one; else None."""
        term = text.strip()
        if not term or len(term) > LONGEST_TERM:
            return None
        resolved = self._resolver.resolve(term, suggest=False, candidates=False)
        start = text.index(term)
        return (
            self._mention(text, start, start + len(term), resolved.concept) if resolved.concept >= 0 else None
        )

    def concepts(self, titles: Sequence[str]) -> list[int]:
        """The concepts that ``titles`` lead to, each once; titles that lead to none are passed over."""
        resolutions = self._resolver.resolve_many(titles, suggest=0, candidates=0)
        return list(dict.fromkeys(one.concept for one in resolutions if one.concept >= 0))

    def wikified(self, text: str, context: Sequence[int] = ()) -> list[WikifiedMention]:
        """The mentions of a short ``text``; ``context``: ids of concepts that help to choose their senses.

        A text that as a whole is a title, or a mention in the dictionary, is one mention, however often it is
        no link elsewhere: whoever asks for a term has a concept in mind. Other texts are annotated.
        """
        whole = self.titled(text)
        if whole is not None:
            return [whole]
        annotations = self._annotator.found([(0, text)], context, minimum_rho=0.0)
        if len(annotations) != 1 or text[annotations[0].start : annotations[0].end] != text.strip():
            annotations = [one for one in annotations if one.rho >= self._annotator.minimum_rho]
        return self.mentions(text, annotations)

    def mentions(self, text: str, annotations: Sequence[Annotation]) -> list[WikifiedMention]:
        """The annotations of ``text`` as a response has them."""
        return [self._mention(text, one.start, one.end, one.concept) for one in annotations]

    def _mention(self, text: str, start: int, end: int, concept: int) -> WikifiedMention:
        in_links = int(self._snapshot.csr("in_links").sizes(np.int64(concept)))
        title = self._snapshot.concept_titles[concept]
        return WikifiedMention(start, end, text[start:end], title, in_links)
