"""The Studio in a real browser on a large store, and read by strings that would like to do more than be read.

    recollect bench studio [--memories 50000] [--strings 10000]

It prints the first paint of every page as the browser measures it, and looks at every page full of hostile texts: no
script may run, nothing may be asked for from elsewhere, no page may grow wider than its window.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from store_speed import Drawn, fill

import recollect
from recollect.store.opening import open_store

PAINT_MAX_MS = 1_000
OWNER = "alice"
PAGES = {
    "timeline": "/",
    "memories": f"/memories?user={OWNER}",
    "search": f"/memories?user={OWNER}&q=kettle",
    "people": f"/people?user={OWNER}",
    "privacy lens": f"/lens?users={OWNER},bob&q=kettle",
    "sessions": f"/sessions?user={OWNER}",
    "traces": "/traces?session=s1",
    "consent": f"/consent?user={OWNER}",
    "health": "/health",
}
SEEDS = (
    "<script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>", '"><svg onload=window.pwned=1>',
    "{{ 7 * 7 }}", "[x](javascript:window.pwned=1)", "![x](http://192.0.2.1/x.png)", "</textarea><script>1</script>",
    "\x1b[31mred\x1b[0m", "\u202egnp.exe", "\u200bzero\u200dwidth\ufeff", "<iframe src=//192.0.2.1>",
    "' onmouseover=window.pwned=1 '", "&lt;b&gt;", "<style>*{display:none}</style>", "%3Cscript%3E",
    "\U0001f600\u0301\u0301",
)  # fmt: skip


@contextmanager
def served(db: Path) -> Iterator[str]:
    """The address of a server of this store."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT")}
    process = subprocess.Popen(
        [sys.executable, "-m", "recollect", "--db", str(db), "serve", "--port", str(port)],
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


def paint(page, url: str) -> float:  # type: ignore[no-untyped-def]  # noqa: ANN001 -- playwright's
    """Milliseconds until the browser has painted something."""
    page.goto(url)
    asked = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"
    for _ in range(200):
        took = float(page.evaluate(asked))
        if took >= 0:
            return took
        page.wait_for_timeout(25)
    raise TimeoutError("nothing was painted")


def hostile(count: int, chance: random.Random) -> Iterator[str]:
    for number in range(count):
        parts = chance.choices(SEEDS, k=chance.randint(1, 4))
        yield f"Note {number}: " + " ".join(parts) + ("x" * chance.choice((0, 0, 0, 900)))


def read_hostile(browser, db: Path, count: int) -> list[str]:  # type: ignore[no-untyped-def]  # noqa: ANN001 -- playwright's
    """What went wrong on pages that show these strings."""
    wrong: list[str] = []
    with recollect.open(db, embedder="none", worker="off") as memory:
        mallory = memory.at(user="mallory", chat="dm")
        for text in hostile(count, random.Random(7)):
            mallory.add(text)
    with served(db) as url:
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith(url) else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        before = ""
        for number in range(0, count, 25):
            asked = {"user": "mallory"} | ({"before": before} if before else {})
            page.goto(f"{url}/memories?{urllib.parse.urlencode(asked)}")
            wrong += _faults(page)
            older = page.locator("a[role=button]:has-text('Older')")
            if not older.count():
                break
            before = urllib.parse.parse_qs(urllib.parse.urlsplit(older.get_attribute("href")).query)["before"][0]
            if number % 2_500 == 0:
                print(f"  {number:,} of {count:,} strings read", flush=True)
        for seed in SEEDS:
            quoted = urllib.parse.quote(seed)
            for path in (f"/memories?user=mallory&q={quoted}", f"/lens?users={quoted}&q={quoted}",
                         f"/traces?session={quoted}", f"/consent?user={quoted}", f"/people?user={quoted}",
                         f"/sessions?user={quoted}", f"/?user={quoted}"):  # fmt: skip
                page.goto(url + path)
                wrong += _faults(page)
        page.close()
    return wrong


def _faults(page) -> list[str]:  # type: ignore[no-untyped-def]  # noqa: ANN001 -- playwright's
    found = []
    if page.evaluate("window.pwned") is not None:
        found.append(f"a script ran on {page.url}")
    if page.locator("main script, main img, main svg, main iframe, main style").count():
        found.append(f"markup of a stored text on {page.url}")
    if not page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"):
        found.append(f"too wide: {page.url}")
    return found


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--memories", type=int, default=50_000)
    parser.add_argument("--strings", type=int, default=10_000)
    arguments = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        large = Path(folder) / "large.db"
        store = open_store(str(large))
        fill(store, OWNER, arguments.memories, Drawn.seeded(1))
        store.close()
        print(f"{arguments.memories:,} memories of one user; first paint in ms, the second of two visits\n")
        slowest = 0.0
        with served(large) as url:
            page = browser.new_page(viewport={"width": 1200, "height": 800})
            for name, path in PAGES.items():
                took = [paint(page, url + path) for _ in range(2)][1]
                slowest = max(slowest, took)
                print(f"  {name:14} {took:7.0f}", flush=True)
            page.close()
        print(f"\nslowest {slowest:.0f} ms, at most {PAINT_MAX_MS}\n")
        wrong = read_hostile(browser, Path(folder) / "hostile.db", arguments.strings)
        browser.close()
    print(f"{arguments.strings:,} hostile strings read: {len(wrong)} faults", *wrong[:10], sep="\n  ")
    return 0 if slowest <= PAINT_MAX_MS and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
