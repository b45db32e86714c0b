"""The Studio in a real browser on a large store, and read by strings that would like to do more than be read.

    wellkept bench studio [--memories 50000] [--strings 10000] [--broken] [--output FILE]

It prints the first paint of every page as the browser measures it. Then every hostile string is kept in every kind of
field that a page shows, and every such page is opened; and every string is sent to every page as what is asked for. No
script may run, nothing may be asked for from elsewhere, no page may grow wider than its window. `--broken` serves pages
that escape nothing; there it must find faults. `--output` keeps the figures beside those that the file has already.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import studio_hostile
from store_speed import Drawn, fill

import wellkept
from wellkept.store.contract import UserLink
from wellkept.store.opening import open_store
from wellkept.types import Person

PAINT_MAX_MS = 1_000
WEIGHT_MAX = 200_000
"""Bytes of HTML of a page."""
OWNER = "alice"
PAGES = {
    "home": "/",
    "search everything": "/search?q={word}",
    "playground": f"/playground?user={OWNER}&persona=Coach",
    "memories": f"/memories?user={OWNER}",
    "oldest first": f"/memories?user={OWNER}&sort=oldest&privacy=public",
    "search": f"/memories?user={OWNER}&q={{word}}",
    "people": f"/people?user={OWNER}",
    "privacy lens": f"/lens?users={OWNER},bob&q={{word}}",
    "conversations": f"/conversations?user={OWNER}&persona=Coach",
    "sessions": f"/sessions?user={OWNER}&persona=Coach",
    "traces": "/traces?session=s1",
    "questions": f"/questions?user={OWNER}",
    "health": "/health",
    "settings": "/settings",
}
TURNS = 40
RECORDS = 60
SENT_OPENED = 200
ENOUGH = 50
"""Faults after which there is no need to look on."""
BROKEN = """
import sys, jinja2
class Careless(jinja2.Environment):
    def __init__(self, **options):
        super().__init__(**{**options, "autoescape": False})
jinja2.Environment = Careless
from wellkept.surfaces.cli.main import main
sys.exit(main())
"""


@contextmanager
def served(db: Path, *, embedder: str | None = "none", is_broken: bool = False) -> Iterator[str]:
    """The address of a server of this store."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WELLKEPT")}
    # One browser asks as fast as it can.
    kept |= {"WELLKEPT_SERVER__REQUESTS_PER_MINUTE": "0"}
    kept |= {} if embedder is None else {"WELLKEPT_EMBEDDER__PROVIDER": embedder}
    program = ["-c", BROKEN] if is_broken else ["-m", "wellkept"]
    process = subprocess.Popen(
        [sys.executable, *program, "--db", str(db), "serve", "--port", str(port)],
        env=kept,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2):
                    break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def paint(page: Any, url: str) -> float:  # noqa: ANN401 -- playwright's
    """Milliseconds until the browser has painted something."""
    page.goto(url)
    asked = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"
    for _ in range(200):
        took = float(page.evaluate(asked))
        if took >= 0:
            return took
        page.wait_for_timeout(25)
    raise TimeoutError("nothing was painted")


def talk(db: Path) -> str:
    """A conversation and a governed session beside the many memories; gives a word that one of these has."""
    with wellkept.open(db, embedder="none", worker="off") as memory:
        coach = memory.at(user=OWNER, persona="Coach")
        for number in range(TURNS):
            coach.turn(f"I planted row {number} of tulips.").finish("Go on.")
        session = memory.governed(session="s1", user=OWNER)
        for number in range(RECORDS):
            session.record(user=f"I prefer tea number {number}")
        return memory.at(user=OWNER).list(limit=TURNS + 20)[-1].content.split()[0]


def paints(browser: Any, db: Path, memories: int) -> dict[str, float]:  # noqa: ANN401 -- playwright's
    """Page → first paint in milliseconds."""
    store = open_store(str(db))
    person = Person(id=f"p_{OWNER}", tenant="default", name="Alice", created_by=OWNER, created_at=datetime.now(UTC))
    store.keep(person)
    store.keep(UserLink(tenant="default", user=OWNER, person_id=person.id))
    fill(store, OWNER, memories, Drawn.seeded(1))
    store.close()
    word = talk(db)
    print(f"{memories:,} memories of one user; first paint in ms, the second of two visits; bytes of HTML\n")
    found: dict[str, float] = {}
    with served(db) as url:
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        for name, path in PAGES.items():
            found[name] = round([paint(page, url + path.format(word=word)) for _ in range(2)][1])
            weight = len(page.request.get(url + path.format(word=word)).body())
            print(f"  {name:18} {found[name]:7.0f} {weight:9,}", flush=True)
            if weight > WEIGHT_MAX:
                raise ValueError(f"{name} has {weight:,} bytes, at most {WEIGHT_MAX:,}")
        page.goto(url + PAGES["memories"])
        page.click("a[role=button]:has-text('Older')")
        print(f"  the page after the first has {page.locator('.item').count()} memories")
        page.close()
    middle = statistics.median(found.values())
    print(f"\nmedian {middle:.0f} ms, slowest {max(found.values()):.0f} ms, at most {PAINT_MAX_MS}\n")
    return found


