"""Procedures: only when asked for, with steps, for the agents that plan and act."""

from __future__ import annotations

import pytest

from wellkept.errors import InvalidInput, NotAllowed
from wellkept.vocabulary import Kind

STEPS = ("build the image", "push it", "restart the pods")


@pytest.mark.parametrize(
    ("facts", "options"),
    [
        ("Remember how to deploy the api: build the image; push it; then restart the pods", {}),
        ("Deploy the api: build the image; push it; then restart the pods", {"procedure": True}),
        (None, {"procedure": "How to deploy the api\n1. build the image\n2. push it\n3. restart the pods"}),
        (None, {"procedure": ["How to deploy the api", *STEPS]}),
    ],
)
def test_every_way_in_gives_the_same_steps(memory_without_vectors, facts, options):
    alice = memory_without_vectors.at(user="alice")
    outcome = alice.remember(facts, **options)
    stored = memory_without_vectors.engine.store.memory("default", outcome.id)
    assert stored.kind is Kind.PROCEDURAL
    assert stored.category == "procedural"
    assert stored.content.casefold() == "how to deploy the api"
    assert stored.steps == STEPS
    assert stored.source == "user"
    assert alice.recall("deploy the api", sources=("memories",)).verdict == "nothing", "not for a conversation"
    assert "image" not in str(alice.context("how do I deploy?"))


def test_what_a_working_agent_found_is_its_own_word(memory_without_vectors):
    executor = memory_without_vectors.at(user="alice", agent="executor")
    outcome = executor.remember(procedure=["Rotate the logs", "stop the service", "move the files", "start it again"])
    stored = memory_without_vectors.engine.store.memory("default", outcome.id)
    assert (stored.source, stored.authority, stored.kind) == ("ai", "ai_inferred", Kind.PROCEDURAL)


def test_two_procedures_that_sound_alike_stay_two(memory):
    alice = memory.at(user="alice")
    first = alice.remember(procedure=["Deploy the api server", "build it", "push it"])
    second = alice.remember(procedure=["Deploy the web server", "build it", "push it"])
    assert first.id != second.id
    assert [one.outcome for one in (first, second)] == ["created", "created"]


@pytest.mark.parametrize("procedure", [5, [1, 2], {"a": 1}, True])
def test_what_is_no_procedure_is_an_error(memory_without_vectors, procedure):
    with pytest.raises(InvalidInput):
        memory_without_vectors.at(user="alice").remember(procedure=procedure)


@pytest.mark.parametrize(
    ("facts", "options"),
    [
        ("how to deploy the api: build the image, push it, restart the pods", {}),
        ("deploy the api", {"procedure": list(STEPS)}),
        ("deploy the api", {"procedure": "1. build the image\n2. push it\n3. restart the pods"}),
        ("How to deploy the api: 1. build the image 2. push it 3. restart the pods", {"procedure": True}),
    ],
)
def test_no_step_is_lost_and_the_agents_are_told_all(memory_without_vectors, facts, options):
    alice = memory_without_vectors.at(user="alice")
    stored = memory_without_vectors.engine.store.memory("default", alice.remember(facts, **options).id)
    assert (stored.content.casefold(), stored.steps) == ("how to deploy the api", STEPS)
    [bullet] = alice.query("deploy the api", agent="executor", categories=["procedural"])
    assert bullet.text.endswith("deploy the api: 1. build the image 2. push it 3. restart the pods")


def test_other_agents_find_no_procedures(memory_without_vectors):
    with pytest.raises(NotAllowed) as caught:
        memory_without_vectors.at(user="alice", agent="stylist").remember(procedure=["Deploy", *STEPS])
    assert caught.value.code == "agent_disallowed"
