"""A governed session: a policy says what may be kept, every decision is an event, and a replay gives the same bytes."""

from __future__ import annotations

import json

import wellkept

POLICY = """
write_policy = "minimal"
short_term_max_turns = 2
"""
TALK = [
    ("Remember this for me: I prefer concise updates", "Noted."),
    ("Lovely weather today", "It is."),
    ("My password is correct-horse-7", "I cannot keep that."),
]


def play(memory: wellkept.Memory, session: str) -> list[dict[str, object]]:
    """The talk in a session of its own; everything that was decided."""
    governed = memory.governed(session=session, user=f"ana-of-{session}", policy=POLICY)
    return [event for user, ai in TALK for event in governed.record(user=user, ai=ai)]


def main() -> None:
    with wellkept.open("governed.db", embedder="none") as memory:
        events = play(memory, "monday")
        for event in events:
            print(event["type"], event.get("reason"))
        again = json.dumps(play(memory, "friday")).replace("friday", "monday")
        print(
            "kinds of events are the same again:",
            [one["type"] for one in json.loads(again)] == [one["type"] for one in events],
        )


if __name__ == "__main__":
    main()
