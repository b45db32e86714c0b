"""A caller has a share of the writing lane, and what is too much is refused by a code."""

from __future__ import annotations

from wellkept.policies.callers.lanes import WriteShare, admit


def test_a_write_is_taken_while_the_caller_has_room():
    share = WriteShare(working_max=2, waiting_max=3)
    assert [admit(in_hand, share).verdict for in_hand in range(7)] == ["pass"] * 5 + ["refuse"] * 2
    assert admit(5, share).reason == "too_many_writes"


def test_nothing_waits_where_nothing_may():
    share = WriteShare(working_max=1, waiting_max=0)
    assert [admit(in_hand, share).verdict for in_hand in range(2)] == ["pass", "refuse"]
