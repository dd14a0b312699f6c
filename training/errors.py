"""What can go wrong with judgements, and with training and judging on them.

TrainingError
├── BenchmarkError     a file of judgements cannot be used
│   ├── NotABenchmark  as a whole: no such file, no judgements, a column or the split asked for missing
│   └── BadRow         a row of it, named by its line
├── TooFewPairs        what remains of the judgements is not enough to learn from or to judge by
├── NotFitted          no best model was found
└── MissingEncoder     the sentence encoder of a baseline cannot be used
"""

from __future__ import annotations


class TrainingError(Exception):
    """Judgements cannot be used; the message says why and what to do."""


class BenchmarkError(TrainingError):
    """A file of judgements cannot be used."""


class NotABenchmark(BenchmarkError):
    """The file as a whole cannot be read as judgements."""


class BadRow(BenchmarkError):
    """A row of the file is not a judgement; the message names its line."""


class TooFewPairs(TrainingError):
    """Too few pairs, or too few topics, remain to learn from or to judge by."""


class NotFitted(TrainingError):
    """A fit ended before it had found the best model."""


class MissingEncoder(TrainingError):
    """The sentence encoder cannot be used: its library is not installed, or the folder holds no model."""
