"""What somebody mistypes on the command line is told of plainly, before anything is computed."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
import typer

import wort
from app.cli.answering import settings_for
from app.cli.build import _check_date, _refuse_archives
from app.cli.compare import compare
from app.cli.interruption import GOES_ON, told_when_stopped
from app.cli.registry.tables import kept_in
from app.cli.score import _formless
from app.cli.serve import listen, serve
from app.cli.settings import read_settings, tell_unknown
from app.cli.train import _hint
from app.errors import AddressUnavailable, NoSuchConcept, UnknownModelName
from app.model_names import check_model_name
from app.scoring.offered import term_models
from app.serving.starter import snapshot_path, term_model
from app.settings import Settings
from models.errors import ModelError
from models.registry.registry import Registry
from models.storage.address import DatabaseAddress
from snapshots.snapshot import Snapshot
from wiki.errors import NotADump


def test_no_day_that_is_none_is_a_date() -> None:
    for date in ("", "2020-02-29", "2015-05-23"):
        _check_date(date)
    for date, said in (("2020-13-01", "no day"), ("2021-02-29", "no day"), ("foo", "YYYY-MM-DD")):
        with pytest.raises(typer.BadParameter, match=said):
            _check_date(date)


def test_folders_and_archives_are_no_dumps(tmp_path: Path) -> None:
    archive = tmp_path / "wiki.tar.xz"
    archive.write_bytes(b"")
    for dump, said in ((tmp_path, "is a folder"), (archive, "archive of files")):
        with pytest.raises(NotADump, match=said):
            _refuse_archives(dump)
    _refuse_archives(tmp_path / "pages.xml.bz2")


def test_who_stops_a_build_is_told_that_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended, told_when_stopped(GOES_ON):
        raise KeyboardInterrupt
    assert ended.value.exit_code == 130
    assert capsys.readouterr().err == "wort: stopped. The same command goes on from here.\n"


@pytest.mark.parametrize(
    ("name", "said"), [("pairs.csv.gz", "gunzip"), ("pairs.json", "JSON Lines"), ("pairs.doc", ".csv")]
)
def test_what_to_do_with_a_file_of_no_format(tmp_path: Path, name: str, said: str) -> None:
    file = tmp_path / name
    file.write_bytes(b"")
    assert said in str(_formless(file))


def test_a_port_that_is_taken_is_named_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AddressUnavailable) as refused:
            listen("127.0.0.1", port)
    assert str(refused.value).startswith(f"cannot listen on 127.0.0.1 port {port}: Address already in use.")
    assert "(" not in str(refused.value)


def test_a_mistyped_model_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text("{}")
    for given in (None, "wort-plus", "mine", "models/none.json"):
        check_model_name(None if given is None else Path(given))
    for ask in (lambda: check_model_name(Path("wrot")), lambda: wort.open(model="wrot")):
        with pytest.raises(UnknownModelName, match="wort-plus, wort and regression"):
            ask()


@pytest.mark.parametrize("name", ["model", "term_model"])
def test_a_mistyped_model_of_the_environment_is_told_of_with_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(f"WORT_{name.upper()}", "wrot")
    with pytest.raises(
        UnknownModelName, match=rf"^WORT_{name.upper()}: there is no model 'wrot', and no file"
    ):
        read_settings([name])
    read_settings(["snapshot"])  # of a command that takes no model
    if name == "term_model":
        settings_for(None, None, terms=False)  # or none of terms
    with pytest.raises(UnknownModelName, match=r"^there is no model 'wort-puls'"):
        read_settings([name], model=Path("wort-puls"), term_model=Path("wort-puls"))
    read = read_settings([name], model=Path("wort"), term_model=Path("wort"))
    assert getattr(read, name) == Path("wort")


def test_a_mistyped_variable_is_told_of_with_the_one_that_is_meant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in ("WORT_PROT", "WORT_SERVICE_HOST", "WORT_PORT", "wort_port", "WORT_USER", "WORT_TEST_X"):
        monkeypatch.setenv(variable, "9000")
    tell_unknown()
    told = sorted(capsys.readouterr().err.splitlines())
    assert told[0] == "wort: There is no setting WORT_PROT. Is WORT_PORT meant?"
    assert told[1].startswith("wort: There is no setting WORT_SERVICE_HOST.")
    assert len(told) == 2


def test_a_server_tells_of_mistyped_variables_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WORT_WORKRES", "2")
    monkeypatch.setattr("app.cli.serve._prepared", lambda settings: lambda: None)
    serve()
    assert capsys.readouterr().err.count("WORT_WORKRES") == 1


def test_no_variable_that_is_read_or_described_is_taken_for_a_mistyped_one() -> None:
    root = Path(wort.__file__).parent.parent
    files = [*root.glob("docs/*.md"), *root.glob("app/**/*.py"), *root.glob("tests/**/*.py")]
    read_or_described = re.compile(r"""(?:`|\$|environ\.get\("|envvar=")(WORT_[A-Z_]*[A-Z])\b""")
    named = {name for file in files for name in read_or_described.findall(file.read_text())}
    assert {"WORT_PORT", "WORT_USER", "WORT_DUMPS", "WORT_TEST_PATIENCE"} <= named
    assert Settings.unknown(named) == []


def test_a_model_of_terms_is_judged_by_its_name() -> None:
    starter = Snapshot.open(snapshot_path())
    for name in ("wort", "wort-plus", "regression"):
        assert term_model(starter, Path(name)) == term_models(starter.id)[name].model
    with pytest.raises(ModelError, match="cannot be read as a model file"):
        term_model(starter, Path("models/none.json"))


def test_where_a_registry_is_shows_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    address = DatabaseAddress.parse("postgresql://ann:secret@db/wort?sslpassword=secret", Registry.holding)
    assert "secret" not in kept_in(str(address))
    assert "ann" in kept_in(str(address))
    monkeypatch.delenv("WORT_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/data/of/ann")
    assert read_settings().registry == "sqlite:////data/of/ann/wort/wort.sqlite"


def test_vectors_that_are_left_unused_are_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    for has_vectors, weighs in ((True, True), (False, False), (False, True)):
        _hint(has_vectors, "default", weighs)
    assert capsys.readouterr().err == ""
    _hint(True, "default", False)
    assert "--design plus" in capsys.readouterr().err


def test_what_is_true_of_both_terms_is_said_once() -> None:
    with pytest.raises(NoSuchConcept) as told:
        compare("qzxw", "vwxz", terms=True, json=True)
    said = str(told.value)
    assert said.startswith("No word of 'qzxw' or 'vwxz' is known in ")
    assert said.count("28,250 concepts") == said.count("Ask again") == 1
