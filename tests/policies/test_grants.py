"""What a key settles, and what may be claimed beside it."""

from __future__ import annotations

import pytest

from recollect.policies.grants import Grant, contradiction, of_scopes, placed, scope_fault


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
    assert (grant.settled, grant.must_take_part) == ({"tenant": "t", "user": "a:b", "username": None}, True)
    assert placed(grant, {"chat": "c", "persona": None}) == {"chat": "c", "tenant": "t", "user": "a:b"}
    assert contradiction(grant, {"user": "a:b", "chat": "c"}) is None
    assert contradiction(grant, {"user": "a"}) == "user"
    assert contradiction(grant, {"username": "x"}) == "username"


def test_scopes_hold_together():
    grant = of_scopes(["tenant", "agent:planner"], tenant="t", caller="k")
    assert (grant.settled, grant.must_take_part) == ({"tenant": "t", "agent": "planner"}, False)
