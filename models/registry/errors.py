"""What can go wrong with the registry.

RegistryError
├── RegistryUnavailable   locked, away, refused, not writable, full: it may work later, or with other rights
├── BadAddress            the URL is of no kind that is known here
├── NotARegistry          the database holds something else, is damaged, or holds no registry yet
├── WrongSchema           its tables are of another version of wort
├── BadEntry              a name or text that the registry does not take
├── UnknownModel          no model of that name, or no such version of it
├── UnknownRelease        no release of that number, or none to go back to
├── UnknownRun            no retraining of that number
├── UnknownKey            no key of that name or number in force
├── DamagedModel          what is stored is not what was registered
├── StalePromotion        another release came in between
├── RunInProgress         another retraining has not ended
├── RunEnded              the retraining has ended already
├── DamagedExport         an export that is cut off, altered, or none at all
└── ImportConflict        an export that contradicts what the registry holds
"""

from __future__ import annotations


class RegistryError(Exception):
    """Anything that goes wrong with the registry; the message says why and what to do."""


class RegistryUnavailable(RegistryError):
    """The database cannot be read or written now; who polls it keeps what they have and asks again."""


class BadAddress(RegistryError):
    """The URL names no file and no database that a registry can be kept in."""


class NotARegistry(RegistryError):
    """The database holds something else than a registry, is damaged, or holds no registry yet."""


class WrongSchema(RegistryError):
    """The registry's tables are those of another version of wort."""


class BadEntry(RegistryError):
    """A name, text or file that the registry does not take."""


class UnknownModel(RegistryError):
    """No model of this name, or no such version of it."""


class UnknownRelease(RegistryError):
    """No release has this number, or there is none to go back to."""


class UnknownRun(RegistryError):
    """No retraining has this number."""


class UnknownKey(RegistryError):
    """No key in force has this name or number."""


class DamagedModel(RegistryError):
    """The bytes that are stored are not those that were registered."""


class StalePromotion(RegistryError):
    """Another release was made after the one that the caller saw in force."""


class RunInProgress(RegistryError):
    """Another retraining has not ended."""


class RunEnded(RegistryError):
    """The retraining has ended already; what is reported of it comes too late."""


class DamagedExport(RegistryError):
    """The file is cut off, was altered, or is no export of a registry."""


class ImportConflict(RegistryError):
    """The export says something else than the registry that it should be imported into."""
