"""What wikis are called, for people."""

from __future__ import annotations

_LANGUAGES = {
    "ar": "Arabic",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "simple": "Simple English",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""The languages of the largest Wikipedias, by the codes that the names of their dumps begin with."""


def wiki_name(wiki: str) -> str:
    """What the wiki of a dump is called; as the dump calls it, where its language is not known here.

    >>> wiki_name("enwiki"), wiki_name("simplewiki"), wiki_name("smallwiki")
    ('English Wikipedia', 'Simple English Wikipedia', 'smallwiki')
    """
    language = _LANGUAGES.get(wiki.removesuffix("wiki"))
    return wiki if language is None else f"{language} Wikipedia"
