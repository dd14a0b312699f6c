"""What a dump says about its wiki: name, language, namespaces and the first-letter rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

FIRST_LETTER = "first-letter"
CASE_SENSITIVE = "case-sensitive"


@dataclass(frozen=True, slots=True)
class Namespace:
    """One namespace: its number, its local name ("" for articles) and its case rule.

    ``case`` is ``"first-letter"`` (titles start with a capital) or ``"case-sensitive"``.
    """

    key: int
    name: str
    case: str = FIRST_LETTER


@dataclass(frozen=True, slots=True)
class Siteinfo:
    """A wiki as its dump describes it.

    ``dbname`` is the wiki's database name, "enwiki" for the English Wikipedia; ``language`` its code, "en".
    ``case`` holds for every namespace that does not state its own.
    """

    sitename: str
    dbname: str
    language: str
    case: str
    namespaces: tuple[Namespace, ...]

    @property
    def codes(self) -> frozenset[str]:
        """What a host of Wikipedia may be called where it serves this wiki: language, and database's name."""
        return frozenset((self.language.lower(), self.dbname.removesuffix("wiki").replace("_", "-")))

    def to_json(self) -> dict[str, Any]:
        """Return the same facts as JSON values."""
        return asdict(self) | {"namespaces": list(map(asdict, self.namespaces))}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Siteinfo:
        """Read what ``to_json`` wrote. Raises KeyError where a fact is missing."""
        return cls(
            sitename=str(record["sitename"]),
            dbname=str(record["dbname"]),
            language=str(record["language"]),
            case=str(record["case"]),
            namespaces=tuple(
                Namespace(int(n["key"]), str(n["name"]), str(n["case"])) for n in record["namespaces"]
            ),
        )
