"""Every command that writes looks at where it writes to before it begins."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import COMMANDS, command_line
from app.cli.exit_codes import exit_code
from app.errors import OutputUnusable
from app.outputs import check_folder, check_output
from building.target import check_target
from snapshots.errors import SnapshotError

# What is read does not exist: a command that looks at that first has begun. OUT is where it writes to.
FILES = (
    "train --snapshot absent --pairs absent.csv -o OUT",
    "train --snapshot absent --pairs absent.csv -o model.json --report OUT",
    "train --snapshot absent --pairs absent.csv -o model.json --html OUT",
    "evaluate --snapshot absent --pairs absent.csv --report OUT",
    "evaluate --snapshot absent --pairs absent.csv --html OUT",
    "retrain --snapshot absent --pairs absent.csv --report OUT",
    "retrain --snapshot absent --pairs absent.csv --html OUT",
    "experiments bird --snapshot absent --pairs absent.csv --plot OUT",
    "benchmarks terms --snapshot absent --pairs absent.csv -o OUT.csv",
    "models show absent --save-model OUT",
    "models show absent --save-report OUT",
    "models show absent --save-html OUT",
    "models export OUT",
    "score absent.csv --snapshot absent -o OUT",
)
FOLDERS = (
    "build absent.xml -o OUT",
    "dataset select word --texts . -o OUT",
    "excerpt absent -o OUT",
    "tune --base absent --pairs absent.csv -o OUT",
    "download --wiki simplewiki --site http://127.0.0.1:9 -o OUT",
)


def _run(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> BaseException | None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("WORT_DATABASE", f"sqlite:///{folder / 'registry.sqlite'}")
    arguments = command.replace("OUT", "out").split()
    return CliRunner().invoke(command_line([arguments[0]]), arguments).exception


@pytest.mark.parametrize("command", [*FILES, *FOLDERS])
def test_a_link_that_leads_nowhere_is_refused_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    name = "out.csv" if "OUT.csv" in command else "out"
    (tmp_path / name).symlink_to("gone")
    raised = _run(command, tmp_path, monkeypatch)
    assert isinstance(raised, OutputUnusable | SnapshotError), raised
    assert "leads nowhere" in str(raised)
    assert exit_code(raised) is not None
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("command", FILES)
def test_a_folder_or_a_pipe_is_refused_first_even_with_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    name = "out.csv" if "OUT.csv" in command else "out"
    os.mkfifo(tmp_path / name)
    force = "" if command.startswith("experiments") and "--plot" not in command else " --force"
    assert isinstance(_run(command + force, tmp_path, monkeypatch), OutputUnusable)
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    assert isinstance(_run(command + force, tmp_path, monkeypatch), OutputUnusable)


def test_every_output_is_among_them() -> None:
    """Those that commands call by the usual names."""
    tried = {(command.split()[0], part) for command in (*FILES, *FOLDERS) for part in command.split()}
    for name in COMMANDS:
        shown = CliRunner().invoke(command_line([name]), [name, "--help"]).output
        if "--output" in shown:
            assert (name, "-o") in tried
        for option in ("--report", "--html", "--plot"):
            if option in shown:
                assert (name, option) in tried


@pytest.mark.parametrize("command", [command for command in FILES if "OUT" in command.split()])
def test_what_stands_in_no_folder_is_refused_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / "file").touch()
    for place, why in (("gone/x", "gone, where x should go, does not exist"), ("file/x", "is no folder")):
        raised = _run(command.replace("OUT", place), tmp_path, monkeypatch)
        assert isinstance(raised, OutputUnusable), raised
        assert why in str(raised)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["out.xlsx", "out.csv.gz", "out.JSON"])
def test_an_output_whose_ending_is_no_format_is_refused_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    command = f"score absent.csv --snapshot absent -o {name}"
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(command_line(["score"]), command.split())
    assert refused.exit_code == 2
    said = " ".join(refused.stderr.replace("│", " ").split())
    assert f"the name {name} ends in {Path(name).suffix}, which is none of .csv, .tsv" in said
    assert "--output-format" in said
    # What is named a format otherwise, or has no ending at all, is begun with.
    for other in (f"{command} --output-format csv", command.replace(name, "out")):
        raised = _run(other, tmp_path, monkeypatch)
        assert raised is not None
        assert "absent" in str(raised)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputUnusable, match="may not be written"):
        check_output(tmp_path / "out")


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_folder(tmp_path / "new" / "folder")
    (tmp_path / "file").touch()
    with pytest.raises(OutputUnusable, match="file, where out should go, is no folder"):
        check_folder(tmp_path / "file" / "out")
    # Root may write anywhere.
    monkeypatch.setattr(os, "access", lambda place, _: place != tmp_path)
    for name in (".", "out", "new/folder"):
        with pytest.raises(OutputUnusable, match=f"^{tmp_path} may not be written by this user"):
            check_folder(tmp_path / name)


@pytest.mark.parametrize("leads", ["gone", "out", "gone/file", "/proc/self/fd/999999999"])
def test_wherever_a_link_does_not_lead_it_is_refused(tmp_path: Path, leads: str) -> None:
    (tmp_path / "out").symlink_to(leads)
    for check in (check_output, check_folder):
        with pytest.raises(OutputUnusable, match="leads nowhere"):
            check(tmp_path / "out")
    with pytest.raises(SnapshotError, match="leads nowhere"):
        check_target(tmp_path / "out")


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "out").symlink_to("file")
    check_output(tmp_path / "out")
    check_output(tmp_path / "new")


@pytest.mark.parametrize("options", ["", " --force"])
def test_a_folder_of_something_else_is_never_replaced_by_an_encoder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "diary.txt").write_text("mine")
    raised = _run(f"tune --base absent --pairs absent.csv -o OUT{options}", tmp_path, monkeypatch)
    assert isinstance(raised, OutputUnusable)
    assert "holds no encoder" in str(raised)
    assert (tmp_path / "out" / "diary.txt").read_text() == "mine"
