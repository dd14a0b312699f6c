"""Surnames by themselves, and those of others."""

from __future__ import annotations

import marisa_trie
import numpy as np
import pytest

from snapshots.annotator.alias_mentions import AliasMentions
from snapshots.annotator.doubting.surnames import EVEN, GOVERNING, Surnames, meant_alone
from snapshots.annotator.names.abbreviated_names import AbbreviatedNames
from snapshots.annotator.names.false_plurals import FalsePlurals
from snapshots.annotator.names.known_names import KnownNames
from snapshots.annotator.names.numbered_titles import NumberedTitles
from snapshots.annotator.names.other_spellings import OtherSpellings
from snapshots.annotator.names.spelt import SpeltTitles
from snapshots.annotator.spotting import Spotter
from snapshots.csr import CSR
from snapshots.naming.aliases import Aliases, bits_of
from snapshots.naming.names import ARTICLE, RECORD
from snapshots.naming.resolution import AliasKind
from snapshots.naming.word_counts import WordCounts
from snapshots.strings import StringTable
from tests.support.csr import csr_of_mappings
from wiki.inflections import english_bare, english_plural, english_singular

BILL, HORATIO, PROGRAM, QUEEN, MEANT = range(5)
TITLES = ["Bill Gates", "Horatio Stone", "Gates (program)", "Queen Victoria", "Queen"]
IN_LINKS = [40, 10, 30, 20, 5]
NAMED: dict[str, dict[int, tuple[float, AliasKind]]] = {
    "gates": {BILL: (0.5, "surname"), PROGRAM: (0.3, "unqualified")},  # an excerpt: somebody is left out
    "stone": {HORATIO: (1.0, "surname")},
    "victoria": {QUEEN: (1.0, "surname")},
    "queens": {MEANT: (1.0, "inflected")},
}
SENTENCES = {"gates": 400, "stone": 100, "met": 5000, "in": 9000, "kuno": 9, "bill": 300, "victoria": 90}
ALL_SENTENCES = 100_000
STOPS = frozenset(["in", "when"])
KNOWN = dict.fromkeys(TITLES, 0.8) | {"stone": 0.25}
"""Mentions, and how often each is a link. Stone is always one to Gates (program)."""


def aliases() -> Aliases:
    trie = marisa_trie.Trie(NAMED)
    rows = [NAMED[trie.restore_key(number)] for number in range(len(trie))]
    shares = csr_of_mappings([{one: share for one, (share, _) in row.items()} for row in rows], len(TITLES))
    kinds = csr_of_mappings(
        [{one: bits_of(kind) for one, (_, kind) in row.items()} for row in rows], len(TITLES)
    )
    return Aliases(trie, shares, kinds, len(TITLES))


def counted() -> WordCounts:
    words = marisa_trie.RecordTrie("<I", [(word, (row,)) for row, word in enumerate(SENTENCES)])
    return WordCounts(words, np.array(list(SENTENCES.values())), STOPS, ALL_SENTENCES)


def titles() -> marisa_trie.RecordTrie:
    return marisa_trie.RecordTrie(RECORD, [(title, (ARTICLE, row)) for row, title in enumerate(TITLES)])


def surnames() -> Surnames:
    rules = (english_plural, english_singular)
    names = KnownNames(StringTable.of(TITLES), titles(), aliases(), counted())
    return Surnames(names, rules, english_bare, GOVERNING["en"])


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("yesterday Gates met them there", True),
        ("Gates met them there yesterday", True),
        ("When Gates met them there yesterday", True),  # a stop word that begins the sentence
        ("They ate. Gates met them there yesterday", True),
        ("yesterday Gates's house burnt down", True),
        ("yesterday gates were opened for Kuno", False),  # in small letters, as others are not
        ("yesterday GATES were opened for them", False),
        ("yesterday Kuno Gates met them there", False),
        ("Kuno Gates met them there yesterday", False),
        ("yesterday Gates Castle burnt down", False),
        ("yesterday the Gates-Kuno theorem burnt down", False),
        ("yesterday Kuno–Gates theorem burnt down", False),
        ("yesterday Kuno & Gates burnt down", False),
        ("yesterday Gates & Kuno burnt down", False),
        # Where capitals tell nothing.
        ("Gates", True),
        ("gates met them there", True),
        ("Bill Met Gates There", True),
        ("Met Kuno Gates There", False),  # a rare word
        ("they met bill gates there", False),  # a first name
        ("Gates, Bill: The Castle", False),
        ("Gates, Met: The Castle", True),
        ("met bill in the castle", False),  # itself a first name
    ],
)
def test_where_a_surname_stands_alone(text: str, alone: bool) -> None:
    word = "gates" if "gates" in text.lower() else "bill"
    start = text.lower().index(word)
    assert surnames().stands_alone(text, start, start + len(word)) is alone


