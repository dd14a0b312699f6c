"""Title normalisation: shapes met in real wikitext, and what holds for every string."""

from __future__ import annotations

import pickle
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wiki.folding import fold
from wiki.prefixes import LANGUAGE_CODES, PROJECT_PREFIXES
from wiki.siteinfo import CASE_SENSITIVE, FIRST_LETTER, Namespace, Siteinfo
from wiki.titles import Address, Title, TitleRules, read_url, title_rules


def rules(language: str, *namespaces: tuple[int, str], case: str = FIRST_LETTER) -> TitleRules:
    declared = (Namespace(0, "", case), *(Namespace(key, name, case) for key, name in namespaces))
    return TitleRules(Siteinfo("Wikipedia", f"{language}wiki", language, case, declared))


ENGLISH = rules(
    "en",
    *((-1, "Special"), (1, "Talk"), (2, "User"), (3, "User talk"), (4, "Wikipedia"), (6, "File")),
    *((10, "Template"), (14, "Category"), (100, "Portal")),
)
LATGALIAN = rules(
    "ltg", (2, "Lītuotuojs"), (4, "Vikipedeja"), (6, "Fails"), (10, "Taiss"), (14, "Kategoreja")
)
TURKISH = rules("tr", (6, "Dosya"), (14, "Kategori"))
GEORGIAN = rules("ka", (14, "კატეგორია"))
DICTIONARY = rules("en", (14, "Category"), case=CASE_SENSITIVE)
ALL_RULES = [ENGLISH, LATGALIAN, TURKISH, GEORGIAN, DICTIONARY]


def parsed(wiki: TitleRules, raw: str) -> Title:
    title = wiki.parse(raw)
    assert title is not None
    return title


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("Anarchism", "Anarchism"),
        ("anarchism", "Anarchism"),
        ("  political__philosophy ", "Political philosophy"),
        ("Political\u00a0philosophy", "Political philosophy"),
        ("political&nbsp;philosophy", "Political philosophy"),
        ("AT&amp;T", "AT&T"),
        ("AT&T", "AT&T"),
        ("Caf&eacute;", "Café"),
        ("Caf&#233;", "Café"),
        ("Caf&#xE9;", "Café"),
        ("Cafe\u0301", "Café"),
        ("Caf%C3%A9", "Café"),
        ("C%2B%2B", "C++"),
        ("Foo+bar", "Foo+bar"),
        ("100% pure", "100% pure"),
        ("\u200eLeft\u202e to right\u200f", "Left to right"),
        ("Zero\u200cwidth", "Zero\u200cwidth"),
        ("Atheism#History", "Atheism"),
        ("Atheism # History: early", "Atheism"),
        (":Atheism", "Atheism"),
        (": atheism", "Atheism"),
        ("2001: A Space Odyssey", "2001: A Space Odyssey"),
        ("Mission: Impossible", "Mission: Impossible"),
        ("ATP:binding", "ATP:binding"),
        ("Foo :bar", "Foo :bar"),
        ("Colon:", "Colon:"),
        ("ß", "ß"),
        ("ǆ", "Ǆ"),
        ("éclair", "Éclair"),
        ("\u00e0 la carte", "À la carte"),
        ("iPod", "IPod"),
        ("???", "???"),
        ("...And Justice for All", "...And Justice for All"),
        ("AC/DC", "AC/DC"),
        ("\\", "\\"),
    ],
)
def test_article_titles(raw: str, normal: str) -> None:
    assert ENGLISH.normalize(raw) == normal
    assert parsed(ENGLISH, raw).namespace == 0


