"""A tour on a throwaway store: every line is a real call, the clock stands where the tour puts it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import wellkept
from wellkept.config import Config
from wellkept.startup import open as open_memory
from wellkept.surfaces.cli.options import chosen, plain_command
from wellkept.surfaces.cli.screen import shortened

if TYPE_CHECKING:
    import click

    from wellkept.api import Memory, Viewpoint
    from wellkept.surfaces.cli.screen import Screen, Style

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NAME_WIDTH = 14
TEAM = ("alice", "bob", "carol")
SCENES: Mapping[str, Sequence[tuple[str, str]]] = {
    "Told once, known from then on": (
        ("alice", "Remember my wife Sarah likes Italian food"),
        ("alice", "What does my wife like?"),
        ("alice", "Where does my wife work?"),
    ),
    "Found by meaning, without a shared word": (
        ("alice", "I'm allergic to peanuts"),
        ("alice", "What should I avoid eating?"),
    ),
    "New truth replaces old; the old stays on record": (
        ("alice", "I live in Lisbon"),
        ("alice", "I moved to Berlin"),
        ("alice", "Where do I live?"),
    ),
    "Told in private and sensitive: not for the group": (
        ("bob", "I was diagnosed with diabetes"),
        ("bob in team", "I play the cello"),
        ("carol in team", "What do you know about Bob?"),
        ("carol in team", "Does Bob have a diagnosis?"),
        ("bob", "What was I diagnosed with?"),
    ),
    "Secrets are never stored": (("alice", "Remember my password is correct-horse-7"),),
}
"""By the headings of the scenes: who says what, alone with the assistant or among the others."""
REPLACED = "I live in Lisbon"
"""What the tour shows the history of."""


class Tour:
    """The store, and what was shown so far."""

    def __init__(self, memory: Memory, screen: Screen) -> None:
        self._memory, self._screen = memory, screen
        self._scene = ""
        self.shown: list[dict[str, str]] = []

    def opens(self, scene: str) -> None:
        self._scene = scene
        if self._screen.form == "text":
            self._screen.say()
            self._screen.say(scene, "bold")

    def line(self, who: str, text: str, style: Style = "") -> None:
        """One line of the tour: who, and what."""
        self.shown.append({"scene": self._scene, "who": who, "text": text})
        if self._screen.form == "text":
            self._screen.say(f"  {who:<{NAME_WIDTH}} {text}", style)

    def at(self, who: str) -> Viewpoint:
        """A user with nobody but the assistant, or among the others."""
        name, _, is_in_team = who.partition(" in ")
        if not is_in_team:
            return self._memory.at(user=name, display_name=name.title(), chat=f"dm-{name}")
        others = [one for one in TEAM if one != name]
        return self._memory.at(
            user=name, display_name=name.title(), chat="team", chat_type="group", participants=others
        )

    def play(self, lines: Sequence[tuple[str, str]]) -> None:
        """Turns of a chat: what is said, and what comes back; then what became of what was replaced."""
        replaced = None
        for who, text in lines:
            self.line(who, text, "cyan")
            reply = self.at(who).chat(text)
            is_refused = any(outcome.outcome == "denied" for outcome in reply.outcomes)
            self.line("", f"→ {reply.text}", "red" if is_refused else "green")
            if text == REPLACED:
                replaced = next(outcome.id for outcome in reply.outcomes if outcome.id is not None)
        if replaced is not None:
            past = self.at("alice").history(replaced)
            self.line("history", f"{past.memory.content} ({shortened([replaced])[replaced]})", "dim")
            for event in past.events:
                rule = ", ".join(str(event.meta[name]) for name in ("reason", "rule") if event.meta.get(name))
                self.line("", f"{event.ts:%Y-%m-%d} {event.event} by {event.actor}{f': {rule}' if rule else ''}", "dim")

    def explain(self, query: str) -> None:
        """A search, and why it found what it found."""
        alice = self.at("alice")
        found = alice.recall(query, limit=1, sources=("memories",))
        self.line("alice", f"(search) {query}", "cyan")
        for hit, why in zip(found, alice.why(found).hits, strict=True):
            self.line("", f"→ {hit.text}", "green")
            self.line("found by", ", ".join(f"{arm} {value:.2f}" for arm, value in why.found_by.items()), "dim")
            self.line("reasons", ", ".join(why.reasons), "dim")
            self.line("shown by", f"rule {why.rule}; said by {hit.stated_by}, about {', '.join(hit.about)}", "dim")


def demo() -> click.Command:
    return plain_command("demo", "Take a 30-second tour on a throwaway store.", _demo)


def _demo() -> None:
    _, screen = chosen()
    now = [START]

    def clock() -> datetime:
        now[0] += timedelta(minutes=1)
        return now[0]

    with (
        tempfile.TemporaryDirectory(prefix="wellkept-demo-") as folder,
        open_memory(Path(folder) / "memory.db", config=Config(), clock=clock) as memory,
    ):
        tour = Tour(memory, screen)
        if screen.form == "text":
            screen.say(wellkept.__doc__ or "", "bold")
        for title, lines in SCENES.items():
            tour.opens(title)
            tour.play(lines)
            now[0] += timedelta(days=7)
        tour.opens("Every answer can say why")
        tour.explain("What food does my wife enjoy?")
    if screen.form == "text":
        screen.say()
        screen.say('That store is gone now. Your own: wellkept chat "Remember my favorite color is blue"', "dim")
    else:
        screen.data(tour.shown)
