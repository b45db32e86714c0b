"""What a key settles, and what may be claimed beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wellkept.policies.callers.grants import (
    Grant,
    Vouched,
    bound,
    contradiction,
    is_of_another,
    of_scopes,
    own_id,
    placed,
    refusal,
    scope_fault,
)
from wellkept.types import Viewpoint


@pytest.mark.parametrize(
    ("scope", "is_right"),
    [
        ("operator", True), ("tenant", True), ("user:alice", True), ("agent:planner", True), ("user:a:b", True),
        ("user:", False), ("user", False), ("", False), ("admin", False), ("operator:x", False), ("chat:x", False),
        ("user:" + "x" * 513, False),
    ],
)  # fmt: skip
def test_scopes(scope, is_right):
    assert (scope_fault(scope) is None) == is_right


def test_an_operator_may_claim_anything():
    grant = of_scopes(["user:alice", "operator"], tenant="t", caller="k")
    assert grant == Grant(caller="k", is_operator=True)
    assert contradiction(grant, {"tenant": "u", "user": "bob"}) is None


def test_a_user_is_the_user_in_its_tenant():
    grant = of_scopes(["user:a:b"], tenant="t", caller="k")
    settled = {"tenant": "t", "user": "a:b", "username": None, "display_name": None}
    assert (grant.settled, grant.is_bound) == (settled, True)
    assert placed(grant, {"chat": "c", "persona": None}) == {"chat": "c", "tenant": "t", "user": "a:b"}
    assert contradiction(grant, {"user": "a:b", "chat": "c"}) is None
    assert contradiction(grant, {"user": "a"}) == "user"
    assert contradiction(grant, {"username": "x"}) == "username"
    assert contradiction(grant, {"display_name": "x"}) == "display_name"


def test_scopes_hold_together():
    grant = of_scopes(["tenant", "agent:planner"], tenant="t", caller="k")
    assert (grant.settled, grant.is_bound) == ({"tenant": "t", "agent": "planner"}, False)
    assert of_scopes(["agent:planner"], tenant="t", caller="k").is_bound
    assert of_scopes(["tenant", "user:a"], tenant="t", caller="k").is_bound


def test_what_nobody_vouched_for_is_the_users_own():
    place = Viewpoint(user="bob", session="s", project="p", thread="t", persona="coach")
    mine = bound(place, Vouched(opened=frozenset({"project"})))
    assert mine == replace(place, session="own:bob/s")
    assert bound(mine, Vouched(opened=frozenset({"project"}))) == mine
    assert bound(Viewpoint(user="bob", chat="c"), Vouched()).chat == "own:bob/c"
    assert bound(Viewpoint(user="bob", chat="c"), Vouched(present=frozenset({"bob"}))).chat == "c"


@pytest.mark.parametrize(
    ("place", "present", "code"),
    [
        ({"user": "bob", "chat": "c"}, (), None),
        ({"user": "bob", "chat": "c"}, ("alice",), None),
        ({"user": "bob", "chat": "c", "participants": ("bob",)}, (), None),
        ({"user": "bob", "chat": "c", "participants": ("alice",)}, (), "not_participant"),
        ({"user": "bob", "chat": "c", "participants": ("alice",)}, ("bob",), "not_participant"),
        ({"user": "bob", "chat": "c", "participants": ("alice",)}, ("alice",), "not_participant"),
        ({"user": "bob", "chat": "c", "participants": ("alice",)}, ("alice", "bob"), None),
        ({"user": "bob", "participants": ("alice",)}, (), "not_participant"),
        ({"user": "bob", "chat": "c", "chat_type": "group"}, (), "not_participant"),
        ({"user": "bob", "chat": "c", "chat_type": "group"}, ("alice",), "not_participant"),
        ({"user": "bob", "chat": "c", "chat_type": "group"}, ("bob",), None),
        ({"user": "bob", "session": "s", "project": "p"}, (), None),
        ({"agent": "planner", "session": "s"}, (), "no_owner"),
        ({"agent": "planner", "project": "p"}, (), "no_owner"),
        ({"agent": "planner", "chat": "c"}, ("bob",), "no_owner"),
        ({"agent": "planner"}, (), "no_owner"),
    ],
)
def test_chats_and_people_need_somebody_elses_word(place, present, code):
    assert refusal(Viewpoint(**place), Vouched(present=frozenset(present))) == code


def test_no_two_users_own_the_same():
    users, names = ("a", "a/b", "own:a", "A", "%2F", ""), ("c", "b/c", "own:a/c", "own:a%2Fb/c")
    owned = [own_id(user, name) for user in users for name in names]
    # The one name that is the user's own already stays as it is.
    assert len(set(owned)) == len(owned) - 2


@pytest.mark.parametrize("speaker", ["alice", "@bob", "Bob", 7])
def test_nobody_speaks_for_another(speaker):
    place = Viewpoint(user="bob", persona="Bob")
    assert is_of_another({"content": "x", "speaker": speaker}, place)
    assert not any(is_of_another({"content": "x", "speaker": own}, place) for own in (None, "", "bob"))
