"""The pictures of the Studio in README and docs, taken in a real browser of a small store that is made for them.

wellkept bench studio-pictures [docs/images] [--all]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from studio import served

import wellkept

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellkept.api import Memory

PAGES = {
    "home": "/",
    "playground": "/playground?user=alice&chat=dm-alice&other=bob",
    "memories": "/memories?user=alice",
    "memory": "/memories/{changed}?user=alice",
    "people": "/people?user=alice",
    "person": "/people/Ida?user=alice",
    "compare": "/people/compare?user=alice&one=Makesh&other=Mukesh",
    "lens": "/lens?chat=team&users=alice,bob&alone=1&q=what+was+Bob+diagnosed+with%3F",
    "conversations": "/conversations?user=alice&chat=dm-alice&persona=Coach&in=dm-alice",
    "sessions": "/sessions?user=alice&persona=Coach",
    "questions": "/questions?user=alice",
    "traces": "/traces",
    "health": "/health",
    "settings": "/settings",
    "search": "/search?q=Ida",
    "sign-in": "/sign-in",
}
SIZES = {"": (1280, 800), "-phone": (390, 844)}
THEMES = ("light", "dark")
SHOWN = {
    "timeline": "home-light",
    "playground": "playground-light",
    "memories": "memories-light",
    "memory": "memory-dark",
    "people": "people-dark",
    "lens": "lens-light",
    "conversations": "conversations-light",
    "health": "health-dark",
    "settings": "settings-light",
    "home-phone": "home-dark-phone",
    "playground-phone": "playground-dark-phone",
    "questions-phone": "questions-light-phone",
}
"""Pictures in the docs, by the end of their names; `--all` takes every page at both sizes in both themes."""
TOLD = (
    "My wife Sarah likes Italian food", "My favorite color is teal", "I have been diagnosed with asthma",
    "My boss is Mehmet", "My sister Ida lives in Porto", "I work as a bridge engineer",
    "My colleague Makesh plays chess", "Mukesh sails at weekends", "I live in Lyon", "Ida is the best friend of Sarah",
)  # fmt: skip
SAID = (
    "My sister Ida comes to visit next week.", "I will call the insurance company tomorrow.",
    "The garden project keeps me busy these days.", "I planted forty tulips along the fence.",
    "Maybe I'll learn to sail next year.", "I will send the bridge report on Friday.",
    "I called the insurance company, done.", "The tulips came up yesterday.",
)  # fmt: skip


def world(memory: Memory, later: Callable[[timedelta], None]) -> str:
    """A few weeks of three people with their assistant; the id of a memory that replaced another."""
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
    said = "By the way, I moved to Hamburg last week. Lovely weather here!"
    alice.observe([{"role": "user", "content": said}], wait=True)
    later(timedelta(hours=1))
    carol = memory.at(user="carol", display_name="Carol", participants=["alice", "bob"], **group)
    carol.observe([{"role": "user", "content": "I bring the cake on Friday, and I am allergic to nuts."}], wait=True)
    alice.remember("My password is correct-horse-7")
    ida = next(one for one in alice.people() if one.name == "Ida")
    alice.relate_person(ida.id, relation="friend", to="Sarah")
    later(timedelta(hours=1))
    return alice.remember("My favorite color is blue").id or ""


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parents[1] / "docs" / "images")
    parser.add_argument("--all", action="store_true", help="every page, at both sizes, in both themes")
    asked = parser.parse_args()
    now = [datetime.now(UTC) - timedelta(days=14, hours=1)]

    def later(pause: timedelta) -> None:
        now[0] += pause

    with tempfile.TemporaryDirectory(prefix="wellkept-pictures-") as place, sync_playwright() as driver:
        db = Path(place) / "memory.db"
        with wellkept.open(db, clock=lambda: now[0], worker="off") as memory:
            changed = world(memory, later)
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-browser"), args=["--no-sandbox"]
        )
        with served(db, embedder=None) as url:
            page = browser.new_page(reduced_motion="reduce")
            for (name, path), theme, (size, (width, height)) in product(PAGES.items(), THEMES, SIZES.items()):
                taken = f"{name}-{theme}{size}"
                names = [taken] if asked.all else [end for end, one in SHOWN.items() if one == taken]
                if not names:
                    continue
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=theme)
                page.goto(url + path.format(changed=changed))
                page.wait_for_timeout(700)  # the graph, the plot and the stream
                page.screenshot(path=asked.folder / f"studio-{names[0]}.png")
                print(asked.folder / f"studio-{names[0]}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
