"""What the annotator finds in a text with the snapshot that comes with wort."""

from __future__ import annotations

from app.serving.starter import snapshot_path
from snapshots.annotator import Annotator
from snapshots.snapshot import Snapshot


def starter_annotator() -> Annotator:
    """That of the starter, as it annotates by default."""
    return Annotator.of_snapshot(Snapshot.open(snapshot_path()))


def titles_in(starter: Annotator, text: str) -> dict[str, str]:
    """The mentions in a text, each with the title of its concept."""
    titles = Snapshot.open(snapshot_path()).concept_titles
    return {text[one.start : one.end]: titles[one.concept] for one in starter.annotate(text)}
