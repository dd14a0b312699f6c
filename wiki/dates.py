"""Dates as figures, in the order in which the wiki's readers write them: 9/11 is September 11."""

from __future__ import annotations

import re

_MONTHS = {
    "en": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    )
}
"""The months, by the language of the wiki; of those alone that have the month in front."""

_DATE = re.compile(r"(?:the )?([0-9]{1,2})[/-]([0-9]{1,2})", re.IGNORECASE)

_MOST_DAYS = 31


def date_in_words(text: str, language: str) -> str | None:
    """A month and a day in figures as titles have them; None where a text is no such date.

    >>> [date_in_words(text, "en") for text in ("9/11", "9-11", "24/7", "1/32", "AC/DC")]
    ['September 11', 'September 11', None, None, None]
    >>> date_in_words("9/11", "de") is None
    True
    """
    months, found = _MONTHS.get(language, ()), _DATE.fullmatch(text)
    if found is None:
        return None
    month, day = int(found[1]), int(found[2])
    return f"{months[month - 1]} {day}" if 0 < month <= len(months) and 0 < day <= _MOST_DAYS else None
