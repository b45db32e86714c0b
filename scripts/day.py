"""Two sessions with an assistant in one go, so that the README can show a full context block."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import wellkept

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
FIRST = (
    "I will call the insurance company tomorrow",
    "Every morning I'll water the figs",
    "Maybe I'll learn to sail one day",
    "I keep forgetting my keys",
    "My wife Sarah is allergic to shellfish",
    "Sarah teaches maths at the harbour school",
    "Sarah's birthday is on 9 May",
    "Sarah's favourite dish is mushroom risotto",
    "My boss Keiko plays the cello",
    "I'm working on the harbour bridge project with Keiko",
    "The harbour bridge project has to be ready by June",
    "I live in Porto, close to the river",
    "My favourite tea is jasmine",
    "I have been a vegetarian since I was twelve",
    "My brother Tom runs a bakery in Faro",
    "I must send Keiko the drawings by Friday",
    "I need to book the ferry for Easter",
)
LATER = (
    "Called the insurance company!",
    "Sarah likes Italian food",
    "I still haven't heard from the harbour office",
    "I live in Braga now, we moved last week",
)


def main() -> None:
    """Say it all, with the pauses between."""
    now = START
    with wellkept.open(os.environ["WELLKEPT_DB"], clock=lambda: now, worker="off") as memory:
        coach = memory.at(user=os.environ["WELLKEPT_USER"], persona="Coach", thread="day")
        coach.seed_profile(["Alice is a bridge engineer"])
        for text in FIRST:
            now += timedelta(minutes=1)
            coach.turn(text).finish("I see.")
        memory.upkeep.finish()
        now += timedelta(hours=2)
        memory.upkeep.runner.run_due()
        coach.context("Good morning")
        for text in LATER:
            now += timedelta(minutes=1)
            coach.turn(text).finish("I see.")
        now += timedelta(minutes=5)
        memory.upkeep.runner.run_due()


if __name__ == "__main__":
    main()
