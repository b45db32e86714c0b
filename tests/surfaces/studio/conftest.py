"""The Studio under test: a real server in a process of its own, and a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import wellkept

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SAID = (
    "My sister Ida comes to visit.",
    "I will call the insurance company tomorrow.",
    "The garden project keeps me busy.",
    "I planted forty tulips along the fence.",
    "Maybe I'll learn to sail next year.",
    "I called the insurance company, done.",
    "I will send the bridge report on Friday.",
    "The tulips came up yesterday.",
)


@dataclass(kw_only=True)
class Served:
    """A store being served."""

    url: str
    db: Path
    ids: dict[str, str] = field(default_factory=dict)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def serve(db: Path) -> Iterator[Served]:
    port = free_port()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WELLKEPT")}
    # The first call after `--db` is what a user types; standard error goes to a file for when it does not start.
    with db.with_suffix(".log").open("wb") as log:
        command = [sys.executable, "-m", "wellkept", "--db", str(db), "serve", "--port", str(port)]
        process = subprocess.Popen(command, env=kept, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(300):
                try:
                    with urllib.request.urlopen(f"{url}/readyz", timeout=2):
                        break
                except OSError:
                    time.sleep(0.1)
            yield Served(url=url, db=db)
        finally:
            process.terminate()
            process.wait(30)


def fill(db: Path) -> dict[str, str]:
    """People, a group, something sensitive, a question that waits, a conversation, a governed session."""
    now = [datetime.now(UTC) - timedelta(days=9)]
    with wellkept.open(db, embedder="none", clock=lambda: now[0], worker="off") as memory:
        alice = memory.at(user="alice", display_name="Alice", chat="dm-alice")
        told = {
            "wife": alice.remember("My wife Sarah likes Italian food"),
            "color": alice.remember("My favorite color is red"),
            "illness": alice.remember("I have been diagnosed with asthma"),
            "boss": alice.remember("My boss is Mehmet"),
        }
        alice.remember(["My colleague Makesh plays chess", "Mukesh sails at weekends"])
        group = {"chat": "team", "chat_type": "group"}
        memory.at(user="bob", display_name="Bob", participants=["alice"], **group).remember("I love climbing")
        memory.at(user="alice", participants=["bob"], **group).remember("Bob loves pizza")
        coach = memory.at(user="alice", persona="Coach", chat="dm-alice")
        for text in SAID:
            coach.turn(text).finish("Go on.")
            now[0] += timedelta(minutes=2)
            memory.upkeep.runner.run_due()
        now[0] += timedelta(days=8, hours=20)
        coach.turn("Where were we?").finish("At the tulips.")
        alice.remember("I live in Lyon")
        alice.observe([{"role": "user", "content": "By the way, I moved to Hamburg last week."}], wait=True)
        session = memory.governed(session="s1", user="alice")
        session.record(user="I prefer tea")
        session.start_phase("second week", reason="new_topic")
        session.record(user="Actually, I prefer coffee")
        return {name: outcome.id for name, outcome in told.items()}


@pytest.fixture(scope="session")
def served(tmp_path_factory) -> Iterator[Served]:
    db = tmp_path_factory.mktemp("studio") / "memory.db"
    ids = fill(db)
    for one in serve(db):
        one.ids = ids
        yield one


@pytest.fixture(scope="session")
def empty(tmp_path_factory) -> Iterator[Served]:
    yield from serve(tmp_path_factory.mktemp("empty") / "memory.db")


@pytest.fixture(scope="session")
def locked(tmp_path_factory) -> Iterator[Served]:
    """A store behind keys: `ids` has alice's key, and the id of a memory of bob's."""
    db = tmp_path_factory.mktemp("locked") / "memory.db"
    with wellkept.open(db, embedder="none", worker="off") as memory:
        memory.at(user="alice").remember("My favorite color is red")
        hidden = memory.at(user="bob").remember("I keep bees on the roof").id
        ids = {"alice": memory.keys.add("a", scope=["user:alice"]).key, "bob": hidden}
        ids["operator"] = memory.keys.add("o", scope=["operator"]).key
    for one in serve(db):
        one.ids = ids
        yield one


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module; its driver keeps an event loop running in this thread until it is closed."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    assert path is not None, "no chromium: `apt-get install chromium`, or run scripts/test.py as root"
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def window(browser) -> Iterator[tuple[Page, list[str]]]:
    """One window for the tests of a module, and what the browser complained of."""
    opened = browser.new_page(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    # Without the cookie the first page of a window is asked for twice, and the second time comes while a test types.
    zone = opened.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    opened.context.add_cookies([{"name": "wellkept_zone", "value": zone, "domain": "127.0.0.1", "path": "/"}])
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    opened.on("request", lambda asked: wrong.append(asked.url) if not _is_own(asked.url) else None)
    yield opened, wrong
    opened.close()


@pytest.fixture
def page(window) -> Iterator[Page]:
    """A page on which every complaint of the browser fails the test."""
    opened, wrong = window
    wrong.clear()
    yield opened
    opened.goto("about:blank")
    assert wrong == []


def _is_own(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "data:", "about:"))


@pytest.fixture(scope="session")
def shots(tmp_path_factory) -> Path:
    """Where pictures go: `WELLKEPT_SHOTS`, or a folder that is thrown away."""
    folder = Path(os.environ.get("WELLKEPT_SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