@pytest.mark.parametrize(
    "raw",
    [
        *("", " ", "_", ":", "::Foo", "#History", ":#History", "Category:", "Category: #x", "File:_"),
        *("a<b", "a>b", "a[b", "a]b", "a{b", "a|b", "a}b", "a\x00b", "a\x7fb", "a\ufffdb", "\ud800"),
        *("&lt;ref&gt;", "&#0;", "&#xD800;", "&#9999999;", "a&bogus;b", "a&amp;amp;b", "100%2541", "%FF"),
        *(".", "..", "./a", "../a", "a/./b", "a/../b", "a/.", "a/..", "sign ~~~~"),
        *("x" * 256, "é" * 128, "Category:" + "x" * 256),
        *("de:Atheismus", ":de:Atheismus", "DE : Atheismus", "be-x-old:Foo", "simple:Foo", "en:Foo"),
        *("wikt:atheism", "Commons:Foo", "s:Foo", "d:Q7066", "meta:Foo", "w:de:Foo"),
    ],
)
def test_what_is_no_title_here(raw: str) -> None:
    assert ENGLISH.parse(raw) is None
    assert ENGLISH.normalize(raw) == ""


def test_titles_up_to_the_limit_are_titles() -> None:
    assert ENGLISH.normalize("X" * 255) == "X" * 255
    assert ENGLISH.normalize("É" * 127) == "É" * 127
    assert ENGLISH.normalize("Category:" + "X" * 255) == "Category:" + "X" * 255


@pytest.mark.parametrize(
    ("raw", "namespace", "full"),
    [
        ("Category:living people", 14, "Category:Living people"),
        ("category : living_people", 14, "Category:Living people"),
        (":Category:Living people", 14, "Category:Living people"),
        ("CATEGORY:Foo: bar", 14, "Category:Foo: bar"),
        ("Category:de:Foo", 14, "Category:De:Foo"),
        ("Image:foo.jpg", 6, "File:Foo.jpg"),
        ("IMAGE:foo.jpg", 6, "File:Foo.jpg"),
        ("user_talk:Foo", 3, "User talk:Foo"),
        ("Talk:Foo", 1, "Talk:Foo"),
        ("WP:NPOV", 4, "Wikipedia:NPOV"),
        ("Project:About", 4, "Wikipedia:About"),
        ("wikipedia:about", 4, "Wikipedia:About"),
        ("Help:Contents", 12, "Help:Contents"),  # canonical, not declared by this wiki
        ("Portal:Science", 100, "Portal:Science"),
        ("Draft:Science", 0, "Draft:Science"),  # optional, not declared by this wiki
    ],
)
def test_english_namespaces(raw: str, namespace: int, full: str) -> None:
    title = parsed(ENGLISH, raw)
    assert (title.namespace, ENGLISH.full(title)) == (namespace, full)


@pytest.mark.parametrize(
    ("raw", "namespace", "full"),
    [
        ("Kategoreja:latgola", 14, "Kategoreja:Latgola"),
        ("kategoreja:latgola", 14, "Kategoreja:Latgola"),
        ("Category:latgola", 14, "Kategoreja:Latgola"),
        ("LĪTUOTUOJS:Foo", 2, "Lītuotuojs:Foo"),
        ("User:Foo", 2, "Lītuotuojs:Foo"),
        ("Image:a.png", 6, "Fails:A.png"),
        ("Wikipedia:Foo", 4, "Vikipedeja:Foo"),
        ("Template:Foo", 10, "Taiss:Foo"),
    ],
)
def test_latgalian_namespaces(raw: str, namespace: int, full: str) -> None:
    title = parsed(LATGALIAN, raw)
    assert (title.namespace, LATGALIAN.full(title)) == (namespace, full)


def test_the_wikis_own_namespace_wins_over_other_readings() -> None:
    odd = rules("en", (200, "De"), (201, "Image"), (202, "Category"))
    assert odd.parse("de:Foo") == Title(200, "Foo")
    assert odd.parse("image:Foo") == Title(201, "Foo")
    assert odd.parse("category:Foo") == Title(202, "Foo")


def test_older_local_names_count_in_their_language_only() -> None:
    assert rules("de", (6, "Datei")).normalize("Bild:foo.jpg") == "Datei:Foo.jpg"
    assert ENGLISH.parse("Bild:foo.jpg") == Title(0, "Bild:foo.jpg")


