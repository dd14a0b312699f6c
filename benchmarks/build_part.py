"""Some stages of a build, as a command: what ``benchmarks.build`` times beside a peer's commands.

    python -m benchmarks.build_part DUMP FOLDER WORKERS BYTES STAGE...

``FOLDER`` keeps what the stages write; the seconds of each are printed as JSON. Worker processes import
this module, so it imports nothing for them: they begin as soon as those of ``wort build`` do.
"""

from __future__ import annotations

if __name__ == "__main__":
    from building.memory import keep_little_memory

    keep_little_memory()  # before the engine is imported, as wort build does

    import json
    import sys
    from pathlib import Path

    from building.build import STAGES
    from building.engines.local import LocalRunner
    from building.stage import Build, announce_nothing, run_stages
    from snapshots.settings import BuildSettings
    from wiki.dump import Dump

    dump, folder, workers, memory, *stages = sys.argv[1:]
    with LocalRunner(int(workers), int(memory), Path(folder) / "scratch") as runner:
        build = Build(Dump.open(Path(dump)), Path(folder), runner, BuildSettings())
        run_stages(build, [stage for stage in STAGES if stage.name in stages], "", announce_nothing)
    print(json.dumps([entry.seconds for entry in build.entries]))
