"""Downloads from a site that drops, corrupts, refuses and changes: the right file or a clear error."""

from __future__ import annotations

import hashlib
import random
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.support.dump_server import Fault, Site, serve
from tests.support.dumps import index_path, write_dump
from wiki import transfer
from wiki.download import OFFICIAL_SITE, download
from wiki.dump import Dump, read_pages
from wiki.errors import (
    ChecksumMismatch,
    DownloadError,
    DumpNotFound,
    NotEnoughSpace,
    ServerUnavailable,
    WikiError,
)
from wiki.page import RawPage
from wiki.patience import Patience

DUMP = random.Random(1).randbytes(300_000)
INDEX = random.Random(2).randbytes(5_000)
PLAIN = random.Random(3).randbytes(200_000)
NEWER = random.Random(4).randbytes(250_000)
MULTISTREAM = {
    "pages-articles-multistream.xml.bz2": DUMP,
    "pages-articles-multistream-index.txt.bz2": INDEX,
    "pages-articles.xml.bz2": PLAIN,
    "stub-articles.xml.gz": b"stub",
}
QUICK = Patience(attempts=3, first_wait=0.01, longest_wait=5.0)
NAME = "simplewiki-20240101-pages-articles-multistream.xml.bz2"
INDEX_NAME = "simplewiki-20240101-pages-articles-multistream-index.txt.bz2"
PATH = f"/simplewiki/20240101/{NAME}"
LONG_AGO = "Sun, 06 Nov 1994 08:49:37"


@pytest.fixture
def site() -> Iterator[Site]:
    with serve(Site()) as running:
        running.publish("simplewiki", "20240101", MULTISTREAM, folder="latest")
        yield running


def fetch(site: Site, target: Path, date: str = "20240101", wiki: str = "simplewiki") -> list[Path]:
    return download(wiki, target, date, base_url=site.url, patience=QUICK)


def assert_whole(target: Path) -> None:
    """The dump and its index are there, whole, and nothing else."""
    assert {path.name: path.read_bytes() for path in target.iterdir()} == {NAME: DUMP, INDEX_NAME: INDEX}


def test_a_dump_and_its_index_arrive(site: Site, tmp_path: Path) -> None:
    reports: list[tuple[str, int, int]] = []
    target = tmp_path / "new" / "folder"
    paths = download(
        "simplewiki", target, "20240101", site.url + "/", lambda *report: reports.append(report), QUICK
    )
    assert paths == [target / NAME, target / INDEX_NAME]
    assert_whole(target)
    received = [done for name, done, total in reports if name == NAME and total == len(DUMP)]
    assert received == sorted(received)
    assert received[-1] == len(DUMP)
    agents = {headers["User-Agent"] for _, headers in site.requests}
    assert len(agents) == 1
    assert agents.pop().startswith("wort/")


def test_latest_is_resolved_to_its_date(site: Site, tmp_path: Path) -> None:
    site.publish("simplewiki", "20231201", {"pages-articles-multistream.xml.bz2": b"old"})
    assert [path.name for path in fetch(site, tmp_path, "latest")] == [NAME, INDEX_NAME]
    assert_whole(tmp_path)


def test_latest_passes_over_a_run_that_is_still_going_on(site: Site, tmp_path: Path) -> None:
    site.publish("simplewiki", "20240201", {"stub-articles.xml.gz": b"stub"}, folder="latest")
    listing = "".join(f'<a href="{date}/">{date}/</a>\n' for date in ("20231201", "20240101", "20240201"))
    site.files["/simplewiki/"] = listing.encode()
    fetch(site, tmp_path, "latest")
    assert_whole(tmp_path)


def test_the_plain_dump_is_taken_where_there_is_no_multistream(site: Site, tmp_path: Path) -> None:
    site.publish("gdwiki", "20240101", {"pages-articles.xml.bz2": PLAIN})
    (path,) = fetch(site, tmp_path, wiki="gdwiki")
    assert path.name == "gdwiki-20240101-pages-articles.xml.bz2"
    assert path.read_bytes() == PLAIN


