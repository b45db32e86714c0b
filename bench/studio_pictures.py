"""The pictures of the Studio in README and docs, taken in a real browser of a small store that is made for them.

wellkept bench studio-pictures [docs/images]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from studio import served

import wellkept

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellkept.api import Memory

PICTURES = {
    "studio-timeline": ("/", "light"),
    "studio-memories": ("/memories?user=alice&q=what+does+my+wife+like%3F", "light"),
    "studio-people": ("/people?user=alice", "dark"),
    "studio-lens": ("/lens?chat=team&users=alice,bob&alone=1&q=what+does+Bob+like%3F", "light"),
    "studio-sessions": ("/sessions?user=alice&persona=Coach", "light"),
    "studio-health": ("/health", "dark"),
}
TOLD = (
    "My wife Sarah likes Italian food", "My favorite color is teal", "I have been diagnosed with asthma",
    "My boss is Mehmet", "My sister Ida lives in Porto", "I work as a bridge engineer",
    "My colleague Makesh plays chess", "Mukesh sails at weekends", "I live in Lyon",
)  # fmt: skip
SAID = (
    "My sister Ida comes to visit next week.", "I will call the insurance company tomorrow.",
    "The garden project keeps me busy these days.", "I planted forty tulips along the fence.",
    "Maybe I'll learn to sail next year.", "I will send the bridge report on Friday.",
    "I called the insurance company, done.", "The tulips came up yesterday.",
)  # fmt: skip


def world(memory: Memory, later: Callable[[timedelta], None]) -> None:
    """A few weeks of two people with their assistant."""
    alice = memory.at(user="alice", display_name="Alice", chat="dm-alice")
    bob = memory.at(user="bob", display_name="Bob", chat="dm-bob")
    group = {"chat": "team", "chat_type": "group"}
    for text in TOLD:
        alice.remember(text)
        later(timedelta(days=1, hours=7))
    bob.remember("I was diagnosed with diabetes")
    memory.at(user="bob", participants=["alice"], **group).remember("I love climbing")
    memory.at(user="alice", participants=["bob"], **group).remember("Bob loves pizza")
    later(timedelta(days=1))
    coach = memory.at(user="alice", persona="Coach", chat="dm-alice")
    for text in SAID:
        coach.turn(text).finish("Noted. Go on.")
        later(timedelta(minutes=2))
        memory.upkeep.runner.run_due()
    alice.observe([{"role": "user", "content": "By the way, I moved to Hamburg last week."}], wait=True)
    alice.remember("My password is correct-horse-7")
    alice.remember("My favorite color is blue")


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parents[1] / "docs" / "images")
    folder: Path = parser.parse_args().folder
    now = [datetime.now(UTC) - timedelta(days=13)]

    def later(pause: timedelta) -> None:
        now[0] += pause

    with tempfile.TemporaryDirectory(prefix="wellkept-pictures-") as place, sync_playwright() as driver:
        db = Path(place) / "memory.db"
        with wellkept.open(db, clock=lambda: now[0], worker="off") as memory:
            world(memory, later)
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-browser"), args=["--no-sandbox"]
        )
        with served(db, embedder=None) as url:
            page = browser.new_page(viewport={"width": 1200, "height": 760}, reduced_motion="reduce")
            for name, (path, scheme) in PICTURES.items():
                page.emulate_media(color_scheme=scheme)
                page.goto(url + path)
                page.wait_for_timeout(700)  # the graph, the plot and the stream
                page.screenshot(path=folder / f"{name}.png")
                print(folder / f"{name}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
