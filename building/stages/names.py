"""Names: what the snapshot's look-ups from titles need, beside what the concepts stage says."""

from __future__ import annotations

from building.stage import Build, Stage


def run(build: Build) -> None:
    """Write ``senses``, of ambiguous titles, and ``names``, each with its in-links."""
    folder, concepts, links = build.folder(STAGE.name), build.folder("concepts"), build.folder("links")
    build.sql(_IN_LINKS, folder / "in_links", occurrences=links / "occurrences")
    build.sql(
        _SENSES,
        folder / "senses",
        links=links / "targets",
        pages=concepts / "marked",
        names=concepts / "names",
        in_links=folder / "in_links",
    )
    build.sql(_NAMES, folder / "names", names=concepts / "names", in_links=folder / "in_links")


_IN_LINKS = """
    SELECT target AS concept, cast(count(DISTINCT source) AS int) AS in_links FROM occurrences GROUP BY target
"""

_SENSES = """
    SELECT title, concept,
           cast(row_number() OVER (PARTITION BY title ORDER BY in_links DESC, concept) - 1 AS int) AS rank
    FROM (
        SELECT DISTINCT n.title, s.concept, coalesce(i.in_links, 0) AS in_links
        FROM (
            SELECT p.title, l.target,
                   row_number() OVER (PARTITION BY l.page_id, l.paragraph ORDER BY l.start, l.target) AS place
            FROM links l
            JOIN pages p ON p.page_id = l.page_id AND p.disambiguation
            WHERE l.paragraph >= 0
        ) l
        JOIN names n ON n.target = l.title AND n.concept < 0
        JOIN names s ON s.title = l.target AND s.concept >= 0
        LEFT JOIN in_links i ON i.concept = s.concept
        WHERE l.place = 1
    ) candidates
    ORDER BY title, rank
"""
"""The senses of ambiguous titles: the first link of each line of a disambiguation page."""

_NAMES = """
    SELECT n.title, n.kind, n.concept, coalesce(i.in_links, 0) AS in_links
    FROM names n LEFT JOIN in_links i ON i.concept = n.concept
    ORDER BY n.kind, n.concept, n.title
"""


STAGE = Stage("names", ("pages", "concepts", "links"), run, version=2, label="Listing names")
