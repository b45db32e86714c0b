"""What was said last stands, whatever the clocks do: they step back, and those of two machines differ."""

from __future__ import annotations

from datetime import timedelta

import pytest

import wellkept
from tests.conftest import Clock
from wellkept.config import Config, JudgeTable, MemoryTable
from wellkept.vocabulary import LIFETIMES, MemoryType

ROME, OSLO = "By the way, I live in Rome", "By the way, I live in Oslo"


def opened(url, clock):
    config = Config(memory=MemoryTable(auto_gc=False), judge=JudgeTable(provider="rules"))
    return wellkept.open(url, config=config, clock=clock, embedder="none", worker="off")


@pytest.fixture
def memory(store_url, clock):
    with opened(store_url, clock) as memory:
        yield memory


def by_hand(ana, text):
    ana.remember(text)


def overheard_and_read(ana, text):
    ana.observe([{"content": text}], wait=True)


def overheard(ana, text):
    ana.observe([{"content": text}])


def in_a_group(ana, text):
    ana.memory.at(user="ana", chat="c1", chat_type="group", participants=["bob"]).observe([{"content": text}])


def in_a_turn(ana, text):
    ana.turn(text)


def in_a_chat(ana, text):
    ana.chat(text)


WAYS = [by_hand, overheard_and_read, overheard, in_a_group, in_a_turn, in_a_chat]
PAIRS = [*((way, way) for way in WAYS), *((way, by_hand) for way in WAYS[2:]), (by_hand, overheard)]


def homes(memory):
    memory.upkeep.run(["extract"])
    return [one.value for one in memory.at(user="ana").list() if one.fact_key == "city"]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_clock_that_steps_back_makes_nothing_older(memory, clock, first, second):
    ana = memory.at(user="ana")
    first(ana, ROME)
    clock.advance(seconds=-30)
    second(ana, OSLO)
    assert homes(memory) == ["oslo"]


def test_a_clock_that_steps_back_before_what_was_said_is_read_changes_no_order(memory, clock):
    ana = memory.at(user="ana")
    overheard(ana, ROME)
    clock.advance(seconds=1)
    overheard(ana, OSLO)
    clock.advance(seconds=-30)
    assert homes(memory) == ["oslo"]


def test_of_two_machines_the_one_whose_clock_is_behind_is_heard(memory, store_url, clock):
    memory.at(user="ana").remember(ROME)
    with opened(store_url, Clock(clock.now - timedelta(minutes=5))) as behind:
        assert behind.at(user="ana").remember(OSLO).outcome == "superseded_old"
        memory.at(user="ana").remember("I live in Bergen")
        assert homes(behind) == ["bergen"]


def test_a_time_that_the_caller_gives_decides(memory, clock):
    ana = memory.at(user="ana")
    ana.remember(OSLO)
    ana.observe([{"content": ROME, "at": clock.now - timedelta(days=400)}], wait=True)
    assert homes(memory) == ["oslo"]


def test_a_clock_that_was_a_year_ahead_lengthens_no_life(memory, clock):
    ana = memory.at(user="ana")
    clock.advance(days=365)
    ana.add("The lift is broken today", type="observation")
    clock.advance(days=-365)
    made = ana.add("The heating is broken today", type="observation")
    told = ana.show(made.id).memory
    assert told.observed_at > clock.now + timedelta(days=364), "it is the later of the two"
    assert told.dies_at == clock.now + LIFETIMES[MemoryType.OBSERVATION]
    assert told.valid_from == clock.now
