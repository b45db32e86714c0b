"""CrewAI's memory on wellkept, with the bundled embedder. Runs offline: no model is asked.

pip install 'wellkept[crewai]'
python examples/crewai_memory.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from crewai.memory.unified_memory import Memory

import wellkept
from wellkept.integrations.crewai import Storage, embedder


def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    with wellkept.open(str(path)) as memory:
        # Whose memory it is is the application's to know, never the model's.
        alice = memory.at(user="alice", chat="crew")
        crew = Memory(storage=Storage(alice), embedder=embedder(alice))
        # Scope, categories and importance are given here; otherwise a model of CrewAI's would choose them.
        for text in ("The customer prefers teal for the logo", "The deadline is the first of May"):
            crew.remember(text, scope="/projects/logo", categories=["wish"], importance=0.7)
        crew.close()
        again = Memory(storage=Storage(alice), embedder=embedder(alice))
        for match in again.recall("Which color does the customer like?", scope="/projects", depth="shallow", limit=1):
            print(f"{match.score:.2f} {match.record.content}")
        again.close()


if __name__ == "__main__":
    main()
