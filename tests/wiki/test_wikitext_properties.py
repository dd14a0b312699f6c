"""What holds for every text: no error, every mention where it is said to be, time linear in the length."""

from time import thread_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.patience import least
from tests.wiki.test_wikitext_cases import rules_of
from wiki.page import ParsedPage
from wiki.titles import TitleRules
from wiki.wikitext import parse

ENGLISH = rules_of("en")
CHINESE = rules_of("zh")
SIZE = 200_000  # characters of a hostile text
COSTLY = 40  # times what a text of links takes: 9.5 at most as measured, thousands if a pass is quadratic

FRAGMENTS = (
    *("[[", "]]", "{{", "}}", "{{{", "}}}", "{", "}", "[", "]", "|", "{|", "|}", "\n{|", "\n|}", "{{!}}"),
    *("''", "'''", "'", "'''''", "==", "\n=", "\n= =\n", "\n* ", "\n:", "\n", " ", "  ", "\t", "\u00a0"),
    *("<ref>", "</ref>", "<ref/>", "<ref ", "<!--", "-->", "<nowiki>", "</nowiki>", "<nowiki/>", "<", ">"),
    *("<gallery>", "\na|b c\n", "</gallery>", "<includeonly>", "</includeonly>", "<table>", "</table>"),
    *("<br>", "<h2>", "</h2>", "<pre>", "</pre>", "&amp;", "&#91;", "&#xd800;", "&", "&nbsp;", "__NOTOC__"),
    *(
        "[[File:a|",
        "[[File:a|b c",
        "[[Category:",
        "[[de:",
        "[[:",
        "[[a|",
        "[[a]]",
        "[[a b|c]]d",
        "#",
        "(",
        ")",
    ),
    *("[http://a.b ", "-{", "}-", "-{a:", ";", ":", "a", "é", "中", "x y", "\x00", "\x01", "\x02", "\x03"),
    *("{{#if:", "{{a|", "({{b}})", "\ud800", "\u200e", "(x)|]]", "<poem>", "//", "__"),
)
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join))


def places(page: ParsedPage) -> list[tuple[str, str]]:
    """Each link's anchor, and what stands where the anchor is said to be."""
    return [
        (link.anchor, page.paragraphs[link.paragraph][link.start : link.start + len(link.anchor)])
        for link in page.links
        if link.paragraph != -1
    ]


@given(TEXTS)
@example("[[a|&nbsp;b]]  [[c| &#32; ]] [[File:x|a b\n[[d|\n e]]]]f")
@example("a  [[b]]  [[Category:c]]  [[d | e ]] [[f|'''g]]")
@example("[[a|\x01{{b}}]]c ({{d}}) [[e|(]]{{f}})")
def test_links_stand_where_they_are_said_to(text: str) -> None:
    for rules in (ENGLISH, CHINESE):
        page = parse(text, rules)
        assert all(anchor == found for anchor, found in places(page))
        for link in page.links:
            assert link.target == rules.normalize(link.target)
            assert (link.paragraph == -1) == (link.start == -1)
            assert -1 <= link.paragraph < len(page.paragraphs)


@given(TEXTS)
@example("{{a}}  &#32; b&#10;c [[d]]\u2003e")
@example("a\tb\u3000\u3000c [[d|\x0be]]\x85 f\x1c[[]]\u2028 g")
def test_paragraphs_are_clean(text: str) -> None:
    page = parse(text, ENGLISH)
    for paragraph in page.paragraphs:
        assert paragraph == " ".join(paragraph.split()) != ""
        assert not {"\x01", "\x02", "\x03"} & set(paragraph)
    for link in page.links:
        assert link.anchor == " ".join(link.anchor.split())


@given(TEXTS)
def test_lines_are_read_one_by_one(first: str) -> None:
    """After a heading, a line is read the same whatever stands before, templates and tags left aside."""
    plain = "\n== x ==\nThe [[mouse]] and its [[Tail|tail]]s."
    alone = parse(plain, ENGLISH)
    both = parse(first.replace("{", "").replace("<", "") + plain, ENGLISH)
    assert both.paragraphs[-1] == alone.paragraphs[0]
    assert [(x.target, x.anchor, x.start) for x in both.links if x.paragraph == len(both.paragraphs) - 1] == [
        (x.target, x.anchor, x.start) for x in alone.links
    ]


def seconds(fragment: str, rules: TitleRules) -> float:
    """The processor time that a text of one fragment takes: a busy machine slows it, but not by much."""
    text = fragment * (SIZE // len(fragment))
    begun = thread_time()
    parse(text, rules)
    return thread_time() - begun


def cost(fragment: str, rules: TitleRules) -> float:
    """How many times longer it takes than a text of links, measured again where it seems slow."""
    return least(lambda: seconds(fragment, rules) / seconds("[[a b|c]]d", rules), COSTLY)


@pytest.mark.slow
@pytest.mark.parametrize("tail", ["", "\n"])
def test_no_fragment_makes_it_slow(tail: str) -> None:
    for fragment in FRAGMENTS:
        page = parse((fragment + tail) * (SIZE // len(fragment + tail)), ENGLISH)
        assert all(anchor == found for anchor, found in places(page))
        assert cost(fragment + tail, ENGLISH) < COSTLY, fragment


@pytest.mark.parametrize(
    "fragment",
    [
        "[[File:a|{{",
        "[[a|[",
        "[[a|[b][",
        "{{a|[[File:b|",
        "[[File:a|b c [[",
        "\n|}[[File:a|",
        "<ref>{{a|",
        "\n{|[[File:a|x y\n",
        "({{a}}{{a}}",
        "''''' '' ",
        "[[a|b\n",
        "[http://a [[b]]",
        "<gallery>\na|b c</gallery>|}[[File:a|{{",
        "-{a;[[",
        "[[a (",
    ],
)
def test_no_combination_makes_it_slow(fragment: str) -> None:
    for rules in (ENGLISH, CHINESE):
        assert cost(fragment, rules) < COSTLY
