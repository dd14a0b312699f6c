"""``wort benchmarks`` and its commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.errors import OutputExists
from snapshots.errors import SnapshotError
from tests.wikis.toy import toy_snapshot
from training.benchmarks.declared import shipped
from training.errors import NotABenchmark

MC_30 = "".join(f"left{number}\tright{number}\t{number / 10}\n" for number in range(30))


@pytest.fixture(autouse=True)
def _no_folder_of_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORT_DATA_DIR", raising=False)


def wort(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(command_line(["benchmarks"]), ["benchmarks", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_all_are_listed_with_their_place_or_their_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "EN-MC-30.txt").write_text(MC_30)
    monkeypatch.setenv("WORT_DATA_DIR", str(tmp_path))
    for shown in (wort(), wort("list"), wort("--data-dir", tmp_path)):
        assert "Found under" in shown.stdout
        assert f"1 of {len(shipped())}" in shown.stdout
        assert "sets/EN-MC-30.txt" in shown.stdout
        for name, declaration in shipped().items():
            line, *address = (line for line in shown.stdout.splitlines() if line.split()[:1] == [name])
            assert f"{declaration.rows:,}" in line
            assert declaration.kind in line
            # An address stands unbroken on a line of its own.
            below = "sets/EN-MC-30.txt" if name == "mc-30" else declaration.source
            assert [each.split(maxsplit=1)[1] for each in address] == [below]
        assert max(map(len, shown.stdout.partition("Found under")[0].splitlines())) <= 100
    (found,) = (entry for entry in json.loads(wort("--json").stdout) if entry["found"])
    assert (found["name"], found["found"]) == ("mc-30", str(tmp_path / "sets" / "EN-MC-30.txt"))


def test_titles_are_printed_once_each_for_an_excerpt(tmp_path: Path) -> None:
    (tmp_path / "EN-MC-30.txt").write_text(MC_30)
    printed = wort("titles", "mc-30", "--data-dir", tmp_path).stdout.splitlines()
    assert printed == sorted({f"{side}{number}" for number in range(30) for side in ("left", "right")})


def test_without_a_folder_nothing_is_found() -> None:
    assert "No folder of data is set: set WORT_DATA_DIR" in wort().stdout
    checked = wort("check")
    assert (checked.exit_code, checked.stdout) == (0, "")
    assert "No folder of data is set" in checked.stderr


def test_one_is_shown_in_full() -> None:
    shown = wort("show", "wordsim353").stdout
    for part in ("Finkelstein", "CC BY 4.0", "combined.tab", "Human (mean)"):
        assert part in shown
    assert json.loads(wort("show", "wordsim353", "--json").stdout)["rows"] == 353
    wikisim = wort("show", "wikisim").stdout
    assert "\t" not in wikisim
    assert "delimiter  a tab" in wikisim
    assert "files      wikipediaSimilarity353.csv" in wikisim.partition("another form")[2]
    with pytest.raises(NotABenchmark, match="wordsim353"):
        wort("show", "wordsim")


def test_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "EN-MC-30.txt"
    path.write_text(MC_30)
    checked = wort("check", "mc-30", "--data-dir", tmp_path)
    assert checked.exit_code == 1
    assert "mc-30: 30 rows, not what was declared" in checked.stdout
    assert "Its first record is 'left0', 'right0', 0" in checked.stdout
    assert "other bytes than the file that was declared" in checked.stdout
    path.write_text(MC_30.partition("left29")[0])
    (result,) = json.loads(wort("check", "--data-dir", tmp_path, "--json").stdout)
    assert "29 pairs, where mc-30 has exactly 30. The file is cut off" in result["problems"][0]
    with pytest.raises(NotABenchmark, match=r"MEN was not found under .*uva\.nl"):
        wort("check", "men", "--data-dir", tmp_path)


def test_the_real_files_are_as_declared(data_dir: Path) -> None:
    checked = wort("check", "all", "--data-dir", data_dir)
    assert checked.exit_code == 0, checked.stdout
    assert checked.stdout.count("as declared") == 17


def test_a_benchmark_of_ones_own_is_checked(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('name = "mine"\nfiles = ["mine.csv"]\n')
    (tmp_path / "mine.csv").write_text("left,right,score\na,b,1\n")
    assert "mine: 1 rows, as declared" in wort("check", tmp_path / "mine.toml").stdout


def test_terms_need_concepts_a_free_place_and_mentions(tmp_path: Path) -> None:
    snapshot = toy_snapshot(tmp_path / "toy").folder
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("left,right,score\nCat,Dog,1\n")
    output = tmp_path / "terms.csv"
    both = wort("terms", "--snapshot", snapshot, "-o", output)
    assert both.exit_code == 2
    assert "either --benchmark NAME or --pairs FILE" in both.stderr
    wrong = wort("terms", "--snapshot", snapshot, "--pairs", pairs, "-o", tmp_path / "terms.xls")
    assert wrong.exit_code == 2
    with pytest.raises(SnapshotError, match="no mention dictionary"):
        wort("terms", "--snapshot", snapshot, "--pairs", pairs, "-o", output, "--quiet")
    output.with_suffix(".toml").touch()
    with pytest.raises(OutputExists, match=r"terms\.toml exists already"):
        wort("terms", "--snapshot", snapshot, "--pairs", pairs, "-o", output)
