"""Puts the figures of ``benchmarks/results/`` into the documents that show them.

``python -m benchmarks.pages`` rewrites what stands between ``<!-- table NAME/TABLE -->`` and ``<!-- end -->``
in every document of ``docs/``; ``<!-- hardware NAME -->`` asks for the machine, the date and the command.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.report import markdown, read_report

RESULTS = Path(__file__).parent / "results"
DOCS = Path(__file__).parent.parent / "docs"

_SHOWN = re.compile(r"(<!-- (table|hardware) ([\w-]+)(?:/([\w-]+))? -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(document: str, results: Path = RESULTS) -> str:
    """The document with every figure that it asks for as ``results`` has it now.

    Raises:
        FileNotFoundError, StopIteration: there is no such report, or it has no such table.
    """

    def shown(found: re.Match[str]) -> str:
        opening, kind, name, table, closing = found.groups()
        report = read_report(results / f"{name}.json")
        content = (
            markdown(report.table(table))
            if kind == "table"
            else f"{report.subject}. {report.hardware}. {report.date}, `{report.command}`."
        )
        return f"{opening}{content}\n{closing}"

    return _SHOWN.sub(shown, document)


def main() -> None:
    """Rewrite the documents."""
    for path in sorted(DOCS.glob("*.md")):
        before = path.read_text()
        if (after := filled(before)) != before:
            path.write_text(after)
            print(path)


if __name__ == "__main__":
    main()
