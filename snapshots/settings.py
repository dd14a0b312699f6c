"""Every choice that changes what a build computes, with its measured default."""

from __future__ import annotations

import msgspec


class BuildSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a build. They are written to the manifest; docs/tables.md gives their reasons."""

    minimum_document_frequency: int = 2
    """A word in fewer articles than this has no id: it can connect no two articles."""

    vocabulary: int = 100_000
    """How many of the most frequent words have co-occurrence counts and vectors."""

    minimum_pair_sentences: int = 1
    """Two words that share fewer sentences than this have no co-occurrence count."""

    esa_terms: int = 200
    """How many of an article's heaviest words are projected on the concepts."""

    esa_postings: int = 1_000
    """How many articles, the heaviest, a word stands for."""

    esa_concepts: int = 500
    """How many concepts, the heaviest, an article's ESA vector keeps."""

    frequent_concepts: int = 10_000
    """How many of the most frequent concepts are the contexts of PMI2_C."""

    contexts: int = 200
    """How many of those, the ones with the highest PMI, a concept's vector keeps."""

    word2vec_dimensions: int = 100
    word2vec_window: int = 10
    word2vec_epochs: int = 3
    word2vec_minimum_count: int = 5
    word2vec_sample: float = 1e-5
    word2vec_skipgram: bool = True
    word2vec_seed: int = 1
    """Word2vec as Mikolov et al. 2013 describe it. Above the share ``word2vec_sample`` of the text, the more
    frequent a word is, the more of its occurrences are passed over."""

    mention_words: int = 6
    """The longest mention that is looked for, in words (TagMe, section 3)."""

    minimum_link_probability: float = 0.02
    """A mention that editors link more rarely than this is not annotated."""

    window_mentions: int = 20
    """How many mentions of a paragraph vote together; longer paragraphs are cut into equal windows."""

    candidate_senses: int = 10
    """How many of a mention's senses, the commonest, take part in the vote."""

    minimum_commonness: float = 0.02
    """A sense that fewer of the mention's links go to than this is no candidate (TagMe's tau)."""

    sense_epsilon: float = 0.3
    """Senses whose mean vote is at most this far below the best compete by commonness (TagMe's epsilon)."""

    minimum_coherence: float = 0.2
    """An annotation is pruned when the mean of link probability and coherence is below this (TagMe's rho)."""
