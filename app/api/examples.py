"""What the documents of HTTP show: pairs that are asked for, and what the package answers them."""

from __future__ import annotations

from typing import Any

EXAMPLES: dict[str, Any] = {
    "one": {"summary": "One pair", "value": {"pairs": [{"left": "Atheism", "right": "Religion"}]}},
    "explained": {
        "summary": "One pair, explained",
        "value": {"pairs": [{"left": "Atheism", "right": "Religion"}], "explain": True},
    },
    "many": {
        "summary": "Several pairs, named in every way there is",
        "value": {
            "pairs": [
                {"left": "Atheism", "right": {"title": "Religion"}},
                {"left": "https://en.wikipedia.org/wiki/Atheism", "right": "Philosophy"},
                {"left": {"id": 25414}, "right": 26700},
                {"left": "Atheism", "right": "No such concept"},
            ]
        },
    },
    "mentions": {
        "summary": "What texts call a concept, and the sense that suits the other side",
        "value": {
            "pairs": [
                {"left": {"mention": "social security"}, "right": "United States Congress"},
                {
                    "left": {"mention": "social security", "context": "Workers save for their old age."},
                    "right": "Welfare",
                },
            ],
            "ambiguous": "resolve",
        },
    },
    "texts": {
        "summary": "Texts that need not name a concept, beside each other and beside one",
        "value": {
            "pairs": [
                {"left": {"text": "violent video games"}, "right": "Aggression"},
                {
                    "left": {
                        "text": "screen time",
                        "description": "hours that children spend with telephones",
                    },
                    "right": {"text": "sleep at night"},
                },
            ]
        },
    },
}
"""Requests that run as they stand; a test sends each of them."""

_WORKS = (
    "English Wikipedia (May 2015)",
    "Simple English Wikipedia (February 2017)",
    "Wikispeedia (2007 Wikipedia Selection for Schools)",
)

STARTER: dict[str, Any] = {
    "model": {"name": "wort-plus-starter", "trained_on": "enwiki-20150523-680f520c-excerpt-d99214bc"},
    "snapshot": {
        "id": "enwiki-20150523-680f520c-excerpt-d99214bc",
        "wiki": "enwiki",
        "language": "en",
        "dump_date": "2015-05-23",
        "concepts": 28250,
        "licence": "CC BY-SA",
        "attribution": f"Computed from {'; '.join(_WORKS)}. "
        "The texts are by their contributors, under CC BY-SA and the GFDL.",
        "works": list(_WORKS),
        "excerpt_of": 28250,
    },
}
"""What every answer of the snapshot and the model in the package says of them."""

ANSWERS: dict[str, Any] = {
    "one": {
        "summary": "Of one pair, by what the package carries",
        "value": {
            "results": [
                {
                    "score": 0.9049492997301566,
                    "status": "ok",
                    "interval": {"low": 0.6396380315371409, "high": 1.0, "level": 0.9},
                    "percentiles": {"random": 100.0, "linked": 99.29},
                    "resolved": {
                        "left": {
                            "asked": "Atheism",
                            "status": "ok",
                            "title": "Atheism",
                            "page_id": None,
                            "matched": "title",
                        },
                        "right": {
                            "asked": "Religion",
                            "status": "ok",
                            "title": "Religion",
                            "page_id": 25414,
                            "matched": "title",
                        },
                    },
                }
            ],
            **STARTER,
        },
    },
}
"""What the requests of ``EXAMPLES`` are answered; a test compares."""
