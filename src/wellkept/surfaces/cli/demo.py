"""A tour on a throwaway store: every line is a real call, the clock stands where the tour puts it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import wellkept
from wellkept.config import Config
from wellkept.opening import open as open_memory
from wellkept.surfaces.cli.options import chosen, plain_command
from wellkept.surfaces.cli.screen import shortened

if TYPE_CHECKING:
    import click

    from wellkept.api import Memory, Viewpoint
    from wellkept.surfaces.cli.screen import Screen

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NAME_WIDTH = 14


@dataclass
class Tour:
    """The store, the clock and what was shown so far."""

    memory: Memory
    screen: Screen
    shown: list[dict[str, str]] = field(default_factory=list)
    scene: str = ""

    def opens(self, scene: str) -> None:
        """A new scene, under its heading."""
        self.scene = scene
        if self.screen.form == "text":
            self.screen.say()
            self.screen.say(scene, "bold")

    def line(self, who: str, text: str, style: str = "") -> None:
        """One line of the tour: who, and what."""
        self.shown.append({"scene": self.scene, "who": who, "text": text})
        if self.screen.form == "text":
            self.screen.say(f"  {who:<{NAME_WIDTH}} {text}", style)  # type: ignore[arg-type]  # a style of the screen

    def says(self, viewpoint: Viewpoint, text: str) -> str:
        """One turn of a chat: what is said, and what comes back. Gives the id of what was stored."""
        place = viewpoint.place
        self.line(f"{place.user}{'' if place.chat_type == 'private' else ' in ' + str(place.chat)}", text, "cyan")
        reply = viewpoint.chat(text)
        is_refused = any(outcome.outcome == "denied" for outcome in reply.outcomes)
        self.line("", f"→ {reply.text}", "red" if is_refused else "green")
        return next((outcome.id for outcome in reply.outcomes if outcome.id is not None), "")

    def alone(self, name: str) -> Viewpoint:
        """A user with nobody but the assistant."""
        return self.memory.at(user=name, display_name=name.title(), chat=f"dm-{name}")

    def in_team(self, name: str) -> Viewpoint:
        """A user among the others."""
        others = tuple(one for one in ("alice", "bob", "carol") if one != name)
        return self.memory.at(user=name, display_name=name.title(), chat="team", chat_type="group", participants=others)


def demo() -> click.Command:
    """`wellkept demo`."""
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
        tour = Tour(memory=memory, screen=screen)
        if screen.form == "text":
            screen.say(wellkept.__doc__ or "", "bold")
        for scene in (_told_once, _by_meaning, _new_truth, _who_hears_what, _secrets, _why):
            scene(tour)
            now[0] += timedelta(days=7)
    if screen.form == "text":
        screen.say()
        screen.say('That store is gone now. Your own: wellkept chat "Remember my favorite color is blue"', "dim")
    else:
        screen.data(tour.shown)


def _told_once(tour: Tour) -> None:
    tour.opens("Told once, known from then on")
    alice = tour.alone("alice")
    tour.says(alice, "Remember my wife Sarah likes Italian food")
    tour.says(alice, "What does my wife like?")
    tour.says(alice, "Where does my wife work?")


def _by_meaning(tour: Tour) -> None:
    tour.opens("Found by meaning, without a shared word")
    alice = tour.alone("alice")
    tour.says(alice, "I'm allergic to peanuts")
    tour.says(alice, "What should I avoid eating?")


def _new_truth(tour: Tour) -> None:
    tour.opens("New truth replaces old; the old stays on record")
    alice = tour.alone("alice")
    lisbon = tour.says(alice, "I live in Lisbon")
    tour.says(alice, "I moved to Berlin")
    tour.says(alice, "Where do I live?")
    past = alice.history(lisbon)
    tour.line("history", f"{past.memory.content} ({shortened([lisbon])[lisbon]})", "dim")
    for event in past.events:
        rule = ", ".join(str(event.meta[name]) for name in ("reason", "rule") if event.meta.get(name))
        tour.line("", f"{event.ts:%Y-%m-%d} {event.event} by {event.actor}{f': {rule}' if rule else ''}", "dim")


def _who_hears_what(tour: Tour) -> None:
    tour.opens("Told in private and sensitive: not for the group")
    bob = tour.alone("bob")
    tour.says(bob, "I was diagnosed with diabetes")
    tour.says(tour.in_team("bob"), "I play the cello")
    tour.says(tour.in_team("carol"), "What do you know about Bob?")
    tour.says(tour.in_team("carol"), "Does Bob have a diagnosis?")
    tour.says(bob, "What was I diagnosed with?")


def _secrets(tour: Tour) -> None:
    tour.opens("Secrets are never stored")
    tour.says(tour.alone("alice"), "Remember my password is correct-horse-7")


def _why(tour: Tour) -> None:
    tour.opens("Every answer can say why")
    alice = tour.alone("alice")
    query = "What food does my wife enjoy?"
    found = alice.recall(query, limit=1, sources=("memories",))
    tour.line("alice", f"(search) {query}", "cyan")
    for hit, why in zip(found, alice.why(found).hits, strict=True):
        tour.line("", f"→ {hit.text}", "green")
        tour.line("found by", ", ".join(f"{arm} {value:.2f}" for arm, value in why.found_by.items()), "dim")
        tour.line("reasons", ", ".join(why.reasons), "dim")
        tour.line("shown by", f"rule {why.rule}; said by {hit.stated_by}, about {', '.join(hit.about)}", "dim")
