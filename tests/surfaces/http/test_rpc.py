"""JSON-RPC: requests, batches and notifications as the standard says; context tokens and what they settle."""

from __future__ import annotations

import base64
import json
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.surfaces.served import client, opened
from wellkept.errors import ConfigError
from wellkept.flows.serving import api_keys
from wellkept.flows.serving.api_keys import TokenKey
from wellkept.operations import OPERATIONS
from wellkept.surfaces.http.rpc import METHODS

SECRET = "hmac:a secret of the sandbox"


@pytest.fixture
def memory(store_path, clock):
    with opened(store_path, clock) as memory:
        yield memory


@pytest.fixture
def guarded(store_path, clock):
    with opened(store_path, clock, token_key=SECRET) as memory:
        yield memory


def token(clock, key=SECRET, hours=1.0, **claims):
    return api_keys.make({"user": "alice", **claims}, TokenKey(key), expires=clock() + timedelta(hours=hours))


def ask(http, method, number=1, **params):
    return http.post("/rpc", json={"jsonrpc": "2.0", "id": number, "method": method, "params": params}).json()


def code(answer):
    return answer["error"]["data"]["code"]


def test_every_operation_is_a_method():
    assert list(METHODS.values()) == list(OPERATIONS)


def test_every_request_of_a_batch_counts(store_path, clock):
    with opened(store_path, clock, requests_per_minute=3) as memory:
        asked = [{"jsonrpc": "2.0", "id": number, "method": "memory.list", "params": {}} for number in range(5)]
        answers = client(memory).post("/rpc", json=asked).json()
    assert ["result" in answer for answer in answers] == [True, True, True, False, False]
    assert {code(answer) for answer in answers[3:]} == {"rate_limited"}


def test_the_methods_of_the_sandbox_have_the_names_of_the_contract(memory):
    http = client(memory)
    who = {"user_id": "alice", "chat_id": "dm"}
    added = ask(http, "memory.add", content="Sarah likes tea", source="user", expires_days=14, subjects=["Sarah"],
                shared=False, type="preference", **who)["result"]  # fmt: skip
    assert added["outcome"] == "created"
    found = ask(http, "memory.search", query="tea", limit=10, this_chat=True, chat_type="private", **who)["result"]
    assert [hit["id"] for hit in found["hits"]] == [added["id"]]
    elsewhere = ask(http, "memory.search", query="tea", this_chat=True, user_id="alice", chat_id="other")["result"]
    assert elsewhere["hits"] == []
    (listed,) = ask(http, "memory.list", limit=20, include_expired=False, **who)["result"]
    assert (listed["id"], listed["about"], listed["type"]) == (added["id"], ["Sarah"], "preference")
    assert listed["expires_at"] is not None
    assert ask(http, "memory.history", memory_id=added["id"], **who)["result"]["events"]
    assert ask(http, "memory.delete", memory_id=added["id"], **who)["result"]["reason"] == "user_deleted"
    assert ask(http, "memory.restore", memory_id=added["id"], **who)["result"]["reason"] == "restored"
    assert "tea" in ask(http, "memory.context", query="tea", **who)["result"]["text"]
    gone = ask(http, "memory.forget_person", person_id="Sarah", delete_person_record=True, **who)["result"]
    assert gone["is_record_deleted"]


@pytest.mark.parametrize(
    ("body", "number", "kind"),
    [
        ("{", None, -32700),
        ('{"a": 1, "a": 2}', None, -32700),
        ("1", None, -32600),
        ("[]", None, -32600),
        ('{"id": 1}', 1, -32600),
        ('{"jsonrpc": "1.0", "method": "memory.list", "id": 1}', 1, -32600),
        ('{"jsonrpc": "2.0", "method": 1, "id": 1}', 1, -32600),
        ('{"jsonrpc": "2.0", "method": "memory.list", "id": []}', None, -32600),
        ('{"jsonrpc": "2.0", "method": "memory.list", "id": 1, "more": 1}', 1, -32600),
        ('{"jsonrpc": "2.0", "method": "nothing", "id": "x"}', "x", -32601),
        ('{"jsonrpc": "2.0", "method": "memory.list", "params": 3, "id": 1}', 1, -32602),
        ('{"jsonrpc": "2.0", "method": "memory.list", "params": {"colour": 1}, "id": 1}', 1, -32602),
        ('{"jsonrpc": "2.0", "method": "memory.search", "params": {}, "id": 1}', 1, -32602),
        ('{"jsonrpc": "2.0", "method": "memory.list", "params": [1, 2, 3, 4, 5, 6, 7], "id": 1}', 1, -32602),
        ('{"jsonrpc": "2.0", "method": "memory.list", "params": {"user": "a", "user_id": "b"}, "id": 1}', 1, -32602),
        (
            '{"jsonrpc": "2.0", "method": "memory.delete", "params": {"memory_id": "m_x", "user_id": "a"}, "id": 1}',
            1,
            -32000,
        ),
    ],
)
def test_errors_are_those_of_the_standard(memory, body, number, kind):
    answer = client(memory).post("/rpc", content=body).json()
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", number, kind)
    assert answer["error"]["data"]["code"]


