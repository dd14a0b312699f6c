"""Title normalisation, once in the project: what a title written anywhere means on one wiki.

The rules are MediaWiki's (its title codec and ``ucfirst``): percent and character escapes decoded, Unicode
NFC, underscores and white space folded, direction marks dropped, a namespace or interwiki prefix split
off, the section split off, the first letter raised where the namespace says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html.entities import html5
from typing import Final, NamedTuple
from unicodedata import normalize as unicode_normalize
from urllib.parse import parse_qs, unquote, urlsplit

from wiki.prefixes import (
    CANONICAL_NAMESPACES,
    LANGUAGE_CODES,
    LOCAL_ALIASES,
    NAMESPACE_ALIASES,
    OPTIONAL_NAMESPACES,
    PROJECT_PREFIXES,
)
from wiki.siteinfo import CASE_SENSITIVE, Siteinfo

MAXIMUM_BYTES: Final = 255  # MediaWiki's limit on a title in UTF-8, without its namespace

LONGEST_WRITTEN: Final = 8 * MAXIMUM_BYTES
"""Characters in which a title may be written; what has more is none, and is not looked at.

Each byte of a title takes up to three characters percent-encoded and six as a character reference
(``&#101;``). The rest is room for what stands around it: an address, a namespace, a section.
"""

LONGEST_DECODED: Final = 4 * MAXIMUM_BYTES
"""Bytes of a title once it is decoded, before it is normalised: the work of that grows with their square.

Normalising takes off two thirds at the most (of Hangul in single letters). The rest is room for a namespace
and for marks of direction, which are dropped.
"""

_PLAIN = re.compile("[A-Za-z0-9][A-Za-z0-9 _.,'()!+-]*")  # nothing to decode, to split off or to forbid
_LINK = re.compile(r"\s*\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]\s*")  # of wikitext, with or without another text
_PAGE_ID = re.compile(r"[0-9]{1,18}")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_CHARACTER_REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z0-9]+));")
_DIRECTION_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]")
_ILLEGAL = re.compile(
    "[\x00-\x1f\x7f<>\\[\\]{|}\ufffd\ud800-\udfff]"
    "|%[0-9A-Fa-f]{2}"  # what is still escaped after one decoding
    "|&(?:#[0-9]+|#[xX][0-9A-Fa-f]+|[A-Za-z0-9\u0080-\U0010ffff]+);"
    "|~~~"  # a signature
    "|^:"
    "|(?:^|/)\\.{1,2}(?:/|$)"  # a relative path
)
_GEORGIAN = ("\u10d0", "\u10ff")  # Unicode has capitals for them that no Georgian title uses
_DOTTED_I_LANGUAGES = ("az", "kaa", "tr")
_WIKIPEDIA_HOST = re.compile(r"(?:^|\.)wikipedia\.org$", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?:)?//", re.IGNORECASE)
_HEAD = re.compile(r"(?:[^/?#]*//)?[^/?#]*")  # of an address: its scheme and host
_PASSED_OVER = str.maketrans("", "", "\t\r\n")  # in an address, wherever they stand


class Title(NamedTuple):
    """A title taken apart: namespace number, text without the namespace's name, section ("" if none).

    Of a section there are 255 characters at the most, as it was written.
    """

    namespace: int
    text: str
    fragment: str = ""


class TitleRules:
    """The title rules of one wiki.

    Instances pickle as their siteinfo alone, which is small.
    """

    def __init__(self, siteinfo: Siteinfo) -> None:
        self.siteinfo = siteinfo
        self._names = {key: name for name, key in reversed(CANONICAL_NAMESPACES + OPTIONAL_NAMESPACES)}
        self._names |= {namespace.key: namespace.name for namespace in siteinfo.namespaces}
        self._keys = self._namespace_keys()
        self._foreign = frozenset(map(_prefix_key, LANGUAGE_CODES + PROJECT_PREFIXES)) - self._keys.keys()
        self._case_sensitive = {n.key: n.case == CASE_SENSITIVE for n in siteinfo.namespaces}
        self._case_sensitive_default = siteinfo.case == CASE_SENSITIVE
        self._dotted_i = siteinfo.language in _DOTTED_I_LANGUAGES
        self._raises_articles = not self._case_sensitive.get(0, self._case_sensitive_default)

    def __reduce__(self) -> tuple[Callable[[Siteinfo], TitleRules], tuple[Siteinfo]]:
        return title_rules, (self.siteinfo,)

    def parse(self, raw: str, default_namespace: int = 0) -> Title | None:
        """Return the title that ``raw`` writes, or None if it cannot be one on this wiki.

        ``default_namespace`` holds where ``raw`` has no prefix: 10 for the name in ``{{name}}``. A leading
        colon stands for the article namespace. None for the empty title, illegal characters, titles above
        255 bytes, and prefixes that lead to another language or project. What is too long to be a title
        however it is written (``is_overlong``) is refused before anything of it is decoded.
        """
        if len(raw) > LONGEST_WRITTEN:
            return None
        if _PLAIN.fullmatch(raw):  # as most are, and read in a third of the time
            return self._titled(default_namespace, _spaced(raw))
        return self._parse_any(raw, default_namespace)

    def likely(self, raw: str) -> str | None:
        """Return what ``raw`` is likely to be once it is normalised: it costs a tenth of that.

        Underscores are spaces, and the first letter is raised. Where that makes the normal title of an
        article, it is what ``raw`` writes, as ``parse`` would say. None for what may be an address or has
        something to decode, is longer than a normal title, or cannot be printed.
        """
        if len(raw) > MAXIMUM_BYTES or "%" in raw or "/" in raw or not raw.isprintable():
            return None
        text = raw.replace("_", " ")
        # A letter before an accent may become another letter first.
        if self._raises_articles and text[:1].islower() and text[:2].isascii():
            return self._with_capital(text)
        return text

    def _parse_any(self, raw: str, default_namespace: int) -> Title | None:
        """Return what ``parse`` does, whatever ``raw`` has in it."""
        text, _, fragment = _decoded(raw).partition("#")
        if len(text) > LONGEST_DECODED // 4 and len(text.encode(errors="replace")) > LONGEST_DECODED:
            return None
        # Neither a section nor what is before it has anything to do with how the other is normalised.
        text = _composed(text)
        namespace = default_namespace
        if text.startswith(":"):
            namespace = 0
            text = text[1:].lstrip()
        prefix, colon, rest = text.partition(":")
        if colon and prefix:
            key = _prefix_key(prefix.rstrip())
            if key in self._foreign:
                return None
            if key in self._keys:
                namespace, text = self._keys[key], rest.lstrip()
        text = text.rstrip()
        if not text or _ILLEGAL.search(text):
            return None
        return self._titled(namespace, text, _composed(fragment[:MAXIMUM_BYTES]))

    def full(self, title: Title) -> str:
        """Return the title as one string, the namespace under its local name, without the section."""
        name = self._names.get(title.namespace, "")
        return f"{name}:{title.text}" if name else title.text

    def normalize(self, raw: str) -> str:
        """Return the full normalised title that ``raw`` writes, or "" if it cannot be one.

        Idempotent: a normalised title is its own normal form.
        """
        title = self.parse(raw)
        return "" if title is None else self.full(title)

    def _namespace_keys(self) -> dict[str, int]:
        """Return namespace numbers by prefix; the wiki's own names win over English ones and aliases."""
        local = {namespace.name: namespace.key for namespace in self.siteinfo.namespaces if namespace.name}
        declared = set(local.values())
        names = dict(NAMESPACE_ALIASES)
        names |= {name: key for name, key in OPTIONAL_NAMESPACES if key in declared}
        names |= {alias: key for code, alias, key in LOCAL_ALIASES if code == self.siteinfo.language}
        names |= dict(CANONICAL_NAMESPACES)
        keys = {_prefix_key(name): key for name, key in names.items()}
        return keys | {_prefix_key(name): key for name, key in local.items()}

    def _titled(self, namespace: int, text: str, fragment: str = "") -> Title | None:
        """Return the title of that text, which has been found to be one but for its length."""
        if _is_too_long(text):
            return None
        if not self._case_sensitive.get(namespace, self._case_sensitive_default):
            text = self._with_capital(text)
        return Title(namespace, text, fragment)

    def _with_capital(self, text: str) -> str:
        first = text[0]
        if first == "i" and self._dotted_i:
            capital = "İ"
        elif _GEORGIAN[0] <= first <= _GEORGIAN[1]:
            return text
        else:
            capital = first.upper()
        # MediaWiki keeps a letter whose capital is not one letter: "ß" stays.
        if capital == first or len(capital) != 1:
            return text
        # The capital can combine with an accent that the small letter left alone.
        return unicode_normalize("NFC", capital + text[1:])


@lru_cache(64)
def title_rules(siteinfo: Siteinfo) -> TitleRules:
    """Return the title rules of a wiki, the same object each time, so that caches stay warm."""
    return TitleRules(siteinfo)


def is_overlong(raw: str) -> bool:
    """Whether ``raw`` is longer than any title is, however it is written: escaped, or as an address.

    Whoever takes titles from outside asks this first: the work of decoding and normalising one grows with its
    length, that of putting combining marks into order with the square of it, and other threads wait.
    """
    return len(raw) > LONGEST_WRITTEN


def target_of(text: str) -> str:
    """Return the title that a link of wikitext leads to, as it was copied; any other text as it is.

    >>> target_of("[[Cat]]"), target_of(" [[Cat|cats]] "), target_of("[[C#]]"), target_of("[Cat]")
    ('Cat', 'Cat', 'C#', '[Cat]')
    """
    link = _LINK.fullmatch(text)
    return text if link is None else link[1]


class Address(NamedTuple):
    """Where an article stands: the code of its wiki, "en" or "simple" ("" if none), and its title or page id.

    The title is empty where the address names the page by its id alone.
    """

    wiki: str
    title: str
    page_id: int | None = None


def read_url(url: str) -> Address | None:
    """Return the article that a Wikipedia URL names, or None if ``url`` is no such URL.

    Any language's host counts, mobile ones too, with or without a scheme. The section is left out. The
    title comes percent-decoded and with spaces, not normalised.
    """
    url = url.strip().translate(_PASSED_OVER)
    # Other letters in the name of a host would be normalised, and no host of Wikipedia has them.
    head = _HEAD.match(url)
    if head is None or not head[0].isascii():
        return None
    try:
        parts = urlsplit(_SCHEME.sub("https://", url))
        if not parts.netloc:
            parts = urlsplit("https://" + url)
        host = parts.hostname or ""
    except ValueError:  # brackets that are no IPv6 address
        return None
    if not _WIKIPEDIA_HOST.search(host):
        return None
    wiki = ".".join(label for label in host.split(".")[:-2] if label not in ("www", "m"))
    if parts.path.startswith("/wiki/"):
        title = unquote(parts.path.removeprefix("/wiki/"))
    elif parts.path.rstrip("/") in ("/w/index.php", "/wiki", "/w", ""):
        query = parse_qs(parts.query)
        if _PAGE_ID.fullmatch(page_id := query.get("curid", [""])[0]):
            return Address(wiki, "", int(page_id))
        title = query.get("title", [""])[0]
    else:
        return None
    title = title.replace("_", " ").strip()
    return Address(wiki, title) if title else None


def _decoded(raw: str) -> str:
    """Return ``raw`` without percent escapes and character references."""
    text = unquote(raw, errors="replace") if _PERCENT.search(raw) else raw
    return _CHARACTER_REFERENCE.sub(_character, text) if "&" in text else text


def _composed(text: str) -> str:
    """Return ``text`` in NFC, with single spaces: the same characters, written one way."""
    if not text.isascii():
        text = unicode_normalize("NFC", _DIRECTION_MARKS.sub("", text).replace("\u180e", " "))
    return _spaced(text)


def _spaced(text: str) -> str:
    return " ".join(text.replace("_", " ").split())


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return html5.get(name + ";", reference.group())
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if 0 < number <= 0x10FFFF else "\ufffd"


def _prefix_key(prefix: str) -> str:
    """Return what is compared of a prefix: its letters whatever their case, all four letters i alike."""
    return unicode_normalize("NFC", prefix.upper()).replace("İ", "I").casefold()


def _is_too_long(text: str) -> bool:
    return len(text) > MAXIMUM_BYTES // 4 and len(text.encode()) > MAXIMUM_BYTES
