"""Times one peer in its own Python: ``PYTHON peer_script.py NAME FILE``, by ``benchmarks.peers``.

The file is JSON: ``pairs`` of titles, all ``titles``, and the folder of an ``encoder``. It prints the
microseconds of processor time that a pair takes, the median of three rounds or more, which take a second at
least. It imports nothing of ours.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

SIZE = 100
"""Dimensions of the vectors, as wikipedia2vec trains them if not said otherwise."""


def wikipedia2vec(asked: dict[str, Any]) -> Callable[[], object]:
    """Two look-ups by title and a cosine. Its vectors are random: no look-up takes longer for that."""
    path = Path("vectors.txt")
    chance = np.random.default_rng(1)
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{len(asked['titles'])} {SIZE}\n")
        for title in asked["titles"]:
            numbers = " ".join(f"{number:.3f}" for number in chance.normal(size=SIZE))
            file.write(f"ENTITY/{title.replace(' ', '_')} {numbers}\n")
    model = import_module("wikipedia2vec").Wikipedia2Vec.load_text(str(path))

    def score() -> list[float]:
        scores = []
        for left, right in asked["pairs"]:
            u, v = model.get_entity_vector(left), model.get_entity_vector(right)
            scores.append(float(u @ v / (np.linalg.norm(u) * np.linalg.norm(v))))
        return scores

    return score


def sentence_transformers(asked: dict[str, Any]) -> Callable[[], object]:
    """Both titles of each pair encoded, in batches of 64, and the dot products of their unit vectors."""
    import_module("torch").set_num_threads(1)
    encoder = import_module("sentence_transformers").SentenceTransformer(
        asked["encoder"], device="cpu", local_files_only=True
    )

    def score() -> object:
        left, right = (
            encoder.encode(list(titles), batch_size=64, normalize_embeddings=True)
            for titles in zip(*asked["pairs"], strict=True)
        )
        return (left * right).sum(axis=1)

    return score


def main(name: str, file: str) -> None:
    """Print what a pair takes."""
    asked = json.loads(Path(file).read_text(encoding="utf-8"))
    score = {"wikipedia2vec": wikipedia2vec, "sentence_transformers": sentence_transformers}[name](asked)
    score()
    times: list[float] = []
    while len(times) < 3 or sum(times) < 1.0:
        start = time.process_time()
        score()
        times.append(time.process_time() - start)
    print(statistics.median(times) / len(asked["pairs"]) * 1e6)


if __name__ == "__main__":
    main(*sys.argv[1:])
