"""The worst texts that are known, and the requests that carry them: to each route, in each place for text.

A text is bad where some step takes longer than its length explains: where it is decoded, normalised, looked
for or quoted.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

MEGABYTE = 1 << 20

HEAD = 50_000
"""Bytes of a text that stand in an address or a header: a head has 64 KiB at the most."""

PIECE = 2_000
"""Characters of a text that may still be a title, however it is written."""

_MARKS = "\u0301\u0323"
_NUMBERS = ",".join(map(str, range(9_000))).encode()

_BEGUN: Mapping[str, tuple[str, str]] = {
    "combining marks out of order": ("a", _MARKS),
    "combining marks, percent-encoded": ("a", "%CC%81%CC%A3"),
    "combining marks, as references": ("a", "&#769;&#803;"),
    "letters, percent-encoded": ("", "%41"),
    "references": ("", "&nGg;"),
    "a host of marks": ("//a", _MARKS),
    "an address": ("https://en.wikipedia.org/wiki/", "%41"),
    "an address with a query": ("https://en.wikipedia.org/w/index.php?", "a=&"),
    "a section": ("a#", _MARKS),
    "a namespace": ("", "\u0390:"),
    "letters that become eighteen": ("", "\ufdfa"),
    "letters whose lower case is longer": ("", "\u0130"),
    "letters of many scripts": ("", "".join(chr(0x100 + 67 * number) for number in range(150))),
    "spaces": ("", " "),
    "words": ("", "cat the dog "),
    "parentheses": ("", "("),
    "brackets": ("", "["),
    "ampersands": ("", "&a"),
    "paragraphs": ("", "a\n\n"),
    "lines of spaces": ("", "\n "),
    "quotes that are never closed": ("", 'a","\n'),
    "Chinese": ("", "\u4e2d"),
}
"""How each text begins, and what it repeats from there on."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A request, and what is bad in it."""

    name: str
    method: str
    target: str
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def texts(size: int) -> dict[str, str]:
    """The worst texts, of ``size`` bytes in UTF-8 each, or nearly so, by what is bad in them."""
    return {name: begun + again * (size // len(again.encode())) for name, (begun, again) in _BEGUN.items()}


def pieces(size: int) -> list[str]:
    """Pieces of all of them in turn, ``size`` bytes together: each as long as a title may be written."""
    some = [text[:PIECE] for text in texts(4 * PIECE).values()]
    together = sum(len(piece.encode()) for piece in some)
    return some * (size // together)


def _pairs(strings: Sequence[str]) -> Iterator[Any]:
    yield {"pairs": [{"left": text, "right": "Cat"} for text in strings], "ambiguous": "resolve"}
    yield {"pairs": [{"left": {"mention": text, "context": text}, "right": 1} for text in strings[:900]]}
    yield {"pairs": [], "".join(strings)[:MEGABYTE]: "a field that there is not"}


def _matrix(strings: Sequence[str]) -> Iterator[Any]:
    yield {"rows": strings, "columns": ["Cat", {"mention": strings[0]}], "ambiguous": "resolve"}


def _terms(strings: Sequence[str]) -> Iterator[Any]:
    yield {"pairs": [{"left": text, "right": "cat", "context": text} for text in strings[:900]]}
    yield {"pairs": [{"left": text[:255], "right": text[1:255], "context": text} for text in strings[:900]]}


def _annotate(strings: Sequence[str]) -> Iterator[Any]:
    yield {"text": "".join(strings)[:100_000], "context": strings[:20]}
    yield {"text": "".join(strings)}


def _documents(strings: Sequence[str]) -> Iterator[Any]:
    text = "".join(strings)[:100_000]
    yield {"left": text, "right": text[::-1]}


def _ibm_pairs(strings: Sequence[str]) -> Iterator[Any]:
    yield [{"first": text, "second": "Cat"} for text in strings]


def _ibm_texts(strings: Sequence[str]) -> Iterator[Any]:
    texts = [{"text": text[:100_000], "contextTitles": strings[:20]} for text in strings[:20]]
    yield {"textsToAnnotate": texts, "contextTitles": strings, "contextText": ""}


JSON: Mapping[str, Callable[[Sequence[str]], Iterator[Any]]] = {
    "score_pairs": _pairs,
    "score_matrix": _matrix,
    "score_terms": _terms,
    "annotate_text": _annotate,
    "score_documents": _documents,
    "term_relater_pairs": _ibm_pairs,
    "term_wikifier_annotate": _ibm_texts,
}
"""The operations that take JSON, and the requests to each that hold some texts in each of its places."""


def _comma_separated(strings: Sequence[str]) -> Iterator[bytes]:
    rows = "".join('"{}",Cat\n'.format(text.replace('"', '""')) for text in strings)
    yield f"left,right\n{rows}".encode()
    # As it stands: a text of lines becomes rows, hundreds of thousands of them.
    yield f"left,right\n{''.join(strings)[: MEGABYTE // 8]}".encode()


def _tab_separated(strings: Sequence[str]) -> Iterator[bytes]:
    # A text of lines is among the tables with commas.
    rows = "".join("{}\tCat\n".format(text.replace("\n", " ")) for text in strings)
    yield f"left\tright\n{rows}".encode()


def _lines(strings: Sequence[str]) -> Iterator[bytes]:
    # A row of one text, which is a little shorter than the longest line.
    rows = [{"left": text[: MEGABYTE // 5], "right": "Cat"} for text in strings]
    yield "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def _parquet(strings: Sequence[str]) -> Iterator[bytes]:
    sink = io.BytesIO()
    texts = [text.encode(errors="replace").decode() for text in strings]
    pq.write_table(pa.table({"left": texts, "right": ["Cat"] * len(texts)}), sink)
    yield sink.getvalue()


FILES: Mapping[str, Callable[[Sequence[str]], Iterator[bytes]]] = {
    "text/csv": _comma_separated,
    "text/tab-separated-values": _tab_separated,
    "application/x-ndjson": _lines,
    "application/vnd.apache.parquet": _parquet,
}
"""The media types of files, and the files of each that hold some texts."""

BAD_BODIES: Mapping[str, Mapping[str, bytes]] = {
    "text/csv": {
        "a header of very many columns": b"left,right,%s\n%s" % (_NUMBERS, b"a\n" * 300),
        "one row of commas": b"left,right\n" + b"," * (MEGABYTE - 20),
        "blank lines": b"left,right\n" + b"\n" * MEGABYTE,
    },
    "application/json": {
        "a field again and again": b'{"text": "a", %s "min_rho": 0}' % (b'"min_rho": 5e-324,' * 55_000),
        "keys": b"{%s}" % b",".join(b'"%x": 1' % number for number in range(80_000)),
        "brackets": b"[" * MEGABYTE,
        "numbers": b'{"pairs": [%s1]}' % (b"5e-324," * 140_000),
    },
    "application/x-ndjson": {
        "the least of numbers": b'{"left": 1, "n": [%s1]}' % (b"5e-324," * 140_000),
        "numbers of very many digits": b'{"left": 1, "right": [%s1]}'
        % (b"9.9999999999999999e-300," * 40_000),
        "blank lines": b"\n" * MEGABYTE,
    },
}
"""Bodies that are bad in another way than by their texts, by media type and by what is bad in them."""


def bodies_of_pairs(strings: Sequence[str]) -> Iterator[bytes]:
    """The bodies of requests for the scores of pairs that hold some texts."""
    yield from _bodies("score_pairs", "application/json", strings)


def attacks_on(operation: Mapping[str, Any], method: str, path: str) -> Iterator[Attack]:
    """The requests to an operation of the OpenAPI document.

    Raises:
        KeyError: it takes a body, and nobody has said where texts stand in that.
    """
    bodies = operation.get("requestBody", {}).get("content", {})
    sizes = [*((name, [text]) for name, text in texts(MEGABYTE).items()), ("all", pieces(MEGABYTE))]
    for media_type in bodies:
        for name, body in BAD_BODIES.get(media_type, {}).items():
            yield Attack(name, method.upper(), path, body, {"Content-Type": media_type})
        for name, strings in sizes:
            for body in _bodies(operation["operationId"], media_type, strings):
                yield Attack(name, method.upper(), path, body, {"Content-Type": media_type})
    named = [parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "query"]
    there = path
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            place = f"{{{parameter['name']}}}"
            there = there.replace(place, "100")
            yield Attack("digits", method.upper(), path.replace(place, "9" * HEAD))
    yield from attacks_on_query(method, there, named)


def attacks_on_query(method: str, path: str, names: Sequence[str]) -> Iterator[Attack]:
    """Requests to ``path`` with the worst texts in each of its parameters, and with parameters it has not."""
    yield Attack("many parameters", method.upper(), f"{path}?{'a&' * (HEAD // 2)}")
    yield Attack("an unknown parameter", method.upper(), f"{path}?{quote('a' + _MARKS * 4000)}=1")
    for name in names:
        # As long as the parameter may be at the most, and as the head may be.
        for text in ("limit", "head"):
            for what, worst in texts(HEAD).items():
                value = quote(worst[:255])[:HEAD] if text == "limit" else quote(worst)[: HEAD // 3 * 3]
                yield Attack(f"{what} in {name}", method.upper(), f"{path}?{name}={value}")


def attacks_on_headers(path: str) -> Iterator[Attack]:
    """Requests for ``path`` with headers as long and as bad as they may be."""
    for name, value in {
        "If-None-Match": '"a",' + " " * HEAD + "x",
        "If-None-Match ": '"a",' * (HEAD // 4),
        "Cookie": 'a="' + r"\1" * (HEAD // 2) + '"',
        "Cookie ": "a;" * (HEAD // 2),
        "Accept": "a/a;q=0.5," * (HEAD // 10),
        "Accept ": "a/a;q=" + "9" * HEAD,
        "Accept-Encoding": "gzip;" + "q=1;" * (HEAD // 5),
        "Authorization": "Basic " + "QUFB" * (HEAD // 4),
        "X-API-Key": "a" * HEAD,
        "X-Request-ID": "a" * HEAD,
        "Content-Type": "application/json;" + "a=b;" * (HEAD // 5),
        "X-Forwarded-For": "1.1.1.1, " * (HEAD // 9),
        "Origin": "http://" + "a." * (HEAD // 2),
        "Host": "a." * (HEAD // 2),
        "Range": "bytes=" + "0-1," * (HEAD // 5),
    }.items():
        yield Attack(f"{name.strip()} of {len(value)} bytes", "GET", path, b"", {name.strip(): value})


def _bodies(operation: str, media_type: str, strings: Sequence[str]) -> Iterator[bytes]:
    if media_type == "application/json":
        for request in JSON[operation](strings):
            yield json.dumps(request, ensure_ascii=False).encode()
    else:
        yield from FILES[media_type](strings)
