"""The table of docs/api.md on two texts: how well texts are related through their concepts, on LP50.

``python -m benchmarks.documents SNAPSHOT MODEL DATA`` prints it as Markdown. DATA is the folder that
``wort benchmarks`` finds LP50 in. The weights of concepts are compared with others that could have been
chosen, and all of them with the cosine of tf-idf vectors.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from app.scoring.annotating import TextAnnotator, passage_batches
from app.scoring.concepts import Scorer
from app.scoring.documents import ConceptBag, document_relatedness
from measures.arrays import Floats
from snapshots.annotator import Annotation
from snapshots.snapshot import Snapshot
from snapshots.stop_words import stop_words_of
from snapshots.text import words
from training.benchmarks.declared import locate, shipped
from training.benchmarks.read import read_declared
from training.statistics.correlation import pearson, spearman


def main(snapshot: str, model: str, data: str) -> None:
    """Print the table."""
    declaration = shipped()["lp50"]
    judgements = read_declared(declaration, locate(declaration, Path(data))).judgements
    gold = np.array([each.score for each in judgements])
    pairs = [(each.left, each.right) for each in judgements]
    texts = sorted({text for pair in pairs for text in pair})
    scorer = Scorer.open(Path(snapshot), Path(model))
    annotator = TextAnnotator.open(scorer.snapshot)
    found = {text: annotated(annotator, text) for text in texts}
    chosen = {text: ConceptBag.of(scorer.snapshot, found[text]) for text in texts}
    sizes = [len(document.concepts) for document in chosen.values()]
    print(f"{len(texts)} texts, {sum(sizes) / len(sizes):.1f} concepts a text, {max(sizes)} at most\n")
    print("| measure | pairs | Pearson | Spearman |\n|---|--:|--:|--:|")
    show("through concepts", related(scorer, chosen, pairs), gold)
    rho = {text: reweighted(document, found[text], scorer.snapshot) for text, document in chosen.items()}
    show("the same, weights ρ alone", related(scorer, rho, pairs), gold)
    equal = {text: ConceptBag(d.concepts, np.ones(len(d.concepts)), d.mentions) for text, d in chosen.items()}
    show("the same, equal weights", related(scorer, equal, pairs), gold)
    for name, idf in weights(scorer.snapshot, texts):
        vectors = {text: vector(text, idf) for text in texts}
        show(name, np.array([cosine(vectors[left], vectors[right]) for left, right in pairs]), gold)


def annotated(annotator: TextAnnotator, text: str) -> list[Annotation]:
    """The annotations of ``text``, as the service finds them."""
    return [each for batch in passage_batches(text) for each in annotator.found(batch)]


def reweighted(document: ConceptBag, found: Sequence[Annotation], snapshot: Snapshot) -> ConceptBag:
    """The document with the sum of ρ as the weight of each concept."""
    rho = dict.fromkeys(document.concepts.tolist(), 0.0)
    for each in found:
        if each.concept in rho:
            rho[each.concept] += each.rho
    weights = np.array(list(rho.values()))
    return ConceptBag(document.concepts, weights, document.mentions)


def related(scorer: Scorer, documents: dict[str, ConceptBag], pairs: Sequence[tuple[str, str]]) -> Floats:
    """The score of each pair of texts, NaN where one has no concepts."""
    scores = [document_relatedness(scorer, documents[left], documents[right]).score for left, right in pairs]
    return np.array([np.nan if score is None else score for score in scores])


def weights(snapshot: Snapshot, texts: Sequence[str]) -> Iterator[tuple[str, dict[str, float]]]:
    """Inverse document frequencies of words: over the texts themselves, and over the snapshot's sentences."""
    stop = stop_words_of(snapshot.manifest)
    own = Counter(word for text in texts for word in set(words(text)) - stop)
    yield "tf-idf cosine, idf of the texts", {word: np.log(len(texts) / n) for word, n in own.items()}
    counts, known = snapshot.array("word_counts"), snapshot.trie("words", "<I")
    yield (
        "tf-idf cosine, idf of the snapshot's sentences",
        {word: np.log(snapshot.sentences / counts[known[word][0][0]]) for word in own if word in known},
    )


def vector(text: str, idf: dict[str, float]) -> dict[str, float]:
    """The tf-idf vector of ``text``, of unit length."""
    entries = {word: n * idf[word] for word, n in Counter(words(text)).items() if word in idf}
    length = float(np.sqrt(sum(weight**2 for weight in entries.values()))) or 1.0
    return {word: weight / length for word, weight in entries.items()}


def cosine(left: dict[str, float], right: dict[str, float]) -> float:
    """The cosine of two vectors of unit length."""
    return sum(weight * right.get(word, 0.0) for word, weight in left.items())


def show(name: str, scores: Floats, gold: Floats) -> None:
    """Print a row."""
    known = ~np.isnan(scores)
    r, rho = pearson(scores[known], gold[known]), spearman(scores[known], gold[known])
    print(f"| {name} | {known.sum():,} | {r:.3f} | {rho:.3f} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
