"""What callers may claim, bring and give, and whom webhooks may call."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import replace
from datetime import UTC, datetime

import pytest

import wellkept
from wellkept.errors import ConfigError, InvalidInput
from wellkept.policies import callers
from wellkept.policies.callers import (
    Grant,
    Vouched,
    WriteShare,
    admit_write,
    bound_place,
    check_days,
    check_limit,
    check_number,
    check_text,
    contradiction,
    granted_place,
    is_of_another,
    of_scopes,
    own_id,
    refusal,
    scope_fault,
)
from wellkept.types import Decision, Viewpoint


@pytest.mark.parametrize(
    ("scope", "is_right"),
    [
        ("operator", True), ("tenant", True), ("user:alice", True), ("agent:planner", True), ("user:a:b", True),
        ("user:", False), ("user", False), ("", False), ("admin", False), ("operator:x", False), ("chat:x", False),
        ("user:" + "x" * 513, False), ("user:" + "x" * 512, True), ("user:x", True),
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
    assert (grant.settled, grant.is_bound, grant.caller) == (settled, True, "k")
    assert granted_place(grant, {"chat": "c", "persona": None}) == {"chat": "c", "tenant": "t", "user": "a:b"}
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
    mine = bound_place(place, Vouched(opened=frozenset({"project"})))
    assert mine == replace(place, session="own:bob/s")
    assert bound_place(mine, Vouched(opened=frozenset({"project"}))) == mine
    assert bound_place(place, Vouched(opened=frozenset({"session"}))) == replace(place, project="own:bob/p")
    assert bound_place(Viewpoint(user="bob", chat="c"), Vouched()).chat == "own:bob/c"
    assert bound_place(Viewpoint(user="bob", chat="c"), Vouched(present=frozenset({"bob"}))).chat == "c"


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
    assert own_id("a/b X", "c") == "own:a%2Fb%20X/c"


@pytest.mark.parametrize(
    ("grant", "asked", "filters", "place"),
    [
        (Grant(caller="k"), {}, {"user_id": "ann"}, {"user": "ann"}),
        (Grant(caller="k"), {"persona": "coach"}, {"user_id": "ann"}, {"persona": "coach", "user": "ann"}),
        (Grant(caller="k"), {"user": "bob"}, {"user_id": "ann"}, {"user": "bob"}),
        (Grant(caller="k"), {"chat": "c"}, {"user_id": "ann"}, {"chat": "c"}),
        (Grant(caller="k", settled={"user": "bob"}), {}, {"user_id": "ann"}, {}),
        (Grant(caller="k", settled={"tenant": "t"}), {}, {"user_id": "ann"}, {"user": "ann"}),
        (Grant(caller="k"), {}, {"user_id": ""}, {}),
        (Grant(caller="k"), {}, {"user_id": 7}, {}),
        (Grant(caller="k"), {}, {}, {}),
        (Grant(caller="k"), {}, None, {}),
        (Grant(caller="k"), {}, "user_id", {}),
    ],
)
def test_filters_name_the_user_where_nothing_else_does(grant, asked, filters, place):
    assert callers.place_of_filters(grant, asked, filters) == place


@pytest.mark.parametrize(
    ("memory_id", "status", "is_told"), [("m", "ok", True), (None, "ok", False), ("m", "denied", False)]
)
def test_a_change_is_what_was_done_to_a_memory(memory_id, status, is_told):
    assert callers.is_change(memory_id, status) is is_told


@pytest.mark.parametrize("speaker", ["alice", "@bob", "Bob", 7])
def test_nobody_speaks_for_another(speaker):
    place = Viewpoint(user="bob", persona="Bob")
    assert is_of_another({"content": "x", "speaker": speaker}, place)
    assert not any(is_of_another({"content": "x", "speaker": own}, place) for own in (None, "", "bob"))


def test_a_write_is_taken_while_the_caller_has_room():
    share = WriteShare(working_max=2, waiting_max=3)
    assert [admit_write(in_hand, share).verdict for in_hand in range(7)] == ["pass"] * 5 + ["refuse"] * 2
    assert (admit_write(5, share).reason, admit_write(4, share).reason) == ("too_many_writes", "allowed")


def test_nothing_waits_where_nothing_may():
    share = WriteShare(working_max=1, waiting_max=0)
    assert [admit_write(in_hand, share).verdict for in_hand in range(2)] == ["pass", "refuse"]


@pytest.mark.parametrize("value", [0, -1, 11, "3", None, 2.5, True, float("nan")])
def test_a_limit_is_a_whole_number_in_its_range(value):
    check_limit(10, 10)
    check_limit(1, 10)
    with pytest.raises(InvalidInput, match=r"^limit must be from 1 to 10") as refused:
        check_limit(value, 10)
    assert refused.value.code == "invalid_limit"


@pytest.mark.parametrize("value", [-1, -0.001, 36_501, 10**400, float("nan"), float("inf"), "3", None, True])
def test_days_are_not_below_zero(value):
    check_days(0, name="after_days")
    check_days(36_500, name="after_days")
    with pytest.raises(InvalidInput, match=r"^after_days must be a number of days") as refused:
        check_days(value, name="after_days")
    assert refused.value.code == "invalid_parameter"


@pytest.mark.parametrize("value", ["high", None, float("nan"), False])
def test_a_number_is_finite(value):
    check_number(0.5, name="threshold")
    with pytest.raises(InvalidInput, match=r"^threshold must be a number") as refused:
        check_number(value, name="threshold")
    assert refused.value.code == "invalid_parameter"


def test_a_text_may_be_empty():
    check_text("", name="query")
    with pytest.raises(InvalidInput, match=r"^query must be a text") as refused:
        check_text(None, name="query")
    assert refused.value.code == "invalid_parameter"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda at, _memory: at.recall(None), "invalid_parameter"),
        (lambda at, _memory: at.recall("tea", limit="3"), "invalid_limit"),
        (lambda at, _memory: at.recall("tea", threshold=float("nan")), "invalid_parameter"),
        (lambda at, _memory: at.list(limit=None), "invalid_limit"),
        (lambda at, _memory: at.show(None), "invalid_parameter"),
        (lambda at, _memory: at.forget(7), "invalid_parameter"),
        (lambda at, _memory: at.todos(status=None), "invalid_parameter"),
        (lambda at, _memory: at.todos(limit="a"), "invalid_limit"),
        (lambda at, _memory: at.spines(limit="a"), "invalid_limit"),
        (lambda at, _memory: at.turn("I like tea").recall_if_needed("high"), "invalid_parameter"),
        (lambda at, _memory: at.add("I like tea", expires="-3"), "invalid_expiry"),
        (lambda at, _memory: at.add("I like tea", expires="0"), "invalid_expiry"),
        (lambda at, _memory: at.add("I like tea", expires="nan"), "invalid_expiry"),
        (lambda at, _memory: at.chat("tea " * 1_001), "content_too_long"),
        (lambda _at, memory: memory.upkeep.compact(after_days=-1), "invalid_parameter"),
        (lambda _at, memory: memory.upkeep.compact(after_days=float("nan")), "invalid_parameter"),
    ],
)
def test_every_method_says_what_is_wrong(store_path, call, code):
    with wellkept.open(store_path, embedder="none", worker="off") as memory:
        at = memory.at(user="alice")
        with pytest.raises(InvalidInput) as refused:
            call(at, memory)
    assert refused.value.code == code


@pytest.mark.parametrize("given", [{"url": 5}, {"url": ["a.db"]}, {"embedder": "gpt"}])
def test_a_memory_is_opened_with_what_can_be_used(store_path, tmp_path, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError):
        wellkept.open(**{"url": store_path} | given)
    assert list(tmp_path.iterdir()) == []


SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef01234567").decode()
UNSAFE = "secret must be whsec_ and at least 24 random bytes in base64"
HOOK = callers.Hook(name="crm", url="https://hooks.example/in", secret=SECRET)
INSIDE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "fd00::1",
    "::ffff:10.0.0.1",
]
NEVER = [
    "169.254.169.254",
    "fe80::1%eth0",
    "0.0.0.0",  # noqa: S104 -- an address that is refused
    "::",
    "224.0.0.1",
    "ff02::1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
]


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111"])
def test_public_addresses_may_be_called(address):
    assert callers.may_call(address, is_private=False) == Decision(verdict="pass", reason="allowed")


@pytest.mark.parametrize("address", [*INSIDE, *NEVER])
def test_no_address_of_ones_own_network_may_be(address):
    is_hidden = address.startswith(("64:ff9b", "2002:", "2001:0:"))
    reason = "hidden_address" if is_hidden else "private_address"
    assert callers.may_call(address, is_private=False) == Decision(verdict="refuse", reason=reason)


@pytest.mark.parametrize(
    ("address", "verdict"), [*((one, "pass") for one in INSIDE), *((one, "refuse") for one in NEVER)]
)
def test_a_private_webhook_reaches_ones_own_network_and_no_metadata(address, verdict):
    assert callers.may_call(address, is_private=True).verdict == verdict


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"url": "http://hooks.example"}, "url must be https, unless the webhook is private"),
        ({"url": "ftp://hooks.example"}, "url must be https://host/path, without a user in it"),
        ({"url": "https://"}, "url must be https://host/path, without a user in it"),
        ({"url": "https://hooks.example:port/"}, "url must be https://host/path, without a user in it"),
        ({"url": "https://hooks.example:0/"}, "url must be https://host/path, without a user in it"),
        ({"url": "https://[::1/"}, "url must be https://host/path, without a user in it"),
        ({"url": "https://me:pw@hooks.example"}, "url must be https://host/path, without a user in it"),
        ({"url": "https://me@hooks.example"}, "url must be https://host/path, without a user in it"),
        ({"url": "https://:pw@hooks.example"}, "url must be https://host/path, without a user in it"),
        ({"secret": "plain"}, UNSAFE),
        ({"secret": SECRET.removeprefix("whsec_")}, UNSAFE),
        ({"secret": "whsec_c2hvcnQ="}, UNSAFE),
        ({"secret": "whsec_***"}, UNSAFE),
        ({"secret": f"{SECRET[:9]}***{SECRET[9:]}"}, UNSAFE),
    ],
)
def test_a_webhook_that_cannot_be_is_told(change, told):
    assert callers.webhook_fault(HOOK) is None
    assert callers.webhook_fault(replace(HOOK, is_private=True, url="http://crm.internal")) is None
    assert callers.webhook_fault(replace(HOOK, url="https://hooks.example:1/in")) is None
    assert callers.webhook_fault(replace(HOOK, **change)) == told


def test_the_signature_is_that_of_the_standard_webhooks():
    at = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    headers = callers.webhook_signature(HOOK, "msg_1", at, b"{}")
    signed = b"msg_1." + headers["webhook-timestamp"].encode() + b".{}"
    expected = hmac.new(b"0123456789abcdef01234567", signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(expected).decode()
    assert int(headers["webhook-timestamp"]) == at.timestamp()
    assert headers["webhook-id"] == "msg_1"
    assert callers.webhook_signature(HOOK, "msg_1", at, b"[]") != headers
