"""The pages of a synthetic wiki, a stream of the dump at a time: each from the seed and its number alone."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Final

import msgspec
import numpy as np

from benchmarks.synthetic.figures import Figures
from benchmarks.synthetic.text import running_text
from benchmarks.synthetic.titles import Numbers, Strings, namesakes, shared_name, titles

ARTICLES, REDIRECTS, DISAMBIGUATIONS, CATEGORIES = 44, 44, 4, 8
"""The pages of a stream. First pages (see ``figures``) have 1.01 redirects and 0.08 disambiguation pages an
article, Gaelic has 0.15 categories an article."""

STREAM_PAGES: Final = ARTICLES + REDIRECTS + DISAMBIGUATIONS + CATEGORIES
_TOPIC: Final = 64
"""Articles a topic."""

_ELSEWHERE: Final = 3
"""Links of an article outside its sentences: one in its box, two under "See also"."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the dump, its text XML-escaped. ``redirect``: the title of its target, or nothing."""

    title: str
    namespace: int
    text: str
    redirect: str = ""


class SyntheticWiki(msgspec.Struct, frozen=True):
    """A wiki of ``articles`` articles, and in proportion redirects, disambiguation pages and categories.

    ``text`` scales the length of the articles and what they mention, not their links. The titles of articles
    have the numbers from 0; then come redirects, categories, and pages that are linked and not there.
    """

    articles: int
    seed: int = 1
    text: float = 1.0
    figures: Figures = Figures()

    @property
    def streams(self) -> int:
        """How many streams of pages the dump has."""
        return -(-self.articles // ARTICLES)

    def pages(self, stream: int) -> list[Page]:
        """The pages of a stream, in the order of the dump."""
        random = np.random.default_rng([self.seed, stream])
        articles = self._share(stream, ARTICLES)
        found = [
            *self._article_pages(random, articles),
            *self._redirect_pages(random, self._share(stream, REDIRECTS)),
            *self._disambiguation_pages(random, self._share(stream, DISAMBIGUATIONS)),
            *self._category_pages(random, self._share(stream, CATEGORIES)),
        ]
        return [found[place] for place in random.permutation(len(found))]

    def _share(self, stream: int, pages: int) -> Numbers:
        """The numbers, among its kind, of a stream's pages of a kind of which a full stream has ``pages``."""
        return np.arange(stream * pages, min((stream + 1) * pages, self._count(pages)))

    def _count(self, pages: int) -> int:
        return -(-self.articles * pages // ARTICLES)

    def _article_pages(self, random: np.random.Generator, numbers: Numbers) -> list[Page]:
        figures = self.figures
        lengths = np.maximum(figures.words.draw(random, len(numbers)), 1)
        links = (lengths * figures.links.draw(random, len(numbers))).round().astype(np.int64)
        links = np.maximum(links, _ELSEWHERE)
        linked = _cut(self._targets(random, np.repeat(numbers, links)), links)
        slots = [self._slots(random, of_article[_ELSEWHERE:]) for of_article in linked]
        categories = figures.categories.draw(random, len(numbers)).round().astype(np.int64)
        names = titles(numbers)
        begins = np.array([f"'''{_unqualified(name)}'''" for name in names], object)
        fields = self._topic(numbers) % figures.fields
        texts = running_text(random, figures, (lengths * self.text).astype(np.int64), fields, begins, slots)
        listed = self._categories(random, categories)
        return [
            Page(name, 0, f"{_box(name, box)}{text}\n{_also(one, other)}\n{_members(of_article)}")
            for name, (box, one, other, *_), text, of_article in zip(
                names, linked, texts, listed, strict=True
            )
        ]

    def _slots(self, random: np.random.Generator, linked: list[str]) -> list[str]:
        """What stands in an article's sentences: its links, and mentions of the same titles, mixed."""
        mentions = random.poisson(len(linked) * self.figures.mentions * self.text)
        again = random.integers(0, max(len(linked), 1), mentions if linked else 0).tolist()
        chances = random.random(len(linked)).tolist()
        links = [_link(title, chance, self.figures) for title, chance in zip(linked, chances, strict=True)]
        both = links + [_unqualified(linked[place]) for place in again]
        return [both[place] for place in random.permutation(len(both)).tolist()]

    def _redirect_pages(self, random: np.random.Generator, numbers: Numbers) -> list[Page]:
        targets = self._popular(random, len(numbers))
        chained = random.random(len(numbers)) < self.figures.redirects_to_redirects
        others = self.articles + random.integers(0, self._count(REDIRECTS), len(numbers))
        pairs = zip(titles(self.articles + numbers), titles(np.where(chained, others, targets)), strict=True)
        return [
            Page(title, 0, f"#REDIRECT [[{target}]]\n\n{{{{R from move}}}}", target)
            for title, target in pairs
        ]

    def _disambiguation_pages(self, random: np.random.Generator, numbers: Numbers) -> list[Page]:
        pages = []
        for group in numbers.tolist():
            members = [number for number in namesakes(group) if number < self.articles]
            senses = titles(np.array([*members, *self._popular(random, 2)]))
            lines = "".join(f"* [[{sense}]], {sense.lower()}\n" for sense in senses)
            name = shared_name(group)
            text = f"'''{name}''' may refer to:\n{lines}\n{{{{disambiguation}}}}"
            pages.append(Page(name if group % 2 else f"{name} (disambiguation)", 0, text))
        return pages

    def _category_pages(self, random: np.random.Generator, numbers: Numbers) -> list[Page]:
        parents = self._categories(random, np.ones(len(numbers), np.int64))
        hidden = random.random(len(numbers)) < 0.1
        return [
            Page(f"Category:{name}", 14, ("__HIDDENCAT__\n" if hides else "") + _members(above))
            for name, above, hides in zip(self._category_names(numbers), parents, hidden, strict=True)
        ]

    def _category_names(self, numbers: Numbers) -> Strings:
        return titles(self.articles + self._count(REDIRECTS) + numbers)

    def _categories(self, random: np.random.Generator, counts: Numbers) -> list[list[str]]:
        """The names of so many categories for each of some pages."""
        among = self._count(CATEGORIES)
        drawn = self.figures.category_popularity.draw(random, int(counts.sum())) * among
        return _cut(self._category_names(drawn.astype(np.int64)), counts)

    def _targets(self, random: np.random.Generator, sources: Numbers) -> Strings:
        """What links from some articles lead to: titles of articles, redirects and missing pages."""
        figures, count = self.figures, len(sources)
        redirects = self._count(REDIRECTS)
        known = self.articles + redirects + self._count(CATEGORIES)
        chance = random.random(count)
        missing = known + random.integers(0, self.articles, count)
        to_redirect = self.articles + random.integers(0, redirects, count)
        numbers = np.where(
            chance < figures.links_to_nothing,
            missing,
            np.where(
                chance < figures.links_to_nothing + figures.links_to_redirects,
                to_redirect,
                self._near(random, sources),
            ),
        )
        different, places = np.unique(numbers, return_inverse=True)
        return titles(different)[places]

    def _near(self, random: np.random.Generator, sources: Numbers) -> Numbers:
        """Articles for some articles to link or mention: of their own topic, or of the whole wiki."""
        topics, topic = self._topics(), self._topic(sources)
        size = (self.articles - topic - 1) // topics + 1
        member = (self.figures.popularity.draw(random, len(sources)) * size).astype(np.int64)
        near = random.random(len(sources)) < self.figures.near
        return np.where(near, self._number(topic + topics * member), self._popular(random, len(sources)))

    def _topics(self) -> int:
        return max(1, self.articles // _TOPIC)

    def _topic(self, numbers: Numbers) -> Numbers:
        """The topics of some articles."""
        # Topics share the ranks of popularity evenly, so that both kinds of links favour the same articles.
        return self._rank(numbers) % self._topics()

    def _popular(self, random: np.random.Generator, count: int) -> Numbers:
        ranks = self.figures.popularity.draw(random, count) * self.articles
        return self._number(ranks.astype(np.int64))

    def _number(self, ranks: Numbers) -> Numbers:
        """The articles with some ranks of popularity, which fall on the numbers without order."""
        return ranks * self._step() % self.articles

    def _rank(self, numbers: Numbers) -> Numbers:
        return numbers * pow(self._step(), -1, self.articles) % self.articles

    def _step(self) -> int:
        """A number without common factors with the number of articles, near the golden section of it."""
        step = max(1, round(self.articles * 0.618))
        while gcd(step, self.articles) > 1:
            step += 1
        return step


def _cut(values: Strings, counts: Numbers) -> list[list[str]]:
    """Values in pieces of some sizes."""
    ends = np.cumsum(counts)
    flat = values.tolist()
    return [flat[start:end] for start, end in zip((ends - counts).tolist(), ends.tolist(), strict=True)]


def _unqualified(title: str) -> str:
    return title.partition(" (")[0]


def _link(title: str, chance: float, figures: Figures) -> str:
    """A link to a title: with its own words, in another case, or in other words."""
    if chance < figures.other_words:
        name = _unqualified(title)
        last = name.rpartition(" ")[2]
        anchor = name if name != title else f"{last.lower()}s" if last == name else last
        return f"[[{title}|{anchor}]]"
    if chance < figures.other_words + figures.other_case:
        return f"[[{title[0].lower()}{title[1:]}]]"
    return f"[[{title}]]"


def _box(title: str, linked: str) -> str:
    return (
        "{{Use dmy dates|date=May 2015}}\n{{Infobox thing\n"
        f"| name = {title}\n| image = {title}.jpg\n| kind = [[{linked}]]\n| area = {len(title)}\n}}}}\n"
    )


def _also(one: str, other: str) -> str:
    return f"== See also ==\n* [[{one}]]\n* [[{other}]]\n"


def _members(categories: list[str]) -> str:
    return "".join(f"[[Category:{name}]]\n" for name in categories)
