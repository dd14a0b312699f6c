"""The parts of numba that it does not document and this project relies on: each is named, with its reason.

``pyproject.toml`` bounds numba for them. Where a later version fails here, ``jit/compiled.py`` or
``jit/steps.py`` has to change before the bound does. ``test_steps.py`` judges how arrays lie in memory.
"""

from __future__ import annotations

import importlib
import inspect

import numba
import pytest

import jit.compiled

PARTS = {
    "numba.core.caching:NullCache.load_overload": "is asked for code before a function is compiled",
    "numba.core.caching:NullCache.save_overload": "is given code once a function is compiled",
    "numba.core.compiler:CompileResult._reduce": "turns compiled code into what can be kept",
    "numba.core.compiler:CompileResult._rebuild": "turns what was kept into compiled code",
    "numba.core.codegen:CPUCodegen.magic_tuple": "names the processor that code is for",
    "numba.core.codegen:CPUCodeLibrary.has_dynamic_globals": "tells code that holds addresses of a process",
    "numba.core.codegen:JITCodeLibrary.get_pointer_to_function": "tells where the machine code of a step is",
    "numba.core.callconv:CPUCallConv.call_function": "has a step called by its address",
    "numba.core.callconv:CPUCallConv.get_function_type": "says how machine code is called",
    "numba.core.callconv:CPUCallConv.return_status_propagate": "hands on what a step raises",
    "numba.core.dispatcher:Dispatcher.compile": "compiles a step for what it is bound to",
    "numba.core.event:Listener.on_start": "is told when compiling begins",
    "numba.core.event:Listener.on_end": "is told when compiling ends, or fails",
    "numba.core.event:register": "has a listener be told",
    "numba.core.serialize:dumps": "pickles numba's own objects",
}


@pytest.mark.parametrize("part", PARTS)
def test_the_part_is_there(part: str) -> None:
    module, _, names = part.partition(":")
    found = importlib.import_module(module)
    for name in names.split("."):
        assert hasattr(found, name), f"numba {numba.__version__} has no {part}, which {PARTS[part]}"
        found = getattr(found, name)


@pytest.mark.parametrize("name", ["load_overload", "save_overload"])
def test_the_cache_is_asked_as_it_was(name: str) -> None:
    theirs, ours = (
        len(inspect.signature(getattr(cache, name)).parameters)
        for cache in (getattr(jit.compiled, "NullCache"), jit.compiled._FunctionCode)  # noqa: B009 an import of its
    )
    assert theirs == ours, f"numba {numba.__version__} calls {name} otherwise"


def test_a_compiled_function_keeps_its_cache_where_ours_is_put() -> None:
    assert hasattr(numba.njit(lambda: None), "_cache"), "its code would be kept nowhere"
