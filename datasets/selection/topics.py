"""Topics that terms are selected for: a TOML file that a person writes.

    [[topic]]
    definition = "The sale of violent video games to minors should be banned"
    terms = ["violent video games", "minors"]
    articles = ["Video game controversies", "Entertainment Software Rating Board"]
    leave_out = ["access to safe"]

``terms`` are those that the definition mentions. ``articles`` are the titles of the articles that are
relevant to it. ``leave_out``, which may be missing, are n-grams that nobody would understand.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from datasets.selection.errors import UnusableInput


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A topic: what is said of it, the terms in that, and the titles of its articles."""

    definition: str
    terms: list[str]
    articles: list[str]
    leave_out: list[str] = []


class _TopicsFile(msgspec.Struct, forbid_unknown_fields=True):
    topic: list[Topic]


def read_topics(path: Path) -> list[Topic]:
    """The topics of a file.

    Raises:
        UnusableInput: it is no TOML, or does not say what a topic needs.
    """
    try:
        topics = msgspec.convert(tomllib.loads(path.read_text("utf-8-sig")), _TopicsFile).topic
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise UnusableInput(
            f"{path} is no list of topics: {error}. Each is a [[topic]] with definition, terms and articles."
        ) from None
    for number, topic in enumerate(topics, start=1):
        if not (topic.terms and topic.articles and topic.definition.strip()):
            raise UnusableInput(
                f"{path}: topic {number} has no definition, no terms or no articles. Add them."
            )
    if len({topic.definition for topic in topics}) < len(topics):
        raise UnusableInput(f"{path} has two topics of the same definition. Make one of them.")
    return topics
