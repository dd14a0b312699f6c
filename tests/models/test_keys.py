"""Keys in the registry and ``wort keys``: shown once, kept as a digest, revoked for good."""

from __future__ import annotations

import datetime
import json
import re
import secrets
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from typer.main import get_group
from typer.testing import CliRunner, Result

from app.cli import command_line
from app.cli.keys import end_of, keys, state
from models.registry.errors import BadEntry, NotARegistry, UnknownKey
from models.registry.keys import digest_of, id_of
from models.registry.records import Key
from models.registry.registry import Registry
from tests.conftest import ROOT
from tests.support.databases import (  # noqa: F401
    connected,
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)


def wort(*arguments: str) -> Result:
    result = CliRunner().invoke(command_line(["keys"]), ["keys", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_key_is_told_once_and_kept_as_a_digest(database: str) -> None:
    with Registry.open(database) as registry:
        made, key = registry.keys.create(name="editors", scopes=["admin", "score"], who="ann")
        assert re.fullmatch(r"wort_1_[0-9a-f]{64}", key)
        assert (made.id, made.scopes, made.expires, made.revoked) == (1, ("score", "admin"), None, None)
        assert registry.keys.listed() == registry.keys.unrevoked() == [made]
        assert made.digest == digest_of(key)
        assert id_of(key) == 1
        other, another = registry.keys.create(name="a page", scopes=["score"], who="ann")
        assert (other.id, id_of(another)) == (2, 2)
        assert key[7:] != another[7:]
    with connected(database) as connection:
        for row in connection.execute(text("SELECT * FROM wort_keys")).all():
            assert not any(secret[7:] in str(row) for secret in (key, another))


def test_a_revoked_key_stays_so_and_its_name_comes_free(database: str) -> None:
    with Registry.open(database) as registry:
        first, _ = registry.keys.create(name="page", scopes=["score"], who="ann")
        with pytest.raises(BadEntry, match="there is a key 'page' already"):
            registry.keys.create(name="page", scopes=["score"], who="ann")
        ended = registry.keys.revoke("page")
        assert ended.revoked is not None
        second, _ = registry.keys.create(name="page", scopes=["score"], who="ann")
        assert registry.keys.listed() == [ended, second]
        assert registry.keys.unrevoked() == [second]
        with pytest.raises(UnknownKey, match="key 1 was revoked already"):
            registry.keys.revoke(str(first.id))
        assert registry.keys.revoke("2").id == second.id
        for ref in ("page", "3", str(2**31), "9" * 30, "", "a\x00b"):
            with pytest.raises(UnknownKey, match="no key"):
                registry.keys.revoke(ref)


def test_what_cannot_be_a_key_is_refused(sqlite: str) -> None:
    with Registry.open(sqlite) as registry:
        for name in ("", " page", "7", "a\x1b[2Jb", "a" * 101):
            with pytest.raises(BadEntry, match="name"):
                registry.keys.create(name=name, scopes=["score"], who="ann")
        for scopes in ([], ["write"], ["score", "write"]):
            with pytest.raises(BadEntry, match="score or admin"):
                registry.keys.create(name="page", scopes=scopes, who="ann")
        past = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=1)
        with pytest.raises(BadEntry, match="never work"):
            registry.keys.create(name="page", scopes=["score"], who="ann", expires=past)
        assert registry.keys.listed() == []


def test_an_export_holds_no_keys(sqlite: str, tmp_path: Path) -> None:
    with Registry.open(sqlite) as registry:
        made, _ = registry.keys.create(name="a page of ours", scopes=["score"], who="ann")
        registry.export(tmp_path / "backup.jsonl")
    exported = (tmp_path / "backup.jsonl").read_text()
    assert made.digest not in exported
    assert made.name not in exported


@given(st.text() | st.from_regex(r"wort_[0-9]*_[0-9a-f]{63,65}", fullmatch=True))
def test_an_id_is_read_from_a_key_alone(written: str) -> None:
    found = id_of(written)
    assert (found is not None) == bool(re.fullmatch(r"(?s)wort_[0-9]{1,10}_.{64}", written))


def test_the_command_makes_lists_and_revokes(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORT_DATABASE", database)
    monkeypatch.setenv("WORT_USER", "tester")
    tomorrow = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)).date()
    made = wort("create", "--name", "[page]", "--scope", "score", "--expires", str(tomorrow))
    assert id_of(made.stdout.strip()) == 1
    assert "not shown again" in made.stderr
    told = json.loads(wort("create", "--name", "ops", "--scope", "admin", "--json").stdout)
    assert (told["scopes"], told["who"], told["state"]) == (["admin"], "tester", "in force")
    listed = wort("list").stdout
    assert "[page]" in listed
    assert f"in force until {tomorrow + datetime.timedelta(days=1)} 00:00" in listed
    shown = wort("list", "--json").stdout
    for key in (made.stdout.strip(), told["key"]):
        assert key not in listed + shown
        assert digest_of(key) not in listed + shown
    assert wort("revoke", "ops").stdout == "key 2, ops, is revoked\n"
    assert json.loads(wort("list", "--json").stdout)[1]["state"].startswith("revoked 2")
    assert wort("create", "--name", "x", "--scope", "score", "--expires", "soon").exit_code == 2
    assert wort("create", "--name", "x", "--scope", "nope").exit_code == 2


def test_a_key_works_to_the_end_of_its_last_day() -> None:
    assert end_of("2999-01-31").isoformat() == "2999-02-01T00:00:00+00:00"
    with pytest.raises(typer.BadParameter, match=r"^2020-01-01 is over"):
        end_of("2020-01-01")
    expired = Key(
        id=1,
        name="page",
        digest="",
        scopes=("score",),
        created="2020-01-01T00:00:00+00:00",
        who="ann",
        expires="2020-02-01T00:00:00+00:00",
        revoked=None,
    )
    assert state(expired) == "expired 2020-02-01 00:00"


@pytest.mark.parametrize("command", [("list",), ("revoke", "page")])
def test_no_registry_is_made_to_list_or_revoke_keys(sqlite: str, command: tuple[str, ...]) -> None:
    with pytest.raises(NotARegistry, match="`wort keys create` makes one"):
        wort(*command, "--database", sqlite)
    assert not Path(sqlite.removeprefix("sqlite:///")).exists()


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    rows = re.findall(r"^\| `wort keys (\w+)[^|]*` \| (.*) \|$", page, re.MULTILINE)
    assert {name for name, _ in rows} == set(get_group(keys).commands)


def test_secrets_are_drawn_with_all_their_bits(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    drawn = secrets.token_hex

    def token_hex(bytes_: int) -> str:
        asked.append(bytes_)
        return drawn(bytes_)

    monkeypatch.setattr("models.registry.keys.secrets.token_hex", token_hex)
    with Registry.open(sqlite) as registry:
        registry.keys.create(name="page", scopes=["score"], who="ann")
    assert asked == [32]
