"""Running text of many articles at once: words, sentences and paragraphs, with links and mentions in them."""

from __future__ import annotations

from typing import Final

import numpy as np

from benchmarks.synthetic.figures import Figures
from benchmarks.synthetic.titles import STOP_WORDS, Numbers, Strings, scattered, words

_REFERENCES: Final = 200
_ALIKE: Final = 32
"""So many words with consecutive numbers are taken to be equally frequent."""

_TITLE_WORDS: Final = 1
"""About how many words a link or a mention has more than the one in whose place it stands."""


def running_text(
    random: np.random.Generator,
    figures: Figures,
    lengths: Numbers,
    fields: Numbers,
    starts: Strings,
    slots: list[list[str]],
) -> list[str]:
    """The wikitext of some articles.

    ``lengths``: how many words each has; ``fields``: the number of the field that each is about; ``starts``:
    what each begins with; ``slots``: what stands within its sentences, in order and spread evenly: links, and
    mentions that are none.
    """
    filled = np.array([len(of_article) for of_article in slots])
    sizes = np.maximum(lengths - _TITLE_WORDS * filled, filled + filled // 4 + 8)
    first = np.cumsum(sizes) - sizes
    total = int(sizes.sum())
    owner = np.repeat(first, sizes)
    drawn = _of_fields(random, figures, figures.frequencies.draw(random, total), np.repeat(fields, sizes))
    # A word that comes back keeps the frequencies as they are, since the earlier one was drawn by them.
    earlier = owner + (random.random(total) * (np.arange(total) - owner)).astype(np.int64)
    tokens = words(np.where(random.random(total) < figures.returning, drawn[earlier], drawn), spaced=True)

    # What stands in a slot counts as one word here, and sentences are so much shorter before it is filled in.
    ends = _ends(random, figures, total, first, 1 / (1 + _TITLE_WORDS * filled.sum() / total))
    begins = np.append(0, ends[:-1] + 1)
    tokens[begins] = [word.capitalize() for word in tokens[begins]]
    tokens[_places(random, first, sizes, filled)] = [
        f"{text} " for of_article in slots for text in of_article
    ]
    tokens[first] = starts + " "
    behind = _sentence_ends(random, figures, len(ends))
    behind[np.searchsorted(ends, first + sizes - 1)] = ".\n"
    tokens[ends] = [word[:-1] + end for word, end in zip(tokens[ends], behind, strict=True)]
    flat = tokens.tolist()
    return [
        "".join(flat[start : start + size])
        for start, size in zip(first.tolist(), sizes.tolist(), strict=True)
    ]


def _of_fields(random: np.random.Generator, figures: Figures, drawn: Numbers, fields: Numbers) -> Numbers:
    """Words with many of them replaced by the one that their field prefers among as frequent ones."""
    group = drawn // _ALIKE
    preferred = group * _ALIKE + scattered(group * figures.fields + fields, 5) % _ALIKE
    special = (group * _ALIKE >= len(STOP_WORDS)) & (random.random(len(drawn)) < figures.special)
    return np.where(special, preferred, drawn)


def _places(random: np.random.Generator, first: Numbers, sizes: Numbers, filled: Numbers) -> Numbers:
    """Where the slots are: each somewhere in its equal part of the article, and never on the first word."""
    within: Numbers = np.arange(int(filled.sum())) - np.repeat(np.cumsum(filled) - filled, filled)
    room: Numbers = np.repeat((sizes - 1) // np.maximum(filled, 1), filled)
    shifted: Numbers = (random.random(len(room)) * room).astype(np.int64)
    return np.repeat(first, filled) + 1 + within * room + shifted


def _ends(random: np.random.Generator, figures: Figures, total: int, first: Numbers, scale: float) -> Numbers:
    """The last words of all sentences, ascending, the articles' last words among them."""
    found = [first[1:] - 1, np.array([total - 1])]
    reached = -1
    while reached < total:
        lengths = np.maximum((figures.sentence.draw(random, total // 10 + 8) * scale).round(), 1).astype(
            np.int64
        )
        ends = reached + np.cumsum(lengths)
        found.append(ends[ends < total])
        reached = int(ends[-1])
    return np.unique(np.concatenate(found))


def _sentence_ends(random: np.random.Generator, figures: Figures, count: int) -> Strings:
    """What stands behind sentences: a full stop, a reference, the end of a paragraph, the next heading."""
    ends = np.full(count, ". ", object)
    sentence = float(np.mean(figures.sentence.draw(random, 1_000)))
    referenced = np.flatnonzero(random.random(count) < figures.references * sentence)
    ends[referenced] = _references(random, figures)[random.integers(0, _REFERENCES, len(referenced))]
    lengths = np.maximum(figures.paragraph.draw(random, count).round(), 1).astype(np.int64)
    last = np.cumsum(lengths) - 1
    last = last[last < count]
    ends[last] = [end.rstrip() + "\n\n" for end in ends[last]]
    mean = sentence * count / max(len(last), 1)
    headed = last[random.random(len(last)) < figures.sections * mean]
    names = words(figures.frequencies.draw(random, 2 * len(headed)))
    for place, one, other in zip(headed.tolist(), names[0::2], names[1::2], strict=True):
        ends[place] += f"== {one.capitalize()} {other} ==\n"
    return ends


def _references(random: np.random.Generator, figures: Figures) -> Strings:
    """References with a citation, XML-escaped, behind a full stop."""
    names = words(figures.frequencies.draw(random, 8 * _REFERENCES)).reshape(_REFERENCES, 8)
    years, pages = random.integers(1850, 2024, _REFERENCES), random.integers(1, 600, _REFERENCES)
    made = np.empty(_REFERENCES, object)
    for place, (name, year, page) in enumerate(zip(names, years.tolist(), pages.tolist(), strict=True)):
        title = " ".join(name[2:])
        made[place] = (
            f".&lt;ref&gt;{{{{cite book |last={name[0].capitalize()} |first={name[1].capitalize()} "
            f"|title={title.capitalize()} |year={year} |page={page}}}}}&lt;/ref&gt; "
        )
    return made
