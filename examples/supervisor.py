"""A supervisor with sub-agents: each reads what its allowlist names, and the supervisor's state survives a restart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import wellkept

THREAD = "trip-to-porto"


def agent(memory: wellkept.Memory, name: str) -> wellkept.api.Viewpoint:
    """One agent at work for Ana. What it may read is in `[allowlists]`: a planner tasks, a stylist preferences."""
    return memory.at(user="ana", agent=name, thread=THREAD)


def plan(memory: wellkept.Memory) -> str:
    agent(memory, "planner").add("Book the 8:39 train from Lisbon to Porto", type="task")
    return "execute"


def execute(memory: wellkept.Memory) -> str:
    (task, *_) = agent(memory, "executor").recall("What is to be booked?", limit=1)
    print(f"  executor was told: {task.text}")
    return "done"


STEPS = {"plan": plan, "execute": execute}


def run(memory: wellkept.Memory, steps_max: int) -> Mapping[str, Any]:
    """Go on where the last run ended, for so many steps."""
    saved = memory.checkpoints.load("ana", THREAD)
    state, version = (saved.data, saved.version) if saved else ({"next": "plan"}, 0)
    for _ in range(steps_max):
        if state["next"] == "done":
            break
        name = state["next"]
        state = {"next": STEPS[name](memory)}
        version = memory.checkpoints.save("ana", THREAD, state, version=version).version
        print(f"{name} → {state['next']}")
    return state


def main() -> None:
    with wellkept.open("supervisor.db") as memory:
        memory.at(user="ana").remember("I prefer window seats")
        run(memory, steps_max=1)
    print("-- restart --")
    with wellkept.open("supervisor.db") as memory:
        run(memory, steps_max=9)
        for name in ("executor", "stylist"):
            seen = agent(memory, name).recall("window seats or train", sources=("memories",))
            print(f"{name} sees: {', '.join(hit.text for hit in seen)}")


if __name__ == "__main__":
    main()
