"""The registry keeps what it is given, on both databases."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from models.given import LARGEST
from models.protocol import TrainingSet
from models.registry.entries import LONGEST_TEXT
from models.registry.errors import (
    BadAddress,
    BadEntry,
    DamagedModel,
    StalePromotion,
    UnknownModel,
    UnknownRelease,
    UnknownRun,
)
from models.registry.registry import Registry
from tests.support.databases import (  # noqa: F401
    connected,
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.registered import DATASET, model_file, promote, register

HOSTILE = (
    "'; DROP TABLE wort_models; --",
    '" OR "1"="1',
    "%s %(name)s :name ? {0}",
    "../../etc/passwd",
    "[bold]mean[/bold]",
    "関連度",
    "مُوديل",
    "🦜",
    "Модель № 7",
    "a" * 100,
)


def test_what_is_registered_is_read_back(database: str) -> None:
    with Registry.open(database) as registry:
        content = (
            b'\n {"snapshot": "s1", "metrics": {"pearson": 0.5, "spearman": null}, "x": [1, "\xc3\xa9"]}\n'
        )
        made = register(
            registry, "word", content, report=b'{"a": 1}', report_html="<p>caf\u00e9", who="ann", note="a\nb"
        )
        assert (made.id, made.name, made.version, made.ref) == (1, "word", 1, "word@1")
        assert (made.snapshot, made.dataset, made.who, made.note) == ("s1", DATASET, "ann", "a\nb")
        assert made.metrics == {"pearson": 0.5, "spearman": None}
    with Registry.open(database) as registry:
        assert registry.versions() == [made] == registry.versions("word")
        assert registry.version("word") == registry.version("word@1") == made
        assert registry.artifact("word") == content
        assert registry.report("word@1") == b'{"a": 1}'
        assert registry.report_html("word@1") == "<p>caf\u00e9"
        register(registry, dataset=TrainingSet("unknown", "", 0))
        assert registry.report("word") is None
        assert registry.report_html("word") is None
        assert registry.version("word").dataset.fitted is None


def test_versions_are_counted_by_name(database: str) -> None:
    with Registry.open(database) as registry:
        refs = [register(registry, name).ref for name in ("a", "b", "a", "a", "b")]
        assert refs == ["a@1", "b@1", "a@2", "a@3", "b@2"] == [model.ref for model in registry.versions()]
        assert registry.version("a").ref == "a@3"
        assert [model.ref for model in registry.versions("b")] == ["b@1", "b@2"]
        assert registry.versions("c") == []


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_names(database: str, name: str) -> None:
    with Registry.open(database) as registry:
        other = register(registry, "other")
        made = register(registry, name)
        assert made.name == name
        assert registry.version(name) == registry.version(f"{name}@1") == made
        assert registry.versions() == [other, made]
        assert promote(registry, made.ref, location=f"/{name}").location == f"/{name}"


@given(name=st.text(max_size=12))
@settings(max_examples=25)
def test_any_name_is_kept_or_refused(database: str, name: str) -> None:
    with Registry.open(database) as registry:
        try:
            made = register(registry, name)
        except BadEntry:
            with pytest.raises(UnknownModel):
                registry.version(name)
        else:
            assert registry.version(name) == registry.version(made.ref) == made


@pytest.mark.parametrize(
    "name", ["", " a", "a ", "a@b", "a\n", "a\x00", "\u202e", "a\u200b", "\ud800", "a" * 101]
)
def test_names_that_nobody_can_type_or_see_are_refused(sqlite: str, name: str) -> None:
    with Registry.open(sqlite) as registry:
        with pytest.raises(BadEntry):
            register(registry, name)
        assert registry.versions() == []


def test_names_that_look_the_same_are_the_same(database: str) -> None:
    with Registry.open(database) as registry:
        register(registry, "caf\u00e9")
        assert register(registry, "cafe\u0301").ref == "caf\u00e9@2"
        assert registry.version("cafe\u0301@1").version == 1


def test_an_unknown_model_is_told_with_near_names(database: str) -> None:
    with Registry.open(database) as registry:
        with pytest.raises(UnknownModel, match="holds none yet"):
            registry.version("word")
        for name in ("wordsim", "kore", "kore"):
            register(registry, name)
        for ref, said in (
            ("wordsym", "Did you mean wordsim?"),
            ("zzz", "There are kore, wordsim."),
            ("kore@3", "versions 1 to 2, and no 3"),
            ("kore@0", "names no version"),
            ("kore@", "names no version"),
            ("kore@1@1", "names no version"),
            ("kore@99999999999999999999", "names no version"),
            ("kore@²", "names no version"),
        ):
            for ask in (
                registry.version,
                registry.artifact,
                registry.report,
                lambda ref: promote(registry, ref),
            ):
                with pytest.raises(UnknownModel, match=said.replace("?", r"\?")):
                    ask(ref)
        assert registry.latest_number() == 0


def test_what_is_no_model_or_text_is_refused(sqlite: str) -> None:
    with Registry.open(sqlite) as registry:
        for content in (b"", b"{}", b"\xff", b"[" * 100_000, b'{"snapshot": "s1", "metrics": {"p": "high"}}'):
            with pytest.raises(BadEntry, match="no model file"):
                register(registry, content=content)
        with pytest.raises(BadEntry, match="trained on snapshot s2"):
            register(registry, content=model_file(snapshot="s2"))
        for note, who in (("a\x1b[2J", "w"), ("\ud800", "w"), ("x" * (LONGEST_TEXT + 1), "w"), ("", " ")):
            with pytest.raises(BadEntry):
                register(registry, note=note, who=who)
        with pytest.raises(BadEntry, match="bytes"):
            register(registry, report=b" " * (LARGEST + 1))
        with pytest.raises(UnknownRun):
            register(registry, run=1)
        assert registry.versions() == []


def test_bytes_that_were_altered_are_told(database: str) -> None:
    with Registry.open(database) as registry:
        register(registry, report=b"{}", report_html="<p>")
        for column, ask in (
            ("artifact", registry.artifact),
            ("report", registry.report),
            ("report_html", registry.report_html),
        ):
            kind = "BLOB" if "sqlite" in database else "BYTEA"
            with connected(database) as connection:
                connection.execute(text(f"UPDATE wort_models SET {column} = CAST('altered' AS {kind})"))
            with pytest.raises(DamagedModel, match="not what was registered"):
                ask("word@1")


def test_releases_are_a_log(database: str) -> None:
    with Registry.open(database) as registry:
        first, second = register(registry), register(registry)
        assert (registry.in_force(), registry.releases(), registry.latest_number()) == (None, [], 0)
        one = promote(registry, "word@1")
        two = registry.promote("word", snapshot_id="s2", location="/é", reason="r", who="w", expected=1)
        assert (one.number, one.model, one.model_id, one.checksum) == (1, "word@1", first.id, first.checksum)
        assert (two.number, two.model, two.content) == (2, "word@2", (second.id, "s2", "/é"))
        back = registry.rollback(reason="worse", who="ann")
        assert (back.number, back.restores, back.content, back.model) == (3, 1, one.content, "word@1")
        assert registry.releases() == [one, two, back]
        assert (registry.in_force(), registry.latest_number()) == (back, 3)
        forward = registry.rollback(reason="not so bad", who="ann", to=2)
        assert (forward.number, forward.restores, forward.content) == (4, 2, two.content)


def test_a_rollback_that_leads_nowhere_is_refused(database: str) -> None:
    with Registry.open(database) as registry:
        with pytest.raises(UnknownRelease, match="no release yet"):
            registry.rollback(reason="r", who="w")
        register(registry)
        for _ in range(2):
            promote(registry, "word@1")
        with pytest.raises(UnknownRelease, match="nothing to go back to"):
            registry.rollback(reason="r", who="w")
        with pytest.raises(UnknownRelease, match="in force already"):
            registry.rollback(reason="r", who="w", to=1)
        for number in (3, -1, 2**70):
            with pytest.raises(UnknownRelease, match="no release"):
                registry.rollback(reason="r", who="w", to=number)
        assert registry.latest_number() == 2


@given(steps=st.lists(st.one_of(st.just("back"), st.sampled_from("abcd")), min_size=5, max_size=20))
@settings(max_examples=10)
def test_rolling_back_undoes_promotions_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    """Judged by the stack of contents that editors undo with."""
    with Registry.open(f"sqlite:///{tmp_path_factory.mktemp('log') / 'registry.sqlite'}") as registry:
        for name in "abcd":
            register(registry, name)
        stack: list[str] = []
        for step in steps:
            if step != "back":
                promote(registry, step)
                stack += [step] if stack[-1:] != [step] else []
            elif len(stack) > 1:
                stack.pop()
                registry.rollback(reason="r", who="w")
            else:
                with pytest.raises(UnknownRelease):
                    registry.rollback(reason="r", who="w")
            found = registry.in_force()
            assert (found.model[0] if found else None) == (stack[-1] if stack else None)


def test_a_promotion_decided_on_something_else_is_refused(database: str) -> None:
    with Registry.open(database) as registry:
        register(registry)
        with pytest.raises(StalePromotion, match="no release is in force, and release 4 was"):
            promote(registry, "word", expected=4)
        promote(registry, "word", expected=0)
        promote(registry, "word", expected=1)
        for expected in (0, 1, 3):
            with pytest.raises(StalePromotion, match="release 2 is in force"):
                promote(registry, "word", expected=expected)
            with pytest.raises(StalePromotion, match="Nothing was changed"):
                registry.rollback(reason="r", who="w", to=1, expected=expected)
        assert registry.latest_number() == 2


def test_a_release_says_why_and_where(sqlite: str) -> None:
    with Registry.open(sqlite) as registry:
        register(registry)
        for reason, location in (
            ("", "/s"),
            (" \n", "/s"),
            ("r\x00", "/s"),
            ("r", "s"),
            ("r", ""),
            ("r", "/\x00"),
        ):
            with pytest.raises(BadEntry):
                registry.promote("word", snapshot_id="s1", location=location, reason=reason, who="w")
        assert registry.releases() == []


def test_looking_makes_nothing(database: str, tmp_path: Path) -> None:
    assert Registry.peek(database) is None
    assert not any(tmp_path.iterdir())
    (tmp_path / "registry.sqlite").touch()
    if "sqlite" in database:
        assert Registry.peek(database) is None
    Registry.open(database).close()
    looked = Registry.peek(database)
    assert looked is not None
    with looked:
        assert looked.latest_number() == 0


def test_a_folder_is_made_and_its_name_may_be_anything(tmp_path: Path) -> None:
    for name in ("plain", "with space", "100%", "ключ", "a#b"):
        path = tmp_path / name / "deep" / "wort.sqlite"
        with Registry.open(f"sqlite:///{path}") as registry:
            register(registry)
        assert path.is_file()
        assert Registry.peek(f"sqlite:///{path}") is not None
        with connected(f"sqlite:///{path}") as connection:
            assert connection.scalar(text("PRAGMA journal_mode")) == "delete"


@pytest.mark.parametrize(
    "url",
    ["", "wort.sqlite", "sqlite://", "sqlite:///:memory:", "mysql://u:secret@h/d", "oracle://u:secret@h", "http://x",
     "postgresql://u:secret@h:port/d", "sqlite:///a?mode=memory", "sqlite://secret@host/a"],
)  # fmt: skip
def test_an_address_that_cannot_be_used_is_told_without_its_password(url: str) -> None:
    for ask in (Registry.open, Registry.peek):
        with pytest.raises(BadAddress, match=r"\(WORT_DATABASE or --database\).* sqlite:///") as raised:
            ask(url)
        assert "secret" not in str(raised.value)


def test_the_short_form_of_postgresql_is_psycopg(postgres: str) -> None:
    for scheme in ("postgresql", "postgres", "postgresql+psycopg"):
        with Registry.open(f"{scheme}://{postgres.partition('://')[2]}") as registry:
            assert registry.latest_number() == 0


def test_a_service_that_looks_loads_neither_alembic_nor_psycopg(sqlite: str) -> None:
    Registry.open(sqlite).close()
    code = (
        "import sys; from models.registry.registry import Registry;"
        "Registry.peek(sys.argv[1]).latest_number();"
        "print({'alembic', 'psycopg', 'mako'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, sqlite], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
