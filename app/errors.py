"""What can go wrong in the service and the batch scorer.

AppError
├── ForeignModel       the model was trained on another snapshot, and that was asked to be refused
├── NoTermModel        there is no model for free terms
├── NoSuchConcept      a title names no concept, or several
├── UnknownModelName   a model is asked for by a name that none has here
├── UnusableModel      it lacks what it reads: tables of the snapshot, or an encoder of texts
├── NoStarter          no snapshot is named, and none comes with this copy of wort
├── BrokenRelease      a release of the registry does not score
├── NoRelease          the registry has releases, and none of them can be served
├── AddressUnavailable the server cannot listen where it was told to
├── OutputExists       a file stands where the answer should go
├── OutputUnusable     what stands there is no file, leads nowhere, or may not be written
├── OutputBusy         another run writes the same answer
├── NoRoom             the disk is full; the same command goes on later
├── NotText            a text cannot be read: it is not UTF-8, or not there
└── PairsError         a file that cannot be read as pairs
    └── FileTooLarge   it has, or unfolds to, more than a file from elsewhere may
"""

from __future__ import annotations


class AppError(Exception):
    """Anything that goes wrong here, said so that a person knows what to do."""


class ForeignModel(AppError):
    """The model was trained on another snapshot, and ``strict`` refuses that."""


class NoTermModel(AppError):
    """There is no model for free terms: none was named, and none comes with wort."""


class NoSuchConcept(AppError, LookupError):
    """A title names no concept, or several; the message says what to ask instead."""


class UnknownModelName(AppError):
    """A model is asked for by a name that none has here; the message lists those that there are."""


class UnusableModel(AppError):
    """A model cannot score here: the snapshot lacks tables that it reads, or there is no encoder of texts."""


class NoStarter(AppError):
    """No snapshot is named, and the starter snapshot is not installed."""


class BrokenRelease(AppError):
    """A release is not what was promoted, or does not score."""


class NoRelease(AppError):
    """The registry has releases, and none of them can be served."""


class AddressUnavailable(AppError):
    """The server cannot listen on its address: the port is taken, or the address is not this machine's."""


class OutputExists(AppError):
    """A file stands where the answer should go."""


class OutputUnusable(AppError):
    """What stands where the answer should go is no file, leads nowhere, or may not be written."""


class OutputBusy(AppError):
    """Another run is writing the same answer."""


class NoRoom(AppError):
    """There is no room left for the answer. What is written is kept and the same command goes on."""


class NotText(AppError):
    """What should be a text is none: its bytes are not UTF-8."""


class PairsError(AppError):
    """A file as a whole cannot be read as pairs: it is empty, misses a column, is not what its name says."""


class FileTooLarge(PairsError):
    """A file from elsewhere has, or unfolds to, more than it may: ``limit``."""

    def __init__(self, message: str, limit: int) -> None:
        super().__init__(message)
        self.limit = limit
