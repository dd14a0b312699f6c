"""A sentence encoder of some thousand numbers, so that tuning takes a second and needs no weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.benchmarks.judgements import Benchmark, Judgement

WORDS = ("red", "rose", "blue", "sea", "green", "leaf", "the", "of", "water", "plant")


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sentence-transformers model: two layers of random weights over a dozen words."""
    return random_encoder(tmp_path_factory.mktemp("tiny"), dimensions=32, seed=1)


@pytest.fixture(scope="session")
def tiny_teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A larger one of other random weights."""
    return random_encoder(tmp_path_factory.mktemp("teacher"), dimensions=48, seed=2)


def random_encoder(folder: Path, dimensions: int, seed: int) -> Path:
    torch = pytest.importorskip(
        "torch", reason="torch is not installed: the extra `tune` of wort asks for it"
    )
    library = pytest.importorskip(
        "sentence_transformers", reason="sentence-transformers is not installed: the extra `tune` asks for it"
    )
    transformers = pytest.importorskip("transformers")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, "##s"]
    torch.manual_seed(seed)
    shape = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=dimensions,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=40,
    )
    model = transformers.BertModel(shape)
    tokenizer = transformers.BertTokenizerFast(vocab={word: place for place, word in enumerate(vocabulary)})
    model.save_pretrained(folder / "bert")
    tokenizer.save_pretrained(folder / "bert")
    transformer = library.sentence_transformer.modules.Transformer(str(folder / "bert"))
    pooling = library.sentence_transformer.modules.Pooling(shape.hidden_size)
    library.SentenceTransformer(modules=[transformer, pooling], device="cpu").save(
        str(folder / "encoder"), create_model_card=False
    )
    return folder / "encoder"


@pytest.fixture
def judged() -> Benchmark:
    """Pairs of six topics: two words are related where their places in ``WORDS`` are neighbours."""
    rows = []
    for topic in range(6):
        for first in range(8):
            for second in range(first + 1, 8):
                if (first * 7 + second * 3 + topic) % 3 == 0:
                    share = 1.0 if first // 2 == second // 2 else 0.1 * ((first + second) % 3)
                    rows.append((WORDS[first], f"{WORDS[second]}s", share, f"topic {topic}"))
    judgements = tuple(Judgement(*row, line=line) for line, row in enumerate(rows, start=2))
    return Benchmark("toy", "00" * 32, judgements)