def read(browser: Any, db: Path, count: int, *, is_broken: bool = False) -> dict[str, Any]:  # noqa: ANN401 -- playwright's
    """How many pages were opened and asked, and what went wrong on them."""
    texts = studio_hostile.strings(count)
    started = time.monotonic()
    studio_hostile.fill(db, texts)
    print(f"{count:,} strings kept in every field, {time.monotonic() - started:.0f} s", flush=True)
    with wellkept.open(db, embedder="none", worker="off") as memory:
        ids = [one.id for one in memory.at(user="editor").list(limit=1_000)]
        sessions = [one.session for one in memory.at().governed_sessions(limit=1_000)]
    wrong: list[str] = []
    with served(db, is_broken=is_broken) as url:
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.on("request", lambda asked: wrong.append(asked.url[:120]) if not asked.url.startswith(url) else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append("a dialog"), dialog.dismiss()))
        opened = _opened(page, url, list(studio_hostile.stored_paths(count, ids, sessions)), wrong)
        sent = list(studio_hostile.sent_paths(texts))
        opened += _opened(page, url, sent[:: max(1, len(sent) // SENT_OPENED)], wrong, is_all=False)
        if len(wrong) < ENOUGH:  # a page that a text has taken over may not be led elsewhere
            page.goto(f"{url}/sign-in")
        for some in studio_hostile.batched(sent if len(wrong) < ENOUGH else [], 2_000):
            wrong += studio_hostile.fetched(page, some)
            print(f"  sent to {len(some):,} more pages, {len(wrong)} faults", flush=True)
        page.close()
    return {"opened": opened, "sent": len(sent), "faults": wrong, "seconds": round(time.monotonic() - started)}


def _opened(page: Any, url: str, paths: Sequence[str], wrong: list[str], *, is_all: bool = True) -> int:  # noqa: ANN401 -- playwright's
    """Open each page, and with `is_all` all of a ledger or list that has older ones, until enough went wrong."""
    count = 0
    for number, path in enumerate(paths):
        if len(wrong) >= ENOUGH:
            break
        here: str | None = path
        while here is not None:
            faults = studio_hostile.looked_at(page, url + here)
            wrong += faults
            count += 1
            if faults:
                break  # and a page that a text has taken over is asked nothing more
            older = page.locator("a[role=button]:has-text('Older'), a[role=button]:has-text('Next')")
            here = older.get_attribute("href") if is_all and older.count() else None
        if number % 250 == 0:
            print(f"  {count:,} pages opened, {len(wrong)} faults", flush=True)
    return count


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--memories", type=int, default=50_000)
    parser.add_argument("--strings", type=int, default=10_000)
    parser.add_argument("--broken", action="store_true", help="the negative control: pages that escape nothing")
    parser.add_argument("--output", type=Path, help="write the figures to this file")
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory(prefix="wellkept-bench-") as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        painted = paints(browser, Path(folder) / "large.db", asked.memories) if asked.memories else {}
        empty: dict[str, Any] = {"opened": 0, "sent": 0, "faults": [], "seconds": 0}
        found = empty
        if asked.strings:
            found = read(browser, Path(folder) / "hostile.db", asked.strings, is_broken=asked.broken)
        browser.close()
    wrong = found.pop("faults")
    told = f"{asked.strings:,} hostile strings: {found['opened']:,} pages opened, {found['sent']:,} asked"
    print(f"{told}, {len(wrong)} faults, {found['seconds']} s", *wrong[:10], sep="\n  ")
    if asked.output is not None:
        kept = json.loads(asked.output.read_text(encoding="utf-8")) if asked.output.exists() else {}
        kept |= {"memories": asked.memories, "first_paint_ms": painted} if painted else {}
        kept |= {"strings": asked.strings, **found, "faults": len(wrong)} if asked.strings else {}
        asked.output.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return 0 if max(painted.values(), default=0) <= PAINT_MAX_MS and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
