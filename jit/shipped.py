"""The compiled code that comes with wort, so that a new machine need not compile.

numba compiles for the very processor at hand. The code that comes with wort is for what nearly every server
can run (``TARGETS``); where it is used, whatever else this process compiles is for the same. It is used only
where compiling here would give nothing else: the same minor version of Python, the same versions of what
compiles, sources with the same checksums, and a processor with all that the target asks for. Otherwise,
kernels are compiled for this processor, and so they are where numba was given settings of its own
(``NUMBA_OPT=3`` is enough).

An archive is a zip of what ``jit.compiled`` keeps of each function, which is a pickle: it is read from the
folder of this package alone, and only if its checksum is the one in the manifest beside it, as much to be
trusted as the sources are.
"""

from __future__ import annotations

import hashlib
import io
import os
import platform
import sys
import zipfile
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import msgspec
import numba

FOLDER = Path(__file__).parent / "code"
"""Where the archives are, and the manifest that describes them."""

MANIFEST = "manifest.json"

SOURCES = (
    "jit/compiled.py",
    "jit/formulas.py",
    "jit/simd.py",
    "jit/steps.py",
    "measures/*.py",
    "features/kernels.py",
    "features/filling.py",
    "features/terms/kernels.py",
    "snapshots/annotator/kernels.py",
)
"""What the code is made of: the files of compiled functions that serving calls, and of what these call."""

_UNMOVED = frozenset({"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"})
"""Settings of numba that change nothing in the code."""


class Target(msgspec.Struct, frozen=True):
    """A processor that code is made for: LLVM's name of it, and what it has to have, as LLVM says.

    ``called``: what archives for it are called by.
    """

    called: str
    name: str
    needs: tuple[str, ...]


TARGETS = {
    "x86_64": Target(
        "x86-64-v3",
        "x86-64-v3",
        ("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse4.2"),
    ),
    "aarch64": Target("aarch64", "generic", ()),
}
"""By machine, as ``platform.machine`` names it."""


class Archive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an archive was made by, for and of. ``sources``: a digest of the files of ``SOURCES``."""

    file: str
    sha256: str
    machine: str
    target: str
    python: str
    numba: str
    llvmlite: str
    sources: str

    def suits(self, other: Archive) -> bool:
        """Whether both are the same but for what is in them."""
        return msgspec.structs.replace(self, sha256=other.sha256, sources=other.sources) == other


class ShippedCode:
    """An archive, by the names that ``jit.compiled`` gives functions for arguments of some types."""

    def __init__(self, content: bytes) -> None:
        """``content``: that of the archive, whose checksum holds."""
        self._content = content

    def take(self, name: str) -> bytes | None:
        """What there is under ``name``; None where it is to be compiled."""
        return self._archive.read(name) if name in self._names else None

    @cached_property
    def _archive(self) -> zipfile.ZipFile:
        return zipfile.ZipFile(io.BytesIO(self._content))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._archive.namelist())


def this_machines() -> Archive | None:
    """What an archive for this process has to be made by and for; None where there is no target for it."""
    machine = platform.machine()
    target = TARGETS.get(machine)
    if target is None or sys.implementation.name != "cpython" or sys.platform != "linux":
        return None
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    file = f"cp{python.replace('.', '')}-{target.called}.zip"
    return Archive(file, "", machine, target.name, python, numba.__version__, llvmlite.__version__, "")


def aim(machine: str) -> None:
    """Have this process compile for the target of ``machine``, and not for the very processor at hand."""
    settings: Any = numba.config
    settings.CPU_NAME, settings.CPU_FEATURES = TARGETS[machine].name, ""


def shipped_code(folder: Path = FOLDER) -> ShippedCode | None:
    """The archive for this process, which then compiles for its target; None where none is to be used."""
    wanted = this_machines()
    if wanted is None or _has_settings(os.environ) or not _has(TARGETS[wanted.machine].needs):
        return None
    try:
        known = archives(folder)
        archive = next((archive for archive in known if archive.suits(wanted)), None)
        if archive is None or archive.sources != sources_digest():
            return None
        content = (folder / archive.file).read_bytes()
    except (OSError, msgspec.MsgspecError):
        return None  # a package without its archives compiles, as it would anywhere else
    if hashlib.sha256(content).hexdigest() != archive.sha256:
        return None
    aim(wanted.machine)
    return ShippedCode(content)


def archives(folder: Path = FOLDER) -> list[Archive]:
    """What the manifest in ``folder`` describes.

    Raises:
        OSError: it cannot be read.
        msgspec.MsgspecError: it is no manifest.
    """
    return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=list[Archive])


def write_archive(content: Mapping[str, bytes], folder: Path = FOLDER) -> Archive:
    """Write what was kept of each function, by its name, as the archive for processes like this one.

    Those for others stay, and so does the manifest's word on them. The same content gives the same bytes.
    """
    like = this_machines()
    if like is None:
        raise RuntimeError(f"there is no target for {platform.machine()} in jit/shipped.py")
    folder.mkdir(exist_ok=True)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name in sorted(content):
            file.writestr(zipfile.ZipInfo(name), content[name], zipfile.ZIP_DEFLATED, 9)
    (folder / like.file).write_bytes(packed.getvalue())
    sha256 = hashlib.sha256(packed.getvalue()).hexdigest()
    made = msgspec.structs.replace(like, sha256=sha256, sources=sources_digest())
    known = archives(folder) if (folder / MANIFEST).exists() else []
    others = [archive for archive in known if archive.file != made.file]
    described = msgspec.json.encode(sorted([*others, made], key=lambda archive: archive.file))
    (folder / MANIFEST).write_bytes(msgspec.json.format(described, indent=2) + b"\n")
    return made


def source_files(root: Path = FOLDER.parent.parent) -> list[Path]:
    """The files of ``SOURCES``."""
    return sorted(path for pattern in SOURCES for path in root.glob(pattern))


def sources_digest() -> str:
    """A digest of what the code is made of, in hex."""
    digest = hashlib.sha256()
    for path in source_files():
        digest.update(f"{path.parent.name}/{path.name} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _has_settings(environment: Iterable[str]) -> bool:
    """Whether numba was told anything that may change the code."""
    return any(name.startswith("NUMBA_") and name not in _UNMOVED for name in environment)


def _has(needs: Iterable[str]) -> bool:
    """Whether this processor has all of that."""
    features = llvmlite.binding.get_host_cpu_features()
    return all(features.get(need, False) for need in needs)
