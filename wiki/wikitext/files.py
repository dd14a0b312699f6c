"""Files and galleries: which of their parts is the caption."""

from __future__ import annotations

import re

_PART = re.compile(r"(?:[^\[\]|]++|\[\[[^\[\]]*+\]\]|[\[\]])++")
# An option is one word in any language ("thumb", "mini", "250px", "x300 px"), or a name and a value.
_OPTION = re.compile(r"\s*+(?:[^\s\[]*+|x?\d+(?:x\d+)?\s*px|[\w-]+\s*=.*+)\s*+", re.DOTALL)


def caption(parts: str) -> str:
    """Return the caption among the ``parts`` behind a file's name, "" if there is none.

    It is the last part that is no option. A single word counts as an option, since the words for them
    differ from wiki to wiki; so a caption of one word is only seen if it is a link.

    >>> caption("thumb|250px|The [[Castle|old castle]] in winter|links")
    'The [[Castle|old castle]] in winter'
    """
    candidates = _PART.findall(parts) if "[[" in parts else parts.split("|")
    for part in reversed(candidates):
        if not _OPTION.fullmatch(part):
            return str(part)
    return ""


def gallery_as_links(content: str) -> str:
    """Return the files of a gallery, "name|caption" a line, as file links with a line each."""
    lines = [""]
    for line in content.splitlines():
        name, bar, rest = line.partition("|")
        if bar and name.strip() and rest.count("[[") == rest.count("]]"):
            # A gallery's file may stand without its namespace; this one is known to every wiki.
            lines.append(f"[[File:{name.rpartition(':')[2].strip()}|{rest}]]")
    lines.append("")
    return "\n".join(lines)
