"""What every test may use: a clock that stands still, a place for a store, and the rules of CI."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import settings

from wellkept import startup
from wellkept.judges.english import RulesJudge
from wellkept.judges.reader.judge import ReaderJudge

if TYPE_CHECKING:
    from wellkept.store.contract import Store

IN_CI = os.environ.get("CI") == "true"

# Tests that may be skipped in CI: the beginning of the test's id, and why.
SKIPS_ALLOWED: dict[str, str] = {}

# Tests that walk the same lines thousands of times: to count those takes longer than the tests, and tells nothing new.
UNCOUNTED = (
    "evals",
    "judges/english/questions/test_answers.py",
    "policies/secrets/test_eval.py",
    "policies/secrets/test_properties.py",
    "privacy/test_interference.py",
    "privacy/test_leaks.py",
    "privacy/test_matrix.py",
    "store/search/test_views.py",
    "store/test_stateful.py",
)

# Tests of mechanism need the same readings whatever weights are shipped: rules read for them, in their processes too.
# Tests marked `reader` have the judge that is shipped.
os.environ.setdefault("WELLKEPT_JUDGE__PROVIDER", "rules")
startup.DEFAULT_JUDGE = RulesJudge

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if IN_CI else "local")


DATABASES: set[str] = set()
"""Names of the files that SQLite has opened in this process."""
INTRUSIONS: list[str] = []
"""Database files that something else has opened meanwhile, in the present test."""


@pytest.fixture(autouse=True)
def _judged_as_shipped(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("reader") is not None:
        monkeypatch.delenv("WELLKEPT_JUDGE__PROVIDER", raising=False)
        monkeypatch.setattr(startup, "DEFAULT_JUDGE", ReaderJudge)


def _is_open_here(path: Path) -> bool:
    """Has this process a descriptor of the file? Where that cannot be known, nothing is found."""
    descriptors = Path("/dev/fd")
    for descriptor in descriptors.iterdir() if descriptors.is_dir() else ():
        try:
            if path.samefile(descriptor):
                return True
        except OSError:  # one of them is no more
            continue
    return False


def _refuse_intrusion(event: str, arguments: tuple[object, ...]) -> None:
    """Nothing but SQLite opens a database that SQLite has open: whoever closes it again drops SQLite's locks.

    Python's own `sqlite3` is another copy of SQLite, which knows nothing of the locks of the first.
    """
    if event not in {"open", "sqlite3.connect"} or not isinstance(arguments[0], str | bytes | os.PathLike):
        return
    path = Path(os.fsdecode(arguments[0]))
    name = path.name
    for end in ("-wal", "-shm", "-journal"):
        name = name.removesuffix(end)
    if name in DATABASES and _is_open_here(path):
        INTRUSIONS.append(str(path))
        raise AssertionError(
            f"{path} is open in SQLite; read it with wellkept.store.sqlite.file_bytes, or close the store."
        )


apsw.connection_hooks.append(lambda connection: DATABASES.add(Path(connection.filename).name))
sys.addaudithook(_refuse_intrusion)


@pytest.fixture(autouse=True)
def only_sqlite_opens_databases() -> Iterator[None]:
    """Fails the test even where the error was caught."""
    INTRUSIONS.clear()
    yield
    assert INTRUSIONS == []


class Clock:
    """A callable that gives the same aware time until a test moves it."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **duration: float) -> None:
        """Move by the keyword arguments of timedelta: `clock.advance(days=13)`."""
        self.now += timedelta(**duration)


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture
def bytes_of(request: pytest.FixtureRequest) -> Callable[[Store], bytes]:
    """Reads every byte of a database: its files, and of a server also a dump of all tables."""

    def read(store: Store) -> bytes:
        from wellkept.store.sqlite.file_bytes import chunks

        if store.files():
            return b"".join(chunk for path in store.files() for chunk in chunks(path))
        from psycopg.conninfo import conninfo_to_dict

        from bench.postgres_server import BIN

        server = request.getfixturevalue("postgres")
        server.execute("CHECKPOINT")
        name = conninfo_to_dict(store.url)["dbname"]
        ((folder,),) = server.execute(f"SELECT oid FROM pg_database WHERE datname = '{name}'")  # noqa: S608 -- a name that this file made
        dump = subprocess.run([BIN / "pg_dump", server.url(str(name))], capture_output=True, check=True).stdout
        # The dump's backend may outlive it for a moment, and what its snapshot sees is not removed.
        dumping = f"SELECT 1 FROM pg_stat_activity WHERE datname = '{name}' AND application_name = 'pg_dump'"  # noqa: S608 -- a name that this file made
        while server.execute(dumping):
            time.sleep(0.02)
        return dump + b"".join(path.read_bytes() for path in (server.data / "base" / str(folder)).iterdir())

    return read


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """Where a test may make its database file; nothing is there yet."""
    return tmp_path / "memory.db"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The marker is that of pytest-cov."""
    for item in items:
        if item.nodeid.startswith(tuple(f"tests/{one}" for one in UNCOUNTED)):
            item.add_marker("no_cover")


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """In CI a test that does not run proves nothing: its skip becomes a failure."""
    is_expected_failure = hasattr(report, "wasxfail")
    if not IN_CI or not report.skipped or is_expected_failure or report.nodeid.startswith(tuple(SKIPS_ALLOWED)):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"skipped in CI, and not in SKIPS_ALLOWED of tests/conftest.py: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    report = yield
    _refuse_skip(report)
    return report
