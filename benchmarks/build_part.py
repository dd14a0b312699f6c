"""Some stages of a build, as a command: what ``benchmarks.build`` times beside a peer's commands.

It is a module of its own so that the processes of the build, which import what started them, begin as soon
as those of ``wort build`` do.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(dump: str, folder: str, workers: str, memory: str, *stages: str) -> None:
    """Run the stages in ``folder``, which keeps what they write, and print the seconds of each as JSON.

    The first has the start of the processes in it.
    """
    # ruff: noqa: PLC0415 see above
    from tables.memory import keep_little_memory

    keep_little_memory()  # before the engine is imported, as wort build does
    from features.measures import positive_pmi
    from tables.build import STAGES
    from tables.local import LocalRunner
    from tables.settings import BuildSettings
    from tables.stage import Build, announce_nothing, run_stages
    from wiki.dump import Dump

    with LocalRunner(int(workers), int(memory), Path(folder) / "scratch") as runner:
        build = Build(Dump.open(Path(dump)), Path(folder), runner, BuildSettings(), positive_pmi)
        run_stages(build, [stage for stage in STAGES if stage.name in stages], "", announce_nothing)
    print(json.dumps([entry.seconds for entry in build.entries]))


if __name__ == "__main__":
    main(*sys.argv[1:])