def test_the_first_letter_follows_the_namespace() -> None:
    mixed = TitleRules(
        Siteinfo(
            "Wiktionary",
            "enwiktionary",
            "en",
            CASE_SENSITIVE,
            (Namespace(0, "", CASE_SENSITIVE), Namespace(14, "Category", FIRST_LETTER)),
        )
    )
    assert mixed.normalize("cat") == "cat"
    assert mixed.normalize("category:cats") == "Category:Cats"
    assert mixed.normalize("template:cats") == "Template:cats"  # undeclared: the site's rule


def test_capitals_follow_the_language() -> None:
    assert TURKISH.normalize("istanbul") == "İstanbul"
    assert ENGLISH.normalize("istanbul") == "Istanbul"
    assert TURKISH.normalize("ısparta") == "Isparta"
    assert GEORGIAN.normalize("თბილისი") == "თბილისი"


def test_sections_are_kept_apart() -> None:
    assert ENGLISH.parse("Atheism#Early_history") == Title(0, "Atheism", "Early history")
    assert ENGLISH.parse("Category:Foo#a#b") == Title(14, "Foo", "a#b")


def test_a_default_namespace_gives_way_to_prefix_and_colon() -> None:
    assert ENGLISH.parse("stub", 10) == Title(10, "Stub")
    assert ENGLISH.parse(":stub", 10) == Title(0, "Stub")
    assert ENGLISH.parse("user:Foo", 10) == Title(2, "Foo")


@pytest.mark.parametrize("wiki", ALL_RULES)
def test_rules_survive_pickling(wiki: TitleRules) -> None:
    copy = pickle.loads(pickle.dumps(wiki))
    assert copy is title_rules(wiki.siteinfo)  # so that what a process remembers by it serves every task
    assert copy.siteinfo == wiki.siteinfo
    assert copy.normalize("category:foo bar") == wiki.normalize("category:foo bar")


any_text = st.text(st.characters(exclude_categories=()), max_size=40)
title_parts = st.sampled_from(
    [
        ":",
        "#",
        "_",
        " ",
        "%",
        "%C3%A9",
        "&amp;",
        "&",
        ";",
        "&#58;",
        "category",
        "İmage",
        "ımage",
        "de",
        "i\u0307",
    ]
)
title_like = st.lists(st.one_of(title_parts, st.text(max_size=3)), max_size=8).map("".join)


@pytest.mark.parametrize("wiki", ALL_RULES)
@given(raw=st.one_of(any_text, title_like))
@example(raw="ımage:x")
@example(raw="ſpecial:x")
@example(raw="i\u0307x")
@example(raw="&#38;amp;")
@example(raw="::category:x")
def test_a_normal_title_is_its_own_normal_form(wiki: TitleRules, raw: str) -> None:
    normal = wiki.normalize(raw)
    assert wiki.normalize(normal) == normal
    title = wiki.parse(raw)
    assert (title is None) == (normal == "")
    if title is not None:
        again = parsed(wiki, normal)
        assert (again.namespace, again.text) == (title.namespace, title.text)
        assert not set(title.text) & set("<>[]{|}#_\n")


plain_like = st.text("abIZ09 _.,'()!+-:/&%é\u0307", max_size=12)


@pytest.mark.parametrize("wiki", ALL_RULES)
@given(raw=st.one_of(any_text, title_like, plain_like), namespace=st.sampled_from([0, 10, 14]))
def test_the_short_way_reads_what_the_long_one_does(wiki: TitleRules, raw: str, namespace: int) -> None:
    assert wiki.parse(raw, namespace) == wiki._parse_any(raw, namespace)


@pytest.mark.parametrize("wiki", ALL_RULES)
@given(raw=st.one_of(any_text, title_like, plain_like))
def test_a_likely_title_that_is_normal_is_the_title(wiki: TitleRules, raw: str) -> None:
    likely = wiki.likely(raw)
    if likely is not None and "/" not in likely and likely == wiki.normalize(likely) != "":
        assert wiki.normalize(raw) == likely


@given(any_text | plain_like)
def test_titles_without_accents_are_folded_as_all_others_are(title: str) -> None:
    # An accent that goes again takes the long way.
    assert fold(title) == fold(f"{title}\u0301")