@pytest.mark.parametrize(
    ("paragraphs", "others"),
    [
        (["Once they saw Horatio Gates there.", "Gates was late again."], True),
        (["Once they saw Bill Gates and Horatio Gates there.", "Gates was late again."], False),
        (["Bill Gates was there before them.", "Once they saw Horatio Gates, and Gates was late."], False),
        (["Horatio Gates was there before them.", "Gates was late again."], False),  # may be no name
        (["Once they saw Castle Gates there.", "Gates was late again."], False),
        (["Once they saw Queen Gates there.", "Gates was late again."], False),  # queens are no names
        (["They Saw Horatio Gates There.", "Gates was late again."], False),
        (["Once they saw Horatio there, and Gates."], False),
    ],
)
def test_a_surname_of_others(paragraphs: list[str], others: bool) -> None:
    chosen = [("Gates", BILL), ("Gates", PROGRAM), ("Stone", HORATIO)]
    assert surnames().are_anothers(paragraphs, chosen) == [others, False, False]


@pytest.mark.parametrize(
    ("text", "is_thing"),
    [
        ("They found the Gates boson.", True),
        ("the gates boson", True),
        ("The Gates, that they found", True),
        ("They used Kuno–Gates statistics.", True),
        ("They used Gates-Kuno statistics.", True),
        ("They found Gates there.", False),
        ("They found a post-Gates era.", False),
        ("They found the Gates-led firm.", True),
        ("They found Gates-led firms.", False),
        ("Breathe, Gates said.", False),
        ("They left the Gates administration.", False),  # which somebody leads
        ("They left the Gates administrations.", True),
        ("They left Kuno-Gates administration.", True),
    ],
)
def test_what_is_called_after_somebody(text: str, is_thing: bool) -> None:
    start = text.lower().index("gates")
    assert surnames().names_a_thing(text, start, start + 5, BILL) is is_thing
    assert not surnames().names_a_thing(text, start, start + 5, PROGRAM)


def test_text_without_surnames() -> None:
    assert surnames().are_anothers(["Once they saw Horatio Gates there."], [("Gates", PROGRAM)]) == [False]
    assert surnames().are_anothers(["Once they saw Horatio Gates there."], []) == []


def alias_mentions() -> tuple[AliasMentions, Spotter, CSR]:
    mentions = Spotter(marisa_trie.Trie([key.lower() for key in KNOWN]))
    in_links = CSR(np.concatenate([[0], np.cumsum(IN_LINKS)]), np.zeros(sum(IN_LINKS), np.int32), None, 1)
    spelt = SpeltTitles(titles())
    otherwise = OtherSpellings(mentions.trie, "en")
    made = AliasMentions(
        mentions,
        in_links,
        spelt,
        surnames(),
        otherwise,
        FalsePlurals(mentions.trie, StringTable.of(TITLES), "en"),
        AbbreviatedNames(StringTable.of(TITLES), titles(), surnames().names.aliases, in_links, "en"),
        NumberedTitles(titles(), "en"),
    )
    senses = [{PROGRAM: 1.0} for _ in KNOWN]
    return made, mentions, csr_of_mappings(senses, len(TITLES))


def rows_of(text: str) -> list[tuple[float, dict[int, float]]]:
    """What is known of each spot of a text."""
    made, mentions, senses = alias_mentions()
    keys = [mentions.trie.restore_key(number) for number in range(len(mentions.trie))]
    probabilities = np.array([{key.lower(): p for key, p in KNOWN.items()}[key] for key in keys], np.float32)
    spots = made.spots(text, mentions.spots(text), lambda _: True)
    rows = [made.row(mention, probabilities, senses) for mention in spots[:, 2].tolist()]
    tables = made.tables(spots[:, 2], probabilities, senses)
    assert tables[0].tolist() == pytest.approx([row.link_probability for row in rows])
    assert tables[1].indices.tolist() == [one for row in rows for one in row.concepts.tolist()]
    return [
        (row.link_probability, dict(zip(row.concepts.tolist(), row.shares.tolist(), strict=True)))
        for row in rows
    ]


def test_a_surname_by_itself_is_meant_more_often() -> None:
    ((probability, shares),) = rows_of("yesterday Gates met them there")
    # Whoever is left out has links, too: 70 are four fifths of all.
    likely = 87.5 / (87.5 + EVEN * 400)
    assert probability == pytest.approx(likely * (0.5 + 0.3) * 0.8, rel=1e-6)
    assert shares == pytest.approx({BILL: 0.5 / 0.8, PROGRAM: 0.3 / 0.8})
    ((less, _),) = rows_of("yesterday Kuno Gates met them there")
    assert less == pytest.approx(0.5 * 40 / 400 + 0.3 * 30 / 400, rel=1e-6)


def test_links_count_beside_those_who_have_the_name() -> None:
    ((probability, shares),) = rows_of("yesterday Stone met them there")
    alone = (1 - 0.25) * meant_alone(10, 100) * 0.8
    assert probability == pytest.approx(0.25 + alone, rel=1e-6)
    assert shares == pytest.approx({PROGRAM: 0.25 / probability, HORATIO: alone / probability})
    ((probability, shares),) = rows_of("yesterday Kuno Stone met them there")
    assert (probability, shares) == (0.25, {PROGRAM: 1.0})