def test_batches_and_notifications(memory):
    http = client(memory)
    add = {"jsonrpc": "2.0", "method": "memory.add", "params": {"content": "Tea is good", "user_id": "a"}}
    listing = {"jsonrpc": "2.0", "id": 7, "method": "memory.list", "params": {"user_id": "a"}}
    wrong = {"jsonrpc": "2.0", "method": "nothing"}
    answers = http.post("/rpc", json=[add, wrong, listing, 1]).json()
    assert [one["id"] for one in answers] == [7, None]
    assert len(answers[0]["result"]) == 1
    silent = http.post("/rpc", json=[add, wrong])
    assert (silent.status_code, silent.content) == (204, b"")
    assert http.post("/rpc", json=[listing] * 51).json()["error"]["data"]["code"] == "invalid_batch"
    by_place = http.post("/rpc", json={**listing, "method": "memory.list", "params": [5]}).json()
    assert by_place["result"] == []


def test_a_token_says_who_asks(guarded, clock):
    http = client(guarded, key=token(clock, chat="dm"))
    added = ask(http, "memory.add", content="I like tea")["result"]
    assert (
        ask(http, "memory.add", content="I like tea", user_id="alice", chat_id="dm")["result"]["outcome"] == "duplicate"
    )
    for claim in (
        {"user_id": "bob"}, {"chat_id": "team"}, {"chat_type": "group"}, {"tenant": "acme"}, {"persona": "x"},
        {"agent": "planner"}, {"participants": ["bob"]}, {"username": "bob"},
    ):  # fmt: skip
        assert code(ask(http, "memory.list", **claim)) == "identity_mismatch", claim
    assert code(ask(http, "memory.gc")) == "admin_only"
    assert code(ask(http, "memory.add", content="x y", source="system")) == "admin_only"
    bob = client(guarded, key=token(clock, user="bob"))
    assert ask(bob, "memory.list")["result"] == []
    assert code(ask(bob, "memory.delete", memory_id=added["id"])) == "not_found"


def test_a_wrong_token_opens_nothing(guarded, clock):
    good = token(clock)
    head, body, signature = good.split(".")
    none = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
    other = base64.urlsafe_b64encode(json.dumps({"user": "bob", "exp": 9e9}).encode()).decode().rstrip("=")
    for wrong, said in {
        token(clock, hours=-1): "token_expired",
        token(clock, key="hmac:quite another secret"): "invalid_token",
        f"{head}.{other}.{signature}": "invalid_token",
        f"{none}.{body}.": "invalid_token",
        f"{head}.{body}.{signature}x.": "invalid_token",
        token(clock, colour="blue"): "invalid_token",
        token(clock, user=None): "invalid_token",
        token(clock, chat=5): "invalid_token",
        token(clock, participants="bob"): "invalid_token",
        token(clock, chat_type="crowd"): "invalid_token",
        "a.b.c": "invalid_token",
        "\udcff.b.c".encode("utf-8", "surrogateescape").decode("latin-1"): "invalid_token",
    }.items():
        answer = client(guarded).post("/rpc", json={}, headers={b"Authorization": f"Bearer {wrong}".encode("latin-1")})
        assert (answer.status_code, answer.json()["code"]) == (401, said), wrong
    assert client(guarded).post("/rpc", json={}).json()["code"] == "no_key"


def test_tokens_of_ed25519_are_made_elsewhere_and_only_verified_here(store_path, clock):
    private = Ed25519PrivateKey.generate()
    secret = "ed25519:" + base64.b64encode(private.private_bytes_raw()).decode()
    public = "ed25519:" + base64.b64encode(private.public_key().public_bytes_raw()).decode()
    with opened(store_path, clock, token_key=public) as memory:
        good = token(clock, key=secret)
        assert ask(client(memory, key=good), "memory.list")["result"] == []
        # The public key is no secret: what is signed with it as one must not pass.
        forged = api_keys.make(
            {"user": "alice"}, TokenKey("hmac:" + public.removeprefix("ed25519:")), expires=clock() + timedelta(1)
        )
        assert client(memory, key=forged).post("/rpc", json={}).json()["code"] == "invalid_token"


