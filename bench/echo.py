"""Echo: what memory said comes back, fenced, unfenced and in other words, and teaches nothing.

    python bench/echo.py [--turns 1000] [--broken]

Facts are remembered; then turn after turn the context block is fed back: by the assistant and the system, as a block,
as its bare lines, and in the assistant's own words; and by the user, who pastes the block. No memory may be new, and
none may count as told once more. `--broken` lets the assistant be a source; there it must find that memory has grown.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import wellkept
from wellkept.config import Config
from wellkept.flows import views
from wellkept.policies.upkeep import extraction
from wellkept.store.contract import OfChat

FACTS = (
    "I am allergic to peanuts.",
    "My favorite color is teal.",
    "My sister Ana lives in Porto.",
    "I work as a nurse at a clinic in Leeds.",
    "I have a cat named Miso.",
    "I moved to Leeds in 2019.",
)
QUESTIONS = (
    "What do I like?",
    "Where does my sister live?",
    "What should I cook tonight?",
    "hm, let me think about it",
)
STEP = timedelta(seconds=45)


@dataclass(frozen=True, kw_only=True)
class Report:
    """What came of it."""

    turns: int
    before: dict[str, int]
    """Text of each memory → how often it was told."""
    after: dict[str, int]

    @property
    def is_silent(self) -> bool:
        """Nothing new, nothing told once more."""
        return self.before == self.after


def run(turns: int, *, broken: bool = False, say: Callable[[str], None] = print) -> Report:
    """Feed the context back for so many turns."""
    now = datetime(2026, 3, 2, 9, tzinfo=UTC)

    def clock() -> datetime:
        return now

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with wellkept.open(path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
            alice = memory.at(user="alice", chat="dm", display_name="Alice")
            for fact in FACTS:
                alice.remember(fact)
            before = told(alice)
            for turn in range(turns):
                now += STEP
                block = str(alice.context(QUESTIONS[turn % len(QUESTIONS)]))
                said = echo(turn, block, [one.content for one in alice.list(limit=20)])
                alice.observe([{"role": "user", "content": QUESTIONS[turn % len(QUESTIONS)]}, *said])
                if broken:
                    _read_assistants(memory, alice)
                memory.upkeep.runner.run_due()
                if (turn + 1) % 250 == 0:
                    say(f"{turn + 1} turns, {len(told(alice))} memories")
            memory.upkeep.run(["extract"])
            return Report(turns=turns, before=before, after=told(alice))


def told(alice: wellkept.api.Viewpoint) -> dict[str, int]:
    """Text of each memory → how often it was told."""
    return {memory.content: memory.mention_count for memory in alice.list(limit=1_000)}


def echo(turn: int, block: str, facts: list[str]) -> list[dict[str, str]]:
    """How memory's words come back in this turn."""
    bare = "\n".join(line for line in block.splitlines() if not line.startswith("<<<"))
    fact = facts[turn % len(facts)]
    yours = fact.replace("Alice's", "your").replace("Alice is", "you are").replace("Alice", "you")
    forms = (
        [{"role": "system", "content": block}],
        [{"role": "assistant", "content": f"From memory:\n{block}"}],
        [{"role": "assistant", "content": bare}],
        [{"role": "assistant", "content": f"As far as I know, {yours}, so I would keep that in mind. {fact}."}],
        [{"role": "tool", "content": f"recall() -> {fact}"}],
        [{"role": "user", "content": f"{block}\nwhat is this text in my prompt?"}],
        [{"role": "user", "content": f"why do you print this?\n{bare}"}],
    )
    return forms[turn % len(forms)]


def _read_assistants(memory: wellkept.Memory, alice: wellkept.api.Viewpoint) -> None:
    """Broken on purpose: whatever was said is read as the user's own words."""
    place = views.place_of(alice.place)
    store = memory.engine.store
    for message in store.messages(OfChat(place=place, is_waiting=True, limit=100)):
        alice.remember(replace(message, role="user").content[: extraction.CHARACTERS_MAX])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--broken", action="store_true")
    given = parser.parse_args()
    report = run(given.turns, broken=given.broken)
    new = sorted(set(report.after) - set(report.before))
    more = {text: count for text, count in report.after.items() if count != report.before.get(text, count)}
    print(f"{report.turns} turns: {len(new)} new memories, {len(more)} counted as told again")
    for text in [*new, *more][:10]:
        print(f"  {text}")
    return int(report.is_silent == given.broken)


if __name__ == "__main__":
    sys.exit(main())
