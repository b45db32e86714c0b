"""Which statement stands: each rule alone, and the order of arrival never mattering."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.make import NOON, memory
from wellkept.policies.writing.conflict import Conflict, settle, settle_governed
from wellkept.types import Memory
from wellkept.vocabulary import Authority

LATER = NOON + timedelta(hours=1)
SYSTEM = {"source": "system", "authority": Authority.SYSTEM_IMPOSED, "stated_by": None}
TOOL = {"source": "tool", "authority": Authority.TOOL_VERIFIED, "stated_by": None}


GUESS = {"source": "ai", "authority": Authority.AI_INFERRED, "stated_by": None}
ALIKE = [
    pytest.param(memory(), memory(**GUESS, observed_at=LATER), "authority", id="user over later inference"),
    pytest.param(
        memory(), memory(stated_by="p_bo", observed_at=LATER), "authority", id="own word over later third party"
    ),
    pytest.param(
        memory(), memory(stated_by="p_bo", is_correction=True), "authority", id="own word over another's correction"
    ),
    pytest.param(memory(observed_at=LATER), memory(importance=3.0), "recency", id="newer over weightier"),
    pytest.param(memory(tick=2), memory(tick=1, importance=3.0), "recency", id="later tick at one instant"),
    pytest.param(memory(importance=2.0), memory(), "importance", id="weightier"),
]


def check(settling: Callable[[Memory, Memory], Conflict], winner: Memory, loser: Memory, rule: str) -> None:
    for pair in ((winner, loser), (loser, winner)):
        settled = settling(*pair)
        assert settled.winner is winner
        assert settled.loser is loser
        assert settled.rule == rule


@pytest.mark.parametrize(
    ("winner", "loser", "rule"),
    [
        *ALIKE,
        pytest.param(memory(**SYSTEM), memory(observed_at=LATER), "authority", id="system over later user"),
        pytest.param(memory(tick=1), memory(importance=3.0), "recency", id="a tick over none"),
        pytest.param(
            memory(**TOOL | {"stated_by": "p_bo", "observed_at": LATER}), memory(), "recency", id="a tool is first hand"
        ),
        pytest.param(
            memory(**SYSTEM | {"stated_by": "p_bo"}), memory(observed_at=LATER), "authority", id="so is the system"
        ),
        pytest.param(memory(observed_at=LATER), memory(**TOOL), "recency", id="later user over tool"),
        pytest.param(memory(**TOOL | {"observed_at": LATER}), memory(), "recency", id="later tool over user"),
        pytest.param(memory(observed_at=LATER), memory(is_correction=True), "recency", id="later over correction"),
        pytest.param(memory(is_correction=True, observed_at=LATER), memory(), "recency", id="later correction"),
    ],
)
def test_each_rule(winner: Memory, loser: Memory, rule: str) -> None:
    check(settle, winner, loser, rule)


@pytest.mark.parametrize(
    ("winner", "loser", "rule"),
    [
        *ALIKE,
        pytest.param(memory(**TOOL), memory(observed_at=LATER), "authority", id="tool over later user"),
        pytest.param(
            memory(is_correction=True), memory(**SYSTEM), "correction", id="user's correction over the system"
        ),
        pytest.param(
            memory(**SYSTEM, is_correction=True), memory(is_correction=True), "importance", id="of two corrections"
        ),
        pytest.param(memory(is_correction=True), memory(**TOOL), "correction", id="user's correction over tool"),
        pytest.param(memory(is_correction=True), memory(observed_at=LATER), "correction", id="correction over later"),
    ],
)
def test_each_rule_of_governed_sessions(winner: Memory, loser: Memory, rule: str) -> None:
    check(settle_governed, winner, loser, rule)


@pytest.mark.parametrize("settling", [settle, settle_governed])
def test_of_two_that_weigh_the_same_the_words_decide(settling: Callable[[Memory, Memory], Conflict]) -> None:
    texts = ("The user lives in Lyon", "The user lives in Oslo", "The user lives in Cairo")
    for one, other in itertools.combinations((memory(content=text) for text in texts), 2):
        by_hash = {hashlib.sha256(f"{held.content}\x1fp_ana".encode()).hexdigest(): held for held in (one, other)}
        check(settling, by_hash[max(by_hash)], by_hash[min(by_hash)], "importance")


@pytest.mark.parametrize("settling", [settle, settle_governed])
def test_of_two_that_are_the_same_the_first_stands(settling: Callable[[Memory, Memory], Conflict]) -> None:
    one, other = memory(id="m_one"), memory(id="m_two")
    assert settling(one, other) == Conflict(winner=one, loser=other, rule="importance")


def test_the_same_words_by_a_tool_and_a_person_are_told_apart() -> None:
    same = {"source": "tool", "stated_by": "p_ana"}
    check(settle, memory(**same), memory(**same, authority=Authority.TOOL_VERIFIED), "importance")
    check(settle, memory(is_correction=True), memory(), "importance")


def test_a_models_correction_corrects_nobody() -> None:
    guess = memory(**GUESS, is_correction=True, observed_at=LATER)
    assert settle(guess, memory()).winner.source == settle_governed(guess, memory()).winner.source == "user"


statements = st.builds(
    memory,
    content=st.sampled_from(["The user lives in Lyon", "The user lives in Oslo", "The user lives in Cairo"]),
    stated_by=st.sampled_from([None, "p_ana", "p_bo"]),
    authority=st.sampled_from(list(Authority)),
    is_correction=st.booleans(),
    observed_at=st.sampled_from([NOON, LATER]),
    importance=st.sampled_from([0.0, 1.0, 3.0]),
)


@pytest.mark.parametrize("settling", [settle, settle_governed])
@given(written=st.lists(statements, min_size=2, max_size=5))
def test_the_order_of_arrival_never_matters(
    settling: Callable[[Memory, Memory], Conflict], written: list[Memory]
) -> None:
    winners = set()
    for order in itertools.permutations(written):
        standing = order[0]
        for incoming in order[1:]:
            standing = settling(incoming, standing).winner
        winners.add((standing.content, standing.authority, standing.is_correction, standing.importance))
    assert len(winners) == 1
