"""What is asked of the file of names (``names``), in SQL: each takes a bounded number of looks."""

from __future__ import annotations

from sqlalchemy import text

AMONG_FEW = text("""
    SELECT count(*) FROM (SELECT 1 FROM names WHERE folded BETWEEN :first AND :last LIMIT :few)
""")

FIRST_SORTED = text("""
    SELECT title, folded, kind, concept, in_links
    FROM (SELECT * FROM names WHERE folded BETWEEN :first AND :last LIMIT :few)
    WHERE concept >= 0 ORDER BY in_links DESC, kind, folded
""")

# The index is walked from the most linked name on, in which the rows of the names are not read. CROSS has
# SQLite keep the order of the tables, and so that of the names.
WALKED_DOWN = text("""
    SELECT names.title, names.folded, names.kind, names.concept, names.in_links FROM (
        SELECT id, folded FROM names ORDER BY in_links DESC, kind, folded LIMIT :walked
    ) AS walked CROSS JOIN names ON names.id = walked.id
    WHERE walked.folded BETWEEN :first AND :last AND names.concept >= 0
""")

MOST_LINKED = text("""
    SELECT title, folded, kind, concept, in_links FROM names
    WHERE concept >= 0 ORDER BY in_links DESC, kind, folded LIMIT :most
""")

SPELT = text("""
    SELECT names.title, names.folded, names.kind, names.concept, names.in_links
    FROM json_each(:spellings) AS spelling CROSS JOIN names ON names.folded = spelling.value
    WHERE names.concept >= 0
""")

COMPLETED = text("""
    SELECT names.title, names.folded, names.kind, names.concept, names.in_links
    FROM json_each(:beginnings) AS beginning
    CROSS JOIN names ON names.folded BETWEEN beginning.value AND beginning.value || :end
    WHERE names.concept >= 0 LIMIT :most
""")

OF_CONCEPT = text("""
    SELECT title, folded, kind, concept, in_links FROM names
    WHERE concept = :concept ORDER BY kind LIMIT :most
""")

WITH_WORD = text("SELECT count(*) FROM (SELECT 1 FROM words_of_names WHERE word = :word LIMIT :few)")

# The key of a row is all of it, so that each other word is one look; the concepts count that have each.
WITH_WORDS = text("""
    SELECT one.concept FROM (
        SELECT minus_links, concept FROM words_of_names WHERE word = :word ORDER BY minus_links LIMIT :walked
    ) AS one
    WHERE :count = (
        SELECT count(*) FROM json_each(:others) AS other CROSS JOIN words_of_names AS also
        ON also.word = other.value AND also.minus_links = one.minus_links AND also.concept = one.concept
    )
    ORDER BY one.minus_links, one.concept LIMIT :most
""")

# Of each word the concepts that are linked the most, in that order, as one list.
MOST_LINKED_WITH = text("""
    SELECT asked.value AS word, (
        SELECT json_group_array(concept) FROM (
            SELECT concept FROM words_of_names WHERE word = asked.value
            ORDER BY minus_links, concept LIMIT :most
        )
    ) AS concepts
    FROM json_each(:words) AS asked
""")

# Of each pair of words the concepts that have both, among those of the first word that are linked the most.
MOST_LINKED_WITH_BOTH = text("""
    SELECT asked.key AS place, (
        SELECT json_group_array(concept) FROM (
            SELECT one.concept AS concept FROM (
                SELECT minus_links, concept FROM words_of_names
                WHERE word = json_extract(asked.value, '$[0]') ORDER BY minus_links, concept LIMIT :walked
            ) AS one CROSS JOIN words_of_names AS also
            ON also.word = json_extract(asked.value, '$[1]')
            AND also.minus_links = one.minus_links AND also.concept = one.concept
            ORDER BY one.minus_links, one.concept LIMIT :most
        )
    ) AS concepts
    FROM json_each(:pairs) AS asked
""")

# From each word to the next one, as many looks as words: the rows between are not read.
WORDS_BEGUN = text("""
    WITH RECURSIVE begun(word) AS (
        SELECT min(word) FROM words_of_names WHERE word BETWEEN :first AND :last
        UNION ALL
        SELECT (SELECT min(next.word) FROM words_of_names AS next
                WHERE next.word > begun.word AND next.word <= :last)
        FROM begun WHERE begun.word IS NOT NULL LIMIT :most
    )
    SELECT word FROM begun WHERE word IS NOT NULL
""")
