"""What is suggested for a name that is no concept's, or that of several: what says nearly the same, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from app.scoring.naming.meant import AMONG, LEAST_COSINE, PROPER, SURELY, Meant, MeantConcepts
from app.scoring.naming.names_in_titles import has_name, is_proper, is_told_apart_by
from app.scoring.naming.references import MentionReference, Reference
from snapshots.annotator.doubting.word_forms import WordForms
from snapshots.naming.alias_use import lists_meanings
from snapshots.naming.initials import initials
from snapshots.naming.mentions import QUALIFIER, fold
from snapshots.naming.own_words import ArticleWords
from snapshots.naming.resolution import Resolution
from snapshots.naming.resolver import SUGGESTIONS, Resolver
from snapshots.naming.spelling import is_misspelt
from snapshots.naming.word_counts import WordCounts
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language
from snapshots.text import words

MEANT = 3
"""Of the suggestions for an unknown name, how many say nearly what it says, at the most."""

BEFORE = 2
"""How many of those that have a name as a word stand before what is only about it: Mediterranean Sea, for
"Mediterranean", before Gibraltar."""

LITTLE, TIMES = 20, 5
"""Of titles that an unknown name may mean, one with fewer in-links than ``LITTLE`` stands behind one with so
many ``TIMES`` as many: Robotech behind Robotics, and Airplane! behind Aircraft."""

ALIKE, ENDING = 8, 3
"""Letters with which two forms of a word begin alike, at the least, and letters behind them, at the most:
"radioactivity", and Radioactive decay."""

_LOOKED_AT = 50
"""Of the concepts whose names have a word that begins so, how many are looked at."""


class SuggestedByMeaning:
    """Orders suggestions by what is meant. Reads only; usable from several threads."""

    def __init__(self, snapshot: Snapshot, resolver: Resolver, meant: MeantConcepts) -> None:
        """``resolver`` and ``meant``: those of the same snapshot."""
        self._snapshot, self._resolver, self._meant = snapshot, resolver, meant
        self._titles = snapshot.concept_titles
        self._articles = ArticleWords(snapshot)

    def beside(self, resolution: Resolution, reference: Reference) -> Resolution:
        """A name of no concept, or of several, with concepts that say nearly the same as suggestions.

        They stand behind a title that is spelt nearly as the name, or is the name and a qualifier, and before
        those that only begin with it. Where none says the same, those follow whose articles are about it,
        behind ``BEFORE`` that have it. The last are those that have another form of it. Beside several
        concepts that have the name, only what surely says the same is suggested, or of a word what does by
        ``AMONG``: a name in small letters, or a noun or verb with a capital, which keyboards put. For a name
        of several words in capitals, what has none of these stands behind what has one.
        """
        if resolution.title is None:
            return resolution
        several = len(resolution.candidates) > 1
        is_name = _has_capital(reference) and not self._is_word(resolution.title)
        if resolution.misspelt or several:
            least = AMONG if several and not is_name else SURELY
        else:
            least = PROPER if is_name else LEAST_COSINE
        found = self._meant.find(resolution.title, 2 * MEANT, least, not (resolution.misspelt or several))
        known = (*resolution.candidates, resolution.title)
        spelt, name = resolution.suggestions, fold(resolution.title)

        def meant(concepts: Sequence[int]) -> list[str]:
            # What only begins with the letters is near to an encoder of pieces of words: Amazonite.
            titles = [
                title
                for title, is_same in ((self._titles[each], each in found.same) for each in concepts)
                if is_same or name not in fold(title) or name in words(fold(title))
            ]
            # What a name tells apart is something else: Augusta to "Georgia".
            titles = [title for title in titles if not is_told_apart_by(name, fold(title))]
            return [title for title in titles if not lists_meanings(title) and title not in known][:MEANT]

        called = [title for title in spelt if fold(QUALIFIER.sub("", title)) == name]
        says = meant(self._heads_first(self._saying(name, found), found.cosines, least))
        # Cytosol is about cells, but whoever may choose the cell has no use for it.
        about = [] if says or resolution.candidates else meant(found.about)
        first = spelt[: int(resolution.misspelt)]
        others = [title for title in spelt if has_name(fold(title), name)][:BEFORE]
        if resolution.title.isupper():  # capitals are no word: by "LA" nobody means La Scala
            others = [title for title in others if resolution.title in title]
        kept = (*called, *first)
        titles = list(dict.fromkeys((*kept, *says, *others, *about, *spelt)))
        if not several and not about:
            # A kind of what is asked for is near to it, however few write about that: Lucid dream.
            others = [title for title in titles if title not in kept and not title.endswith(f" {name}")]
            titles.sort(key=self._hardly_known(others).__contains__)
        if is_proper(resolution.title):
            titles.sort(key=lambda title: set(words(fold(title))).isdisjoint(words(name)))
        if not (resolution.misspelt or several):
            titles = list(dict.fromkeys((*titles, *self._of_other_form(name))))
        return msgspec.structs.replace(resolution, suggestions=tuple(titles)[:SUGGESTIONS])

    def _is_word(self, name: str) -> bool:
        """Whether a name with one capital is a noun that has a plural, or a verb or an adjective, as well."""
        word = name.lower()
        if not name.isalpha() or name[1:] != word[1:] or self._forms is None:
            return False
        return self._forms.is_counted(word) or self._forms.is_own_word(word)

    @cached_property
    def _forms(self) -> WordForms | None:
        """The forms of words, opened when first asked for; None in a snapshot that cannot look words up."""
        if "words.marisa" not in self._snapshot.manifest.files:
            return None
        return WordForms(
            WordCounts.of_snapshot(self._snapshot), base_language(self._snapshot.manifest.language)
        )

    def _of_other_form(self, name: str) -> list[str]:
        """Titles with another form of a word, the most linked first.

        Articles use both forms alike, or one of those whose titles have the other writes the word often.
        """
        if not name.isalpha() or len(name) <= ALIKE:
            return []
        beginning = name[: max(ALIKE, len(name) - ENDING)]
        longest = len(beginning) + ENDING
        having: dict[str, list[int]] = {}
        for hit in self._resolver.search(beginning, _LOOKED_AT):
            for word in words(fold(QUALIFIER.sub("", hit.title))):
                if word.startswith(beginning) and word != name and len(word) <= longest:
                    having.setdefault(word, []).append(hit.concept)
        links = {
            title: self._links(title)
            for form, concepts in having.items()
            if self._articles.is_used_as(name, [form])
            or any(self._articles.place(name, concept) >= 0 for concept in concepts)
            for title in map(self._titles.__getitem__, concepts)
        }
        much = [title for title in links if links[title] >= LITTLE]
        return sorted(much, key=lambda title: -links[title])[:BEFORE]

    def _hardly_known(self, titles: Sequence[str]) -> set[str]:
        """Those of some titles that hardly any article links to, where many link to another of them."""
        links = {title: self._links(title) for title in titles}
        most = max(links.values(), default=0)
        return {title for title, of in links.items() if of < LITTLE and TIMES * (of + 1) <= most + 1}

    def _saying(self, name: str, found: Meant) -> list[int]:
        """Of what is near to a name, what may say the same: of titles that are no common nouns, the nearer.

        What is of the same kind is as near, Lviv to "kyiv"; where that is, so is what is farther. But the
        article on Ho Chi Minh City writes "saigon", and "goteborg" has nearly the letters of what it means.
        """
        cosines = {each: found.cosines.get(each, 1.0) for each in found.says}
        proper = [
            each
            for each, cosine in cosines.items()
            if cosine < PROPER and each not in found.writing and not self._resolver.nouns.has(each)
            if name not in initials(title := fold(self._titles[each])) and not is_misspelt(title, name, 2)
        ]
        least = max((cosines[each] for each in proper), default=0.0)
        return [each for each, cosine in cosines.items() if cosine >= PROPER or cosine > least]

    def _heads_first(
        self, concepts: Sequence[int], cosines: Mapping[int, float], least: float
    ) -> Sequence[int]:
        """Concepts with those in front of them that a word of their titles names, if these are as near.

        "Cinema" is Movie, which is also called "film", sooner than Film theory.
        """
        ordered: dict[int, None] = {}
        for concept in concepts:
            parts = words(fold(self._titles[concept]))
            for word in parts if len(parts) > 1 else ():
                head = self._resolver.resolve(word, suggest=False, candidates=False).concept
                if cosines.get(head, 0.0) >= max(least, cosines.get(concept, 1.0)):
                    ordered[head] = None
            ordered[concept] = None
        return list(ordered)

    def _links(self, title: str) -> int:
        """How many articles link to that of a title, or of a redirect."""
        concept = self._resolver.resolve(title, suggest=False, candidates=False, aliases=False).concept
        return int(self._snapshot.csr("in_links").sizes(concept)) if concept >= 0 else 0


def _has_capital(reference: Reference) -> bool:
    """Whether a reference is written with a capital in front, as names are."""
    text = reference.text if isinstance(reference, MentionReference) else reference
    return isinstance(text, str) and text.strip()[:1].isupper()
