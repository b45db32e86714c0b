"""What a governed turn makes the database do, in counts: no clock is asked."""

from __future__ import annotations

from itertools import cycle
from statistics import mean

import apsw
import pytest

import wellkept
from wellkept.config import Config

SAID = (
    "I prefer train {n} to the coast",
    "We decided to rent room {n} for the workshop",
    "My aunt Inés paints house {n} in blue",
    "Wo liegt eigentlich Ordner {n}?",
    "Actually, I work in office {n} now",
    "Remember this for me: I like trail {n}",
)
WARM_UP, TURNS, LONG = 30, 24, 300


@pytest.fixture
def memory(store_path):
    with wellkept.open(store_path, config=Config(), embedder="none") as memory:
        yield memory


def test_no_statement_is_planned_twice(memory):
    """The binding keeps as many statements as were used last, each use counted: a turn of many small ones would drive
    out the long ones, which take longer to plan than the rest of the turn."""
    session = memory.governed(session="s", user="ana")
    connection = memory.engine.store._db.driver._session.connection
    for number in range(WARM_UP + TURNS):
        if number == WARM_UP:
            before = connection.cache_stats()["misses"]
        text = SAID[number % len(SAID)].format(n=number)
        session.record(user=text, ai="All right.")
        session.recall(text)
    assert connection.cache_stats()["misses"] == before


def test_a_turn_of_a_long_session_reads_no_more_than_one_of_a_short(memory):
    """In steps of the database's machine: it takes a few for every row it looks at.

    Only a correction looks at the newest facts one by one, up to a limit.
    """
    session = memory.governed(session="s", user="ana")
    connection = memory.engine.store._db.driver._session.connection
    steps: list[int] = []
    connection.trace_v2(
        apsw.SQLITE_TRACE_PROFILE, lambda ran: steps.append(ran["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"])
    )
    taken: dict[str, list[int]] = {said: [] for said in SAID if not said.startswith("Actually")}
    for number, said in zip(range(LONG), cycle(taken)):
        steps.clear()
        session.record(user=said.format(n=number), ai="All right.")
        taken[said].append(sum(steps))
    for said, counts in taken.items():
        assert mean(counts[-4:]) < mean(counts[5:9]) * 1.05, said
