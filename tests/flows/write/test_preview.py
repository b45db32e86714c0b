"""A preview says what a write would do, and leaves nothing behind."""

from __future__ import annotations

from wellkept.store.contract import KnownUser


def test_a_preview_tells_what_would_be_replaced_and_stores_nothing(memory):
    alice = memory.at(user="alice", display_name="Alice")
    alice.remember("My favorite color is teal")
    before = memory.events.list(of="alice"), alice.list()
    (one,) = alice.preview("My favorite color is blue")
    assert one.outcome == "superseded_old"
    assert "blue" in (one.content or "")
    assert "teal" in (one.replaced_content or "")
    assert (memory.events.list(of="alice"), alice.list()) == before
    done = alice.remember("My favorite color is blue")
    assert (done.outcome, done.replaced) == (one.outcome, one.replaced)


def test_a_preview_tells_a_refusal_and_makes_nobody_known(memory):
    (one,) = memory.at(user="nobody").preview("My password is correct-horse-7")
    assert (one.outcome, one.content) == ("denied", None)
    assert not memory.engine.store.has(KnownUser(tenant="default", user="nobody"))
    assert memory.events.list() == ()