def test_md5_sums_do_where_sha1_sums_are_missing(site: Site, tmp_path: Path) -> None:
    del site.files["/simplewiki/20240101/simplewiki-20240101-sha1sums.txt"]
    sums = "".join(
        f"{hashlib.md5(content).hexdigest()}  {name}\n"
        for name, content in ((NAME, DUMP), (INDEX_NAME, INDEX))
    )
    site.files["/simplewiki/20240101/simplewiki-20240101-md5sums.txt"] = sums.encode()
    fetch(site, tmp_path)
    assert_whole(tmp_path)


def test_a_second_run_fetches_nothing_again(site: Site, tmp_path: Path) -> None:
    fetch(site, tmp_path)
    fetch(site, tmp_path)
    assert len(site.asked(NAME)) == len(site.asked(INDEX_NAME)) == 1


def test_a_file_with_other_content_is_replaced(site: Site, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(DUMP[:-1])
    fetch(site, tmp_path)
    assert_whole(tmp_path)


def test_dropped_connections_are_resumed(site: Site, tmp_path: Path) -> None:
    # More drops than attempts in a row are allowed: each brings something, so patience does not run out.
    site.faults[PATH].extend(Fault(drop_after=50_000) for _ in range(5))
    fetch(site, tmp_path)
    assert_whole(tmp_path)
    starts = [headers["Range"] for headers in site.asked(NAME)]
    assert starts == [None, *(f"bytes={n * 50_000}-" for n in range(1, 6))]


def test_a_stopped_download_goes_on_in_the_next_run(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].extend([Fault(drop_after=100_000), *(Fault(drop_after=0) for _ in range(3))])
    with pytest.raises(ServerUnavailable, match=r"3 attempts in a row.*run the same command again"):
        fetch(site, tmp_path)
    assert not (tmp_path / NAME).exists()
    assert (tmp_path / f"{NAME}.part").read_bytes() == DUMP[:100_000]
    fetch(site, tmp_path)
    assert_whole(tmp_path)
    assert site.asked(NAME)[-1]["Range"] == "bytes=100000-"


def test_a_part_that_was_complete_is_not_fetched_again(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].append(Fault(drop_after=100_000))
    site.faults[PATH].extend(Fault(status=500) for _ in range(3))
    with pytest.raises(ServerUnavailable):
        fetch(site, tmp_path)
    (tmp_path / f"{NAME}.part").write_bytes(DUMP)
    asked = len(site.asked(NAME))
    fetch(site, tmp_path)
    assert_whole(tmp_path)
    assert len(site.asked(NAME)) == asked


@pytest.mark.parametrize("state", [None, b"not json", b"{}", b'{"url": 1}'])
def test_a_part_of_unknown_origin_is_started_anew(site: Site, tmp_path: Path, state: bytes | None) -> None:
    (tmp_path / f"{NAME}.part").write_bytes(b"something else")
    if state is not None:
        (tmp_path / f"{NAME}.part.json").write_bytes(state)
    fetch(site, tmp_path)
    assert_whole(tmp_path)
    assert site.asked(NAME)[0]["Range"] is None


def test_a_server_without_ranges_starts_anew(site: Site, tmp_path: Path) -> None:
    site.accepts_ranges = False
    site.faults[PATH].append(Fault(drop_after=100_000))
    fetch(site, tmp_path)
    assert_whole(tmp_path)


@pytest.mark.parametrize("sends_etag", [True, False])
@pytest.mark.parametrize("honours_if_range", [True, False])
def test_a_file_that_changes_between_attempts_starts_anew(
    site: Site, tmp_path: Path, sends_etag: bool, honours_if_range: bool
) -> None:
    site.sends_etag, site.honours_if_range = sends_etag, honours_if_range
    dumps = MULTISTREAM | {"pages-articles-multistream.xml.bz2": NEWER}
    site.publish("simplewiki", "20240101", dumps)
    site.faults[PATH].extend([Fault(drop_after=100_000, replacement=DUMP), Fault(replacement=NEWER)])
    fetch(site, tmp_path)
    assert (tmp_path / NAME).read_bytes() == NEWER


def test_a_file_that_became_shorter_than_its_part_starts_anew(site: Site, tmp_path: Path) -> None:
    site.honours_if_range = False
    dumps = MULTISTREAM | {"pages-articles-multistream.xml.bz2": NEWER}
    site.publish("simplewiki", "20240101", dumps)
    site.faults[PATH].extend([Fault(drop_after=280_000, replacement=DUMP), Fault(replacement=NEWER)])
    fetch(site, tmp_path)
    assert (tmp_path / NAME).read_bytes() == NEWER


def test_a_corrupt_transfer_is_fetched_once_more(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].append(Fault(corrupt=True))
    fetch(site, tmp_path)
    assert_whole(tmp_path)
    assert [headers["Range"] for headers in site.asked(NAME)] == [None, None]


def test_a_corrupt_rest_is_fetched_once_more_from_the_start(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].extend([Fault(drop_after=100_000), Fault(corrupt=True)])
    fetch(site, tmp_path)
    assert_whole(tmp_path)
    assert [headers["Range"] for headers in site.asked(NAME)] == [None, "bytes=100000-", None]


def test_a_file_that_stays_corrupt_is_not_kept(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].extend(Fault(corrupt=True) for _ in range(2))
    with pytest.raises(ChecksumMismatch, match="arrived twice with another sha1"):
        fetch(site, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_length_that_is_not_stated_is_no_obstacle(site: Site, tmp_path: Path) -> None:
    site.sends_length = False
    fetch(site, tmp_path)
    assert_whole(tmp_path)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_passing_refusals_are_waited_out(site: Site, tmp_path: Path, status: int) -> None:
    site.faults[PATH].append(Fault(status=status))
    site.faults["/simplewiki/20240101/simplewiki-20240101-sha1sums.txt"].append(Fault(status=status))
    fetch(site, tmp_path)
    assert_whole(tmp_path)


def http_date(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


def test_retry_after_is_respected(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].append(Fault(status=503, retry_after="1"))
    start = time.monotonic()
    fetch(site, tmp_path)
    assert time.monotonic() - start >= 1
    assert_whole(tmp_path)


def test_waiting_is_told(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].append(Fault(status=503))
    told: list[str] = []
    download("simplewiki", tmp_path, "20240101", base_url=site.url, patience=replace(QUICK, told=told.append))
    assert len(told) == 1
    assert "503" in told[0]
    assert "trying again in" in told[0]
    assert PATH in told[0]


@pytest.mark.parametrize("retry_after", ["0", f"{LONG_AGO} GMT", f"{LONG_AGO} -0000", "soon"])
def test_any_retry_after_is_understood_or_passed_over(site: Site, tmp_path: Path, retry_after: str) -> None:
    site.faults[PATH].append(Fault(status=429, retry_after=retry_after))
    fetch(site, tmp_path)
    assert_whole(tmp_path)


@pytest.mark.parametrize("as_date", [True, False])
def test_a_server_that_asks_for_too_long_a_wait_ends_it(site: Site, tmp_path: Path, as_date: bool) -> None:
    site.faults[PATH].append(Fault(status=503, retry_after=http_date(3600) if as_date else "3600"))
    with pytest.raises(ServerUnavailable, match=r"come back in 3,(600|5\d\d) seconds"):
        fetch(site, tmp_path)


def test_a_server_that_keeps_refusing_ends_it(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].extend(Fault(status=503) for _ in range(QUICK.attempts))
    with pytest.raises(ServerUnavailable, match="503 Service Unavailable"):
        fetch(site, tmp_path)
    assert len(site.asked(NAME)) == QUICK.attempts


def test_no_server_at_all(tmp_path: Path) -> None:
    with serve(Site()) as stopped:
        pass
    with pytest.raises(ServerUnavailable, match="ConnectError"):
        fetch(stopped, tmp_path)


def test_a_refusal_for_good_is_not_repeated(site: Site, tmp_path: Path) -> None:
    site.faults[PATH].append(Fault(status=403))
    with pytest.raises(DownloadError, match="403 Forbidden"):
        fetch(site, tmp_path)
    assert len(site.asked(NAME)) == 1


def test_a_file_that_is_listed_and_missing(site: Site, tmp_path: Path) -> None:
    del site.files[PATH]
    with pytest.raises(DumpNotFound, match="404"):
        fetch(site, tmp_path)


@pytest.mark.parametrize(("wiki", "date"), [("nowiki", "20240101"), ("simplewiki", "20230101")])
def test_a_wiki_or_date_that_is_not_there(site: Site, tmp_path: Path, wiki: str, date: str) -> None:
    with pytest.raises(DumpNotFound, match=rf"{date}/ lists no complete.*See {site.url}/{wiki}/"):
        fetch(site, tmp_path, date, wiki)


def test_latest_where_nothing_is_complete(site: Site, tmp_path: Path) -> None:
    site.publish("gdwiki", "20240201", {"stub-articles.xml.gz": b"stub"}, folder="latest")
    site.files["/gdwiki/"] = b'<a href="/gdwiki/20240201/">20240201</a> <a href="latest/">latest</a>'
    with pytest.raises(DumpNotFound, match="no complete"):
        fetch(site, tmp_path, "latest", "gdwiki")
    with pytest.raises(DumpNotFound, match="404"):
        fetch(site, tmp_path, "latest", "nowiki")


@pytest.mark.parametrize("wiki", ["", "../etc", "Simple Wiki", "simplewiki/latest", "en.wikipedia.org"])
def test_names_that_are_no_wiki(tmp_path: Path, wiki: str) -> None:
    with pytest.raises(DownloadError, match="database name"):
        download(wiki, tmp_path, base_url="http://127.0.0.1:9")


@pytest.mark.parametrize("date", ["", "2024", "2024-01-01", "newest", "../20240101"])
def test_dates_that_are_none(tmp_path: Path, date: str) -> None:
    with pytest.raises(DownloadError, match="eight digits"):
        download("simplewiki", tmp_path, date, base_url="http://127.0.0.1:9")


def test_an_address_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=OFFICIAL_SITE):
        download("simplewiki", tmp_path, base_url="dumps.example.org")


def test_a_disk_without_room(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=len(DUMP) - 1))
    with pytest.raises(NotEnoughSpace, match=r"0\.3 MB are needed.*run the same command"):
        fetch(site, tmp_path)
    assert not (tmp_path / f"{NAME}.part").exists()


def test_a_disk_that_fills_up_meanwhile(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # /dev/full stands for the disk: writing to it fails with "no space left on device".
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    site.faults[PATH].extend([Fault(drop_after=1000), *(Fault(status=500) for _ in range(3))])
    with pytest.raises(ServerUnavailable):
        fetch(site, tmp_path)
    part = tmp_path / f"{NAME}.part"
    part.unlink()
    part.symlink_to("/dev/full")
    monkeypatch.setattr(transfer._Part, "size", lambda _: 1000)
    with pytest.raises(NotEnoughSpace, match="MB are free"):
        fetch(site, tmp_path)


def test_a_downloaded_dump_opens_with_its_index(site: Site, tmp_path: Path) -> None:
    pages = [RawPage(n, 0, f"Page {n}", None, "text") for n in range(1, 31)]
    written = write_dump(tmp_path / "x-multistream.xml.bz2", pages, multistream=True, pages_per_stream=10)
    dumps = {
        "pages-articles-multistream.xml.bz2": written.read_bytes(),
        "pages-articles-multistream-index.txt.bz2": index_path(written).read_bytes(),
    }
    site.publish("gdwiki", "20240101", dumps)
    path, index = fetch(site, tmp_path / "dumps", wiki="gdwiki")
    dump = Dump.open(path)
    assert dump.index == index
    assert [page for chunk in dump.chunks(1) for page in read_pages(chunk, dump.siteinfo)] == pages


def test_every_download_error_is_a_wiki_error() -> None:
    for kind in (DumpNotFound, ServerUnavailable, ChecksumMismatch, NotEnoughSpace):
        assert issubclass(kind, DownloadError)
    assert issubclass(DownloadError, WikiError)
