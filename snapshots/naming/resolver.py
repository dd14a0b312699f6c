"""From what people write to a concept: titles, redirects, page ids and URLs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import marisa_trie
import msgspec

from snapshots.errors import NotASnapshot
from snapshots.manifest import MANIFEST
from snapshots.mutual_links import mutual_links
from snapshots.naming.alias_doubts import AliasDoubts
from snapshots.naming.alias_use import AliasUse, lists_meanings
from snapshots.naming.aliases import CERTAIN, Aliases, AliasSense
from snapshots.naming.article_cache import REMEMBERED, ArticleCache
from snapshots.naming.by_letters import with_letters_of
from snapshots.naming.common_nouns import CommonNouns
from snapshots.naming.given_names import is_given_name
from snapshots.naming.hits import SearchHit
from snapshots.naming.inflected import Inflected
from snapshots.naming.initials import of_abbreviated, placed_in
from snapshots.naming.names import ARTICLE, FILE, RECORD, REDIRECT, Names
from snapshots.naming.own_words import OwnWords
from snapshots.naming.resolution import Resolution, WantedHelp
from snapshots.naming.search import TitleSearch
from snapshots.naming.suggesting import as_typed, signed_letter, unknown, with_letter
from snapshots.naming.twins import Twins
from snapshots.page_ids import PageIds
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable
from wiki.folding import fold
from wiki.inflections import BARE, PLURALS, SINGULARS
from wiki.punctuation import otherwise_signed
from wiki.siteinfo import Siteinfo
from wiki.spellings import fuller, otherwise_written, shortened
from wiki.titles import TitleRules, is_overlong, read_url, target_of, title_rules

SUGGESTIONS = 5
CANDIDATES = 20
"""The most titles that are shown instead of an unknown one and of an ambiguous one."""

_CATEGORY = 14
"""The namespace of categories, on every wiki."""


class Resolver:
    """Resolves references against one snapshot. Reads only; usable from several threads.

    ``articles``: looks up many that are plainly written at once.
    """

    def __init__(
        self,
        rules: TitleRules,
        titles: marisa_trie.RecordTrie,
        variants: marisa_trie.RecordTrie,
        concept_titles: StringTable,
        page_ids: PageIds,
        names: Names,
        aliases: Aliases,
        use: AliasUse | None = None,
        most_kept: int = REMEMBERED,
        own: OwnWords | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        """``use`` and ``own``: say which aliases are meant; without them, each is.

        ``snapshot``: says which articles are of one thing; without it, none are.
        """
        self._rules, self._wikis = rules, rules.siteinfo.codes
        self._titles, self._variants = titles, variants
        self._concept_titles, self._page_ids = concept_titles, page_ids
        self._names, self._aliases = names, aliases
        self._use, self._own = use, own
        self.articles = ArticleCache(rules, titles, concept_titles, page_ids, most_kept)
        language = rules.siteinfo.language
        singular, plural = SINGULARS.get(language), PLURALS.get(language)
        self._inflected = Inflected(self._article_of, concept_titles, aliases, singular, plural, use)
        self._doubts = AliasDoubts(titles, self._inflected, use, own)
        self.nouns = CommonNouns(names, concept_titles, aliases, plural)
        self._language, bare = language, BARE.get(language)
        self._twins = Twins(snapshot, self._article_of, variants, language) if snapshot else None
        mutual = partial(mutual_links, snapshot) if snapshot else None
        self._search = TitleSearch(names, variants, concept_titles, aliases, singular, bare, use, mutual)

    @classmethod
    def open(cls, snapshot: Snapshot, most_kept: int = REMEMBERED) -> Resolver:
        """The resolver of a snapshot; ``most_kept``: how many references it remembers with their articles.

        Raises:
            NotASnapshot: the manifest does not say what the wiki's titles are like.
            DamagedSnapshot: the file of names cannot be read.
        """
        try:
            siteinfo = Siteinfo.from_json(snapshot.manifest.siteinfo)
        except (KeyError, TypeError, ValueError) as error:
            raise NotASnapshot(
                f"{snapshot.folder} is not a snapshot: the siteinfo of its {MANIFEST} lacks {error}."
            ) from None
        names, aliases = Names(snapshot.folder / FILE, snapshot.concepts), Aliases.of_snapshot(snapshot)
        singular, plural = SINGULARS.get(siteinfo.language), PLURALS.get(siteinfo.language)
        return cls(
            title_rules(siteinfo),
            snapshot.trie("titles", RECORD),
            snapshot.trie("title_variants", RECORD),
            snapshot.concept_titles,
            snapshot.page_ids,
            names,
            aliases,
            AliasUse.of_snapshot(snapshot, singular, aliases) if len(aliases) else None,
            most_kept,
            OwnWords(snapshot, names, aliases, singular, plural) if len(aliases) else None,
            snapshot,
        )

    def resolve(
        self, reference: str | int, *, suggest: bool = True, candidates: bool = True, aliases: bool = True
    ) -> Resolution:
        """What ``reference`` names: a title, a Wikipedia URL or a link of wikitext (str), or a page id (int).

        A URL of another wiki names no concept of this one, even where a title here is written the same. What
        is longer than any title may be written (``wiki.titles.LONGEST_WRITTEN``) is invalid. ``suggest``:
        whether to look for titles near an unknown one, which takes some milliseconds; ``candidates``: to list
        what an ambiguous one may mean; ``aliases``: to count other names than titles and redirects, too.
        """
        if isinstance(reference, int):
            return self._by_page_id(reference)
        # Most are titles but for underscores and the first letter: one look-up then, and no parsing. What
        # cannot be printed, a surrogate or a zero among it, the trie takes for something else.
        title = self._rules.likely(reference)
        if title is not None and (records := self._titles.get(title)):
            return self._known(title, records[0], candidates)
        return self._by_text(reference, WantedHelp(suggest, candidates, aliases), absent=title)

    def resolve_many(
        self,
        references: Sequence[str | int],
        suggest: int = 0,
        candidates: int | None = None,
        aliases: bool = False,
    ) -> list[Resolution]:
        """``resolve`` for each of ``references``; one that stands several times is looked up once.

        ``suggest``: how many of the unknown ones, the first, get suggestions; ``candidates``: how many of
        the ambiguous ones get theirs, all if None; ``aliases``: as for ``resolve``, where by themselves none
        count: lists of titles, as benchmarks are, mean what has that title.
        """
        left = len(references) if candidates is None else candidates
        distinct = dict.fromkeys(references)
        known = self.articles.find(distinct)
        for reference in distinct:
            if reference not in known:
                resolution = self.resolve(
                    reference, suggest=suggest > 0, candidates=left > 0, aliases=aliases
                )
                known[reference] = resolution
                suggest -= resolution.status == "unknown"
                left -= resolution.status == "ambiguous"
        return [known[reference] for reference in references]

    @property
    def kept(self) -> int:
        """How many references it remembers."""
        return len(self.articles)

    def article(self, title: str) -> int:
        """The concept whose article has a title, written as answers write it; -1 where there is none."""
        records = self._titles.get(title)
        return records[0][1] if records and records[0][0] == ARTICLE else -1

    def _article_of(self, written: str) -> int:
        """The concept whose article has a title, which may begin with a small letter; -1 for none."""
        return self.article(self._rules.likely(written) or written)

    def senses(self, title: str, limit: int | None = CANDIDATES) -> list[int]:
        """The concepts that an ambiguous title may mean, the most linked ``limit`` of them first, or all.

        Of a name that is no page's title, those whose alias it is. ``title``: as its ``Resolution`` has it.
        """
        if title not in self._titles and (named := self.named(title)):
            return [each.concept for each in named[:limit]]
        return self._names.senses(title, limit)

    def named(self, name: str) -> list[AliasSense]:
        """The concepts whose alias ``name`` is, those with the greatest shares first.

        With them are those whose titles have it before a comma (``AliasUse.with_placed``), or in short; of
        capitals, behind a comma, too.
        """
        named = of_abbreviated(name, self._aliases.named(name), self._concept_titles)
        if not named or self._use is None:
            return named
        placed = self._titles.items(f"{name[0].upper()}{name[1:]}, ")
        short = shortened(name, self._language)
        in_short = [(title, record) for title in short for record in self._variants.get(fold(title), ())]
        behind = placed_in(
            name, lambda part: (hit.title for hit in self._search.with_words(part, CANDIDATES))
        )
        in_short += [(title, (ARTICLE, self.article(title))) for title in behind]
        return self._use.with_placed(named, [*placed, *in_short])

    def called_in_short(self, name: str, known: Sequence[int]) -> list[int]:
        """What else than several concepts of a name somebody means by it, as the beginning of its title."""
        return [] if self._own is None or len(known) < 2 else self._own.called_in_short(name, known)

    def better_known_kinds(self, name: str, title: str) -> list[str]:
        """The titles of what is better known than that of which a word is another name, and ends with it."""
        kinds = [] if self._own is None else self._own.better_known_kinds(name, self.article(title))
        return [self._concept_titles[each] for each in kinds]

    def namesakes(self, title: str) -> list[str]:
        """The titles of other articles called ``title``: spelt otherwise, firms, clubs, cities, qualified."""
        twins = [] if self._twins is None else self._twins.titles(self.article(title))
        told_apart = (other for other, _ in sorted(self._titles.items(f"{title} (")) if other.endswith(")"))
        longer = [*twins, *fuller(title, self._language), *told_apart]
        return [other for other in longer if self.article(other) >= 0 and not lists_meanings(other)]

    def behind_given_names(self, title: str) -> list[str]:
        """Titles of a given name and ``title``, which no alias is: Michael Jordan's, of Jordan."""
        known = [] if " " in title else self._names.with_words([fold(title)], CANDIDATES)
        parts = [self._concept_titles[each].split(" ") for each in known]
        called = (each for each in parts if len(each) == 2 and each[1] == title)
        return [" ".join(each) for each in called if is_given_name(each[0], self._titles)]

    def search(self, text: str, limit: int = 10) -> list[SearchHit]:
        """Concepts of which a title begins with ``text``, or nearly so; as ``TitleSearch.find``."""
        return self._search.find(text, limit)

    def spelling_out(self, letters: str) -> list[int]:
        """The concepts of much-linked titles whose words begin with some letters, the most linked first."""
        return [hit.concept for hit in self._search.spelling_out(letters)]

    def is_word(self, name: str) -> bool:
        """Whether articles write ``name`` so often as a word that it is no typing error of another."""
        return self._use is not None and self._use.is_word(name)

    def redirects(self, concept: int, limit: int) -> tuple[int, list[str]]:
        """How many titles redirect to a concept, and the first ``limit`` of them."""
        return self._names.redirect_count(concept), self._names.redirects(concept, limit)

    def category(self, title: str) -> str | None:
        """The title of a category as the wiki writes it, without its namespace; None where it can be none."""
        parsed = self._rules.parse(title, default_namespace=_CATEGORY)
        return parsed.text if parsed is not None and parsed.namespace == _CATEGORY else None

    def _by_text(self, reference: str, wanted: WantedHelp, absent: str | None = None) -> Resolution:
        """What a text names, however the title or the URL that it is is written.

        ``absent``: what has been looked up already, and is no title.
        """
        # Before anything of it is decoded or normalised, whichever way it came in.
        if is_overlong(reference):
            return Resolution("invalid")
        reference = target_of(reference)
        url = read_url(reference) if "/" in reference else None
        if url is not None and url.wiki and url.wiki not in self._wikis:
            return Resolution("unknown")
        if url is not None and url.page_id is not None:
            return self._by_page_id(url.page_id)
        title = self._rules.parse(reference if url is None else url.title)
        if title is None:
            return Resolution("invalid")
        if title.namespace != 0:
            return Resolution("unknown", title=self._rules.full(title))
        signed = signed_letter(title.text, reference) if url is None else None
        found = self._by_title(signed or title.text, wanted, absent)
        if signed is not None and wanted.suggestions and (letter := self.article(signed[0])) >= 0:
            found = with_letter(found, self._concept_titles[letter], SUGGESTIONS)
        return found if url is not None or signed is not None else as_typed(found, reference)

    def _by_page_id(self, page_id: int) -> Resolution:
        concept = self._page_ids.concept(page_id)
        if concept < 0:
            return Resolution("unknown")
        return Resolution("ok", concept, self._concept_titles[concept], page_id, "page_id")

    def _by_title(self, title: str, wanted: WantedHelp, absent: str | None) -> Resolution:
        if title != absent and (records := self._titles.get(title)):
            return self._known(title, records[0], wanted.candidates)
        if other := self._by_variant(title):
            return other
        # What has the same letters is nearer than another name: "St Louis" is a city sooner than a king.
        for spelling in otherwise_signed(title):
            if other := self._otherwise_written(spelling, wanted._replace(aliases=False)):
                return other
        if wanted.aliases and (other := self._by_other_name(title, wanted.candidates)):
            return other
        for spelling in self._spellings(title, wanted.aliases):
            if other := self._otherwise_written(spelling, wanted, but=title):
                return other
        suggested = SUGGESTIONS if wanted.suggestions else 0
        return unknown(self._search, self._use, title, suggested, self._language)

    def _spellings(self, title: str, aliases: bool) -> Iterator[str]:
        """Other ways to write a title; the last is that of the letters, however they stand together."""
        yield from otherwise_written(title, self._language if aliases else None)
        if aliases and (letters := with_letters_of(fold(title), self._variants)):
            yield letters

    def _by_variant(self, title: str) -> Resolution | None:
        """What has ``title`` for its own but for case and accents, if that is no word written otherwise."""
        records = self._variants.get(fold(title))
        if not records:
            return None
        concept = records[0][1]
        if self._use is not None and self._use.is_word_in_small_letters(title, concept):
            return None
        return self.articles.of_concept(concept, "variant")

    def _by_other_name(self, title: str, candidates: bool) -> Resolution | None:
        """What has ``title`` as an alias; or, where nothing has, what it is a plural or a singular of.

        None where there is no such concept, or where hardly anybody means it who writes ``title``.
        """
        named = self.named(title)
        if not named:
            return self._by_inflection(title, candidates)
        if self._use is None or self._use.is_one_of_several(named) or self._use.is_meant(title, named):
            return self._by_alias(title, named, candidates)
        return None

    def _otherwise_written(self, spelling: str, wanted: WantedHelp, but: str = "") -> Resolution | None:
        """What is meant by another spelling of a title, ``but``, which may be another's name; or None."""
        if records := self._titles.get(spelling):
            known = self._known(spelling, records[0], wanted.candidates)
            return msgspec.structs.replace(known, matched="variant") if known.status == "ok" else known
        if other := self._by_variant(spelling):
            return other
        another = wanted.aliases and self._doubts.is_another_name(but, self.named(spelling))
        return self._by_other_name(spelling, wanted.candidates) if wanted.aliases and not another else None

    def _by_alias(self, title: str, named: list[AliasSense], candidates: bool) -> Resolution:
        """What a title that no page has names as the alias of ``named``.

        It stands for the concept that has more than ``CERTAIN`` of the name, and is ambiguous where none has.
        """
        named = [each for each in named if not lists_meanings(self._concept_titles[each.concept])] or named
        best, *others = named
        called = [] if self._own is None else self._own.rather_called(title, best)
        if best.share <= CERTAIN or called or self._doubts.has(title, named):
            meant = dict.fromkeys((*called, *(each.concept for each in named)))
            return self._ambiguous(title, list(meant), candidates)
        found = self.articles.of_concept(self._best_known(best.concept), "alias")
        left = [(each.concept, each.share) for each in others if each.concept != found.concept]
        return msgspec.structs.replace(
            found, prior=best.share, others=tuple(left[:CANDIDATES]), alias=best.kinds
        )

    def _best_known(self, concept: int) -> int:
        return concept if self._twins is None else self._twins.best_known(concept)

    def _ambiguous(self, title: str, concepts: list[int], candidates: bool) -> Resolution:
        meant = tuple(self._concept_titles[concept] for concept in concepts[:CANDIDATES])
        return Resolution("ambiguous", title=title, candidates=meant if candidates else ())

    def _by_inflection(self, title: str, candidates: bool) -> Resolution | None:
        """The concept of whose title, or of whose name, ``title`` is the plural or the singular."""
        concept = self._inflected.concept(title)
        if concept < 0:
            return None
        best = AliasSense(concept, 1.0, ("inflected",))
        if self._own is not None and (called := self._own.rather_called(title, best)):
            return self._ambiguous(title, [*called, concept], candidates)
        resolution = self.articles.of_concept(self._best_known(concept), "alias")
        return msgspec.structs.replace(resolution, prior=1.0, alias=("inflected",))

    def _known(self, title: str, record: tuple[int, int], candidates: bool) -> Resolution:
        """What the trie of titles says of a title that it has."""
        kind, concept = record
        if kind == ARTICLE:
            return Resolution("ok", concept, title, self._page_ids[concept], "title")
        if kind == REDIRECT:
            return self.articles.of_concept(concept, "redirect")
        return self._ambiguous(title, self.senses(title) if candidates else [], candidates)
