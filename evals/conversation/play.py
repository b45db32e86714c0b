"""A long conversation through the public API: everything that is left of it, for a reader to judge.

Run it as `python evals/conversation/play.py [conversation.txt]`: each exchange goes to `observe`, with the clock at its
time, and what is live at the end is printed with the message that it came from. A line with `==` begins another person.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import wellkept
from wellkept.config import Config

HERE = Path(__file__).parent
PACE = timedelta(minutes=1)
USER = "tamsin"


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What the user said and what the assistant answered."""

    number: int
    who: str
    at: datetime
    session: str
    said: str
    answered: str


class Clock:
    """Stands where the conversation is."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def exchanges(text: str) -> Iterator[Exchange]:
    """The exchanges of a conversation in their order."""
    at, session, said, number, person = datetime(2026, 1, 1, tzinfo=UTC), "", "", 0, USER
    for line in _messages(text):
        who, _, words = line.partition(": ")
        if line.startswith("== "):
            person = f"person-{number}"
        elif line.startswith("# 2"):
            at, session = datetime.fromisoformat(line[2:]).replace(tzinfo=UTC), line[2:]
        elif who == "U":
            said, number = words, number + 1
        elif who == "A":
            yield Exchange(number=number, who=person, at=at, session=session, said=said, answered=words)
            at += PACE


def _messages(text: str) -> Iterator[str]:
    """Each message and each heading as one text; a line that is set in goes on."""
    whole = ""
    for line in text.splitlines():
        if line.startswith("    "):
            whole += f"\n{line[4:]}"
            continue
        if whole:
            yield whole
        whole = line
    if whole:
        yield whole


def play(path: Path, folder: Path) -> tuple[int, list[tuple[str, str, str]]]:
    """How many exchanges there were, and (type, content, message number) of every memory that is live in the end."""
    clock, turns = Clock(), list(exchanges(path.read_text(encoding="utf-8")))
    with wellkept.open(folder / "memory.db", config=Config(), clock=clock, embedder="none", worker="off") as memory:
        session = ""
        for turn in turns:
            clock.now = turn.at
            if turn.session != session:
                # Upkeep runs between the sessions, as a worker would: what nobody asks for may go.
                memory.upkeep.run()
                session = turn.session
            memory.at(user=turn.who, chat=turn.who).observe(
                [
                    {"role": "user", "content": turn.said, "id": f"u{turn.number}", "at": turn.at},
                    {"role": "assistant", "content": turn.answered, "id": f"a{turn.number}", "at": turn.at},
                ],
                wait=True,
            )
        people = dict.fromkeys(turn.who for turn in turns)
        return len(turns), [
            (item.type.value, item.content, item.source_message_id or "")
            for who in people
            for item in reversed(memory.at(user=who, chat=who).list(limit=500))
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description="What a long conversation leaves.")
    parser.add_argument("path", nargs="?", type=Path, default=HERE / "conversation.txt")
    path = parser.parse_args().path
    with tempfile.TemporaryDirectory(prefix="wellkept-conversation-") as folder:
        count, left = play(path, Path(folder))
    print(f"{count} turns, {len(left)} memories\n")
    for kind, content, source in left:
        print(f"{source:>5}  {kind:<12}  {content}")


if __name__ == "__main__":
    main()