def test_an_operator_makes_tokens_and_takes_them_back(guarded):
    operator = client(guarded, key=guarded.keys.add("ops", scope=["operator"]).key)
    made = ask(operator, "memory.make_token", user_id="alice", chat_id="dm", minutes=5)["result"]
    assert made["viewpoint"] == {"tenant": "default", "user": "alice", "chat": "dm", "chat_type": "private"}
    sandbox = client(guarded, key=made["token"])
    assert ask(sandbox, "memory.add", content="I like tea")["result"]["outcome"] == "created"
    assert code(ask(sandbox, "memory.list", user_id="bob")) == "identity_mismatch"
    for nobody in (sandbox, client(guarded, key=guarded.keys.add("bot", scope=["tenant"]).key)):
        assert code(ask(nobody, "memory.make_token", user_id="alice", chat_id="dm")) == "admin_only"
        assert code(ask(nobody, "memory.revoke_token", token_id=made["id"], user_id="alice")) == "admin_only"
    over_http = operator.post("/v1/tokens", json={"viewpoint": {"user": "bob"}}, headers={"Idempotency-Key": "once"})
    assert ask(client(guarded, key=over_http.json()["token"]), "memory.list")["result"] == []
    for _ in range(2):
        assert ask(operator, "memory.revoke_token", token_id=made["id"])["result"]["name"] == made["id"]
    assert sandbox.post("/rpc", json={}).json()["code"] == "token_revoked"
    # In the list of keys it stands as what it is, and is no key.
    (listed,) = [one for one in ask(operator, "memory.keys")["result"] if one["scopes"] == ["token"]]
    for secret in ("", made["token"], made["id"]):
        answer = client(guarded, key=f"rk_{listed['id']}_{secret}").post("/rpc", json={})
        assert (answer.status_code, answer.json()["code"] in {"invalid_key", "invalid_token"}) == (401, True)
    assert code(ask(operator, "memory.make_token", user_id="alice", minutes=0)) == "invalid_lifetime"
    assert code(ask(operator, "memory.make_token", minutes=5)) == "no_owner"


def test_an_answer_that_is_kept_for_one_token_is_not_given_to_another(guarded, clock):
    """What a token says about the chat is part of what is asked, though the caller names none of it."""
    guarded.at(user="alice", chat="dm").remember("I have an appointment at the fertility clinic")
    private, group = (
        client(guarded, key=token(clock, user="alice", **place))
        for place in ({"chat": "dm"}, {"chat": "team", "chat_type": "group", "participants": ["bob"]})
    )

    def turned(http):
        asked = {"user_text": "When is my appointment at the clinic?"}
        return http.post("/v1/turns", json=asked, headers={"Idempotency-Key": "one"})

    assert "fertility" in turned(private).text
    assert turned(private).json() == turned(private).json()
    assert turned(group).json()["code"] == "idempotency_mismatch"


def test_taking_a_token_back_is_no_key_that_locks_everybody_out(memory):
    local = client(memory)
    assert local.delete("/v1/tokens/0a1b").json()["name"] == "0a1b"
    assert ask(local, "memory.add", content="I like tea", user_id="alice")["result"]["outcome"] == "created"
    memory.keys.add("bot", scope=["tenant"])
    assert local.post("/rpc", json={}).json()["code"] == "no_key"


def test_a_token_is_signed_with_the_other_half_of_the_key(store_path, clock):
    private, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    public = "ed25519:" + base64.b64encode(private.public_key().public_bytes_raw()).decode()
    secret, wrong = ("ed25519:" + base64.b64encode(one.private_bytes_raw()).decode() for one in (private, other))
    with opened(store_path, clock, token_key=public, token_signing_key=secret) as memory:
        made = memory.at(user="alice").token()
        assert ask(client(memory, key=made.token), "memory.list")["result"] == []
    for settings, said in {
        (public, None): "cannot sign",
        (public, wrong): "other half",
        (None, None): "WELLKEPT_SERVER__TOKEN_KEY",
    }.items():
        token_key, signing = settings
        with (
            opened(store_path, clock, token_key=token_key, token_signing_key=signing) as memory,
            pytest.raises(ConfigError, match=said),
        ):
            memory.at(user="alice").token()
