"""Corruptions of a snapshot's files, and what each leads to: run as a program, since some may end it.

``python -m tests.support.corruption FOLDER FIRST COUNT`` alters a file of the snapshot in FOLDER,
asks everything of it, has its checksums checked, and puts the file back; so COUNT times, each with a seed
of its own. It writes a line before each, and one after it: ``told`` with what an error says, ``same`` or
``other`` answers.
"""

from __future__ import annotations

import hashlib
import random
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import msgspec

from app.errors import AppError
from app.scoring.annotating import TextAnnotator, passage_batches
from app.scoring.concepts import Scorer
from app.scoring.details import details
from app.scoring.related import related
from app.scoring.terms import TermScorer
from app.serving.starter import model_path
from features.terms.extract import TermPair
from snapshots.errors import TableError
from snapshots.snapshot import Snapshot, verify

TEXT = (
    "Atheism is the rejection of belief in God; Buddhism and Christianity are religions of Asia and Europe."
)

TERMS = [TermPair("god", "belief"), TermPair("global warming", "climate"), TermPair("war", "peace treaty")]


def _bits(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 1, 8))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _zeros(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content))
    end = min(start + chance.choice((8, 512, 4096)), len(content))
    content[start:end] = bytes(end - start)


def _cut(content: bytearray, chance: random.Random) -> None:
    """As many bytes, of which the last are gone."""
    start = chance.randrange(len(content))
    content[start:] = bytes(len(content) - start)


def _swap(content: bytearray, chance: random.Random) -> None:
    size = min(chance.choice((8, 64, 4096)), len(content) // 2)
    first = chance.randrange(len(content) - 2 * size + 1)
    second = chance.randrange(first + size, len(content) - size + 1)
    content[first : first + size], content[second : second + size] = (
        content[second : second + size],
        content[first : first + size],
    )


def _noise(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content))
    end = min(start + chance.choice((4, 8, 256)), len(content))
    content[start:end] = chance.randbytes(end - start)


def _number(content: bytearray, chance: random.Random) -> None:
    """A number that no table has, in the place of one that it may have."""
    place = 128 + 4 * chance.randrange(max(1, (len(content) - 128) // 4))
    number = chance.choice((-1, 2**31 - 1, -(2**31), 2**62, -(2**63), 2**40))
    written = (number & (2**64 - 1)).to_bytes(8, "little")[: chance.choice((4, 8))]
    content[place : min(place + len(written), len(content))] = written[: max(0, len(content) - place)]


def _header(content: bytearray, chance: random.Random) -> None:
    edits = [
        (b"'<i4'", b"'|O8'"),
        (b"'<i4'", b"'>i4'"),
        (b"'<i4'", b"'<f4'"),
        (b"'<i8'", b"'<u8'"),
        (b"'<i8'", b"'<f8'"),
        (b"'<f4'", b"'<i4'"),
        (b"False", b"True "),
        (b"'shape': (", b"'shape': (("),
        (b"'shape': (", b"'shape':-("),
        (b"{'descr'", b"((((((((("),
        (b"\x01\x00v\x00", b"\x01\x00\xff\xff"),
    ]
    fitting = [(old, new) for old, new in edits if old in content[:128]]
    if not fitting:
        content[chance.randrange(min(128, len(content)))] ^= 1 << chance.randrange(8)
        return
    old, new = chance.choice(fitting)
    start = content.index(old)
    content[start : start + len(new)] = new


KINDS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    _bits,
    _zeros,
    _cut,
    _swap,
    _noise,
    _number,
    _header,
)


def corrupted(content: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Other bytes, as many, and how they came about."""
    kind = chance.choice(KINDS)
    altered = bytearray(content)
    kind(altered, chance)
    return kind.__name__, bytes(altered[: len(content)].ljust(len(content), b"\0"))


def answers(folder: Path, chance: random.Random) -> str:
    """A digest of what a snapshot answers to all kinds of questions, of pairs drawn by ``chance``."""
    digest = hashlib.blake2b()
    scorer = Scorer.open(folder, model_path())
    titles = [scorer.snapshot.concept_titles[row] for row in range(0, scorer.snapshot.concepts, 90)]
    pairs = [(left, right) for left, right in zip(titles, chance.sample(titles, len(titles)), strict=True)]
    digest.update(msgspec.json.encode(scorer.score(pairs)))
    digest.update(msgspec.json.encode(scorer.score([*pairs[:8], ("Mercury", "atheim")], explain=True)))
    for concept in (17, 2_000, scorer.snapshot.concepts - 1):
        digest.update(msgspec.json.encode(details(scorer, concept)))
        digest.update(msgspec.json.encode(related(scorer, concept, 10)))
    digest.update(repr(scorer.resolver.search("buddh", 5)).encode())
    digest.update(repr(scorer.resolver.search("cristianity", 5)).encode())
    terms = TermScorer.open(scorer, None)
    digest.update(msgspec.json.encode(terms.score(TERMS, explain=True)))
    annotator = TextAnnotator.open(scorer.snapshot)
    found = [one for batch in passage_batches(TEXT) for one in annotator.found(batch)]
    digest.update(msgspec.json.encode(annotator.described(TEXT, found)))
    return digest.hexdigest()


def outcome(folder: Path, sound: str) -> tuple[str, str]:
    """What asking everything leads to: ``told`` and the sentence, or ``same`` or ``other``."""
    try:
        found = answers(folder, random.Random(0))
    except (TableError, AppError) as error:
        return "told", str(error)
    return ("same" if found == sound else "other"), ""


def main(folder: Path, first: int, count: int) -> None:
    """Corrupt and ask ``count`` times."""
    sound = answers(folder, random.Random(0))
    names = sorted(Snapshot.open(folder).manifest.files)
    for seed in range(first, first + count):
        chance = random.Random(seed)
        name = names[seed % len(names)]
        content = (folder / name).read_bytes()
        kind, altered = corrupted(content, chance)
        print(msgspec.json.encode({"seed": seed, "file": name, "kind": kind}).decode(), flush=True)
        (folder / name).write_bytes(altered)
        led_to, said = outcome(folder, sound)
        found = verify(folder)
        (folder / name).write_bytes(content)
        line = {"led_to": led_to, "said": said, "changed": altered != content, "verify": found}
        print(msgspec.json.encode(line).decode(), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