def test_every_assigned_character_is_handled() -> None:
    for character in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(character) not in ("Cn", "Co"):
            normal = ENGLISH.normalize(character + "x")
            assert ENGLISH.normalize(normal) == normal


@given(name=st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=20))
def test_an_unknown_prefix_is_part_of_the_title(name: str) -> None:
    title = ENGLISH.parse(f"Qwerty:{name}")
    assert title is None or (title.namespace == 0 and title.text.startswith("Qwerty"))


@pytest.mark.parametrize("words", [LANGUAGE_CODES, PROJECT_PREFIXES])
def test_prefix_lists_are_sorted_and_lower_case(words: tuple[str, ...]) -> None:
    assert list(words) == sorted(set(words))
    assert all(word == word.lower() for word in words)


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("https://en.wikipedia.org/wiki/Foo_bar", "Foo bar"),
        ("http://en.m.wikipedia.org/wiki/Foo_bar#History", "Foo bar"),
        ("//en.wikipedia.org/wiki/Foo", "Foo"),
        ("en.wikipedia.org/wiki/Foo", "Foo"),
        (" https://ltg.wikipedia.org/wiki/Latgal%C4%ABtu_volūda ", "Latgalītu volūda"),
        ("https://en.wikipedia.org/wiki/AC/DC", "AC/DC"),
        ("https://en.wikipedia.org/wiki/C%2B%2B", "C++"),
        ("https://en.wikipedia.org/wiki/C++", "C++"),
        ("https://en.wikipedia.org/wiki/Who_Is_It%3F?oldid=3", "Who Is It?"),
        ("https://en.wikipedia.org/wiki/2001:_A_Space_Odyssey", "2001: A Space Odyssey"),
        ("https://en.wikipedia.org/w/index.php?title=Foo_bar&action=history", "Foo bar"),
        ("https://EN.WIKIPEDIA.ORG:443/w/index.php?action=raw&title=C%2B%2B", "C++"),
        ("https://en.wikipedia.org/wiki/", None),
        ("https://en.wikipedia.org/w/index.php?curid=12x", None),
        ("https://en.wikipedia.org/api/rest_v1/page/html/Foo", None),
        ("https://example.org/wiki/Foo", None),
        ("https://notwikipedia.org/wiki/Foo", None),
        ("https://wikipedia.org.example.com/wiki/Foo", None),
        ("http://[en.wikipedia.org/wiki/Foo", None),
        ("AC/DC", None),
        ("Wikipedia.org", None),
        ("", None),
    ],
)
def test_titles_of_urls(url: str, title: str | None) -> None:
    read = read_url(url)
    assert (None if read is None else read.title) == title


@pytest.mark.parametrize("path", ["?curid=12", "w/index.php?curid=12", "w/?title=Foo&curid=12"])
def test_page_ids_of_urls(path: str) -> None:
    assert read_url(f"https://en.wikipedia.org/{path}") == Address("en", "", 12)


@pytest.mark.parametrize(
    ("host", "wiki"),
    [
        ("en.wikipedia.org", "en"),
        ("EN.m.wikipedia.org", "en"),
        ("de.wikipedia.org", "de"),
        ("simple.wikipedia.org:443", "simple"),
        ("zh-min-nan.m.wikipedia.org", "zh-min-nan"),
        ("wikipedia.org", ""),
        ("www.wikipedia.org", ""),
        ("m.wikipedia.org", ""),
    ],
)
def test_wikis_of_urls(host: str, wiki: str) -> None:
    read = read_url(f"https://{host}/wiki/Gift")
    assert read is not None
    assert read.wiki == wiki


@given(any_text)
def test_no_string_breaks_url_reading(text: str) -> None:
    assert read_url(text) is None or "wikipedia.org" in text.lower()


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="_ "), min_size=1))
def test_a_title_comes_back_from_its_url(title: str) -> None:
    from urllib.parse import quote

    read = read_url("https://en.wikipedia.org/wiki/" + quote(title, safe=""))
    assert (read and read.title) == (title.strip() or None)
