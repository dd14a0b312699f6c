"""A synthetic Wikipedia of any size: a real multistream dump of made-up pages, shaped as real wikis are.

``measure`` reads what real dumps are like; ``figures`` keeps what it found; ``titles``, ``text`` and
``pages`` make pages by those figures; ``dump`` writes them. ``names`` makes a snapshot's names alone, of the
titles of a real wiki, for what is measured of looking up and searching.
"""
