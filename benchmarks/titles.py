"""What benchmarks of a server ask it about: articles that the starter snapshot has."""

from __future__ import annotations

TITLES = (
    "Atheism",
    "Religion",
    "Biology",
    "Evolution",
    "Jazz",
    "Photosynthesis",
    "Physics",
    "History",
    "Music",
)
