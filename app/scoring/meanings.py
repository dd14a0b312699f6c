"""What an ambiguous title and a mention may mean, and how likely each sense is by itself.

The concepts are those to which links lead whose text is the name, each with its commonness as prior
(Ferragina & Scaiella 2010), and those that an article or a disambiguation page of that title names. A context
makes the senses that are near it likelier, as for free terms.
"""

from __future__ import annotations

import threading

import numpy as np

from app.scoring.choosing import PossibleSenses
from app.scoring.references import Mention
from features.terms.kept import Kept
from features.terms.senses import CANDIDATES, KEPT_SENSES, LONGEST_CONTEXT, SMOOTHING, Candidate, Senses
from measures import sense_priors
from snapshots.annotator.mentions import names_of
from snapshots.resolution import Resolution
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot

UNLINKED = SMOOTHING
"""What the senses to which no link under the name leads have of the whole prior together, where others are
linked: a disambiguation page names them, and a related other side may still speak for one of them."""


class Meanings:
    """The senses of names, over one snapshot. Safe to share between threads.

    The mention dictionary is opened when a name is first asked for: most servers are asked for titles alone.
    """

    def __init__(self, snapshot: Snapshot, resolver: Resolver) -> None:
        self._snapshot = snapshot
        self._resolver = resolver
        self._opened: Senses | None = None
        self._opening = threading.Lock()
        self._kept = Kept(self._found, KEPT_SENSES, _bytes)

    def of(self, name: str | int | Mention, resolution: Resolution) -> PossibleSenses:
        """The senses of a mention, or of an ambiguous title, of which ``resolution`` is what its text names.

        The likeliest first, ten at most; of a snapshot without a mention dictionary, those of the title.
        """
        title = resolution.title or ""
        text, context = (name.text, name.context) if isinstance(name, Mention) else (title, None)
        context = (context or "").strip()[:LONGEST_CONTEXT] or None
        return self._kept(text, context, title, resolution.status, resolution.concept)

    def _found(self, text: str, context: str | None, title: str, status: str, concept: int) -> PossibleSenses:
        dictionary = self.senses_of_terms.dictionary
        mention = dictionary.number(text)
        if mention < 0 and status == "ambiguous":
            # "Mercury (disambiguation)" is what "mercury" may mean.
            names = sorted(names_of(title, dictionary.longest), key=len)
            mention = dictionary.number(names[0]) if names else -1
        commonness = dictionary.senses(mention) if mention >= 0 else {}
        named = [concept] if status == "ok" else self._resolver.senses(title) if status == "ambiguous" else []
        concepts = list(dict.fromkeys((*commonness, *named)))
        in_links = self._snapshot.csr("in_links").sizes(np.array(concepts, np.int64))
        priors = sense_priors([commonness.get(each, 0.0) for each in concepts], in_links, UNLINKED)
        candidates = [Candidate(*sense) for sense in zip(concepts, priors.tolist(), strict=True)]
        likeliest = sorted(candidates, key=lambda sense: (-sense.prior, sense.concept))[:CANDIDATES]
        if context is not None:
            likeliest = list(self.senses_of_terms.beside(tuple(likeliest), context))
        return PossibleSenses(
            np.array([sense.concept for sense in likeliest], np.int64),
            np.array([sense.prior for sense in likeliest], np.float64),
        )

    @property
    def senses_of_terms(self) -> Senses:
        """The senses of free terms, over the same snapshot, with the mention dictionary."""
        if self._opened is None:
            with self._opening:
                if self._opened is None:
                    self._opened = Senses(self._snapshot, self._resolver)
        return self._opened


def _bytes(senses: PossibleSenses) -> int:
    """About the memory that some senses take."""
    return 300 + senses.concepts.nbytes + senses.priors.nbytes
