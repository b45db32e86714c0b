"""An assistant that remembers, in 40 lines: `python examples/assistant.py`, then talk to it; an empty line ends."""

from __future__ import annotations

import sys

import wellkept


def model(block: str, text: str) -> str | None:
    """Call your model here, with `block` in the system prompt. None: answer from memory alone."""
    del block, text


def reply(alice: wellkept.api.Viewpoint, text: str) -> str:
    turn = alice.turn(text)  # into the transcript, with what the model should know before it answers
    said = model(str(turn.context), text)
    if said is None:
        return alice.chat(text).text
    turn.finish(said)
    return said


def main() -> None:
    with wellkept.open("assistant.db") as memory:
        alice = memory.at(user="alice", chat="dm", display_name="Alice")
        for line in sys.stdin:
            if not line.strip():
                break
            print(reply(alice, line.strip()), flush=True)


if __name__ == "__main__":
    main()
