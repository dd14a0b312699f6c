"""What can go wrong with tables and snapshots.

TableError
├── BuildError                a build cannot go on; what is finished is kept
│   ├── DiskFull              no room for what the build writes
│   ├── EngineUnavailable     what runs the build is not installed, or cannot be reached
│   └── OutOfMemory           less memory than the build needs
├── NotMapped                 the machine has no room at present to map a file that is as it should be
└── SnapshotError             a folder that cannot be used as a snapshot
    ├── NotASnapshot          no manifest, or not one of ours
    ├── WrongFormat           written by another format version
    └── DamagedSnapshot       a file is missing or not what the manifest says
"""

from __future__ import annotations


class TableError(Exception):
    """Anything that goes wrong while tables are built, opened or read."""


class BuildError(TableError):
    """A build cannot go on. What is finished is kept and the same command resumes it."""


class DiskFull(BuildError):
    """There is no room left for what the build writes."""


class EngineUnavailable(BuildError):
    """The engine that was asked for is not installed, or cannot be reached."""


class OutOfMemory(BuildError):
    """A worker was killed for the memory it held, or a query was given too little."""


class NotMapped(TableError):
    """The machine has no room at present to map a file; the file may be as it should be."""


class SnapshotError(TableError):
    """A folder cannot be used as a snapshot."""


class NotASnapshot(SnapshotError):
    """The folder has no manifest, or the manifest is not one of wort's."""


class WrongFormat(SnapshotError):
    """The snapshot was written by another version of the format."""


class DamagedSnapshot(SnapshotError):
    """A file of the snapshot is missing, or is not what the manifest says it is."""


def replaced(path: object, opened: str = "it") -> DamagedSnapshot:
    """The error that says that the file ``path`` is another one than when ``opened`` was opened."""
    return DamagedSnapshot(
        f"{path} was replaced or changed after {opened} was opened. Put another snapshot into a folder of "
        "its own, and open or promote that."
    )


def damaged(what: object, found: str) -> DamagedSnapshot:
    """The error that says that ``what``, a file or a table, is damaged, what was found, and what to do."""
    return DamagedSnapshot(
        f"{what} is damaged: {found}. Copy the snapshot again or build it again; "
        "`wort verify` says which of its files were altered."
    )
