"""What a command says where a package is missing that only building or training needs."""

from __future__ import annotations

EXTRAS = {
    "altair": "train",
    "duckdb": "build",
    "gensim": "build",
    "HanTa": "datasets",
    "joblib": "train",
    "lxml": "build",
    "pyarrow": "build",
    "scipy": "train",
    "sklearn": "train",
    "stop_words": "build",
    "threadpoolctl": "train",
    "vl_convert": "train",
    "wn": "datasets",
}
"""By the module that is missing, the extra of ``wort-server`` that brings it."""


def missing_extra(error: Exception, command: str) -> str | None:
    """What to install, where ``error`` is that a package of an extra is missing; None where it is another."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return None
    module = error.name.partition(".")[0]
    extra = EXTRAS.get(module)
    if extra is None:
        return None
    if module == "pyarrow" and command == "score":
        extra = "parquet"
    if command == "dataset":
        extra = "datasets"
    return (
        f"{module} is not installed, which `wort {command}` needs. Serving and scoring do without it, so an "
        f"extra brings it: pip install 'wort-server[{extra}]', or `make install` in a checkout."
    )
