"""Governed sessions: what is stored, refused, promoted and told, on the real store with the real judge."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wellkept
from tests.golden.symbols import goldens
from wellkept import replay
from wellkept.config import Config
from wellkept.errors import ConfigError, InvalidInput
from wellkept.store.contract import Entry, Latest, NewestRows
from wellkept.surfaces import plain
from wellkept.vocabulary import Space

SECRET = "Mauve-Otter-9914"


@pytest.fixture
def memory(memory_without_vectors):
    return memory_without_vectors


def of(events, kind):
    return [event for event in events if event["type"] == kind]


def texts(memory, space, owner):
    return [
        one.content
        for one in memory.engine.store.memories(Latest(scope=("default", space, owner), kinds=("semantic",), limit=99))
    ]


def everything(path):
    """All bytes of the store, journals included."""
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_a_password_is_in_no_field_of_anything(memory, store_path, caplog):
    caplog.set_level(logging.DEBUG)
    governed = memory.governed(session="s1", user="ana")
    told = governed.record(user=f"My password is {SECRET}", ai=f"I will not repeat {SECRET}.", tools=[f"pwd={SECRET}"])
    told += governed.recall(f"is my password {SECRET}?")
    assert [event["reason"] for event in of(told, "memory_denied")] == ["privacy_deny_sensitive"] * 3
    assert {event["attempted"]["text"] for event in of(told, "memory_denied")} == {"(redacted)"}
    assert of(told, "memory_write")[0]["written"] == []
    assert of(told, "memory_recall")[0]["query"] == "(redacted)"
    assert SECRET not in json.dumps(told)
    assert SECRET not in json.dumps([dict(trace.event) for trace in governed.traces()])
    assert SECRET not in repr(memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000)))
    assert SECRET not in caplog.text
    memory.close()
    assert SECRET.encode() not in everything(store_path)


def test_a_secret_in_two_turns_is_refused(memory):
    governed = memory.governed(session="s1")
    governed.record(user="my password is")
    assert of(governed.record(user=SECRET), "memory_denied")[0]["reason"] == "privacy_deny_sensitive"


def test_words_that_contain_the_names_of_secrets_are_not_redacted(memory):
    governed = memory.governed(session="s1")
    written = of(governed.record(user="The monkey ate my keyboard"), "memory_write")[0]["written"]
    assert [item["text"] for item in written] == ["The monkey ate my keyboard", "The monkey ate the user's keyboard"]
    recalled = of(governed.recall("monkey"), "memory_recall")[0]["recalled"]
    assert all("monkey" in item["text"] for item in recalled)


def test_long_texts_are_cut_in_traces_only(memory):
    governed = memory.governed(session="s1")
    words = "I prefer " + "very " * 60 + "long walks"
    told = governed.record(user=words)
    item = of(told, "memory_write")[0]["written"][0]
    assert item["text"] == words[:200] + "... (truncated)"
    assert "walks" not in json.dumps(told + governed.recall("long")), "no field carries what another one cuts"
    stored = memory.engine.store.memory("default", item["id"])
    assert stored is not None
    assert stored.content == words


def test_remember_this_for_me_goes_to_the_user_and_says_so(memory):
    governed = memory.governed(session="s1", user="ana")
    told = governed.record(user="Remember this for me: I prefer concise updates")
    (promoted,) = of(told, "memory_promoted")
    assert (promoted["from_space"], promoted["to_space"]) == ("session", "user")
    assert texts(memory, Space.USER, "ana") == ["The user prefers concise updates"]
    assert texts(memory, Space.SESSION, "s1") == []
    again = memory.governed(session="s2", user="ana")
    recalled = of(again.recall("updates"), "memory_recall")[0]["recalled"]
    assert [item["meta"]["promoted_from"] for item in recalled] == [promoted["from_id"]]
    # The same fact is there for everybody else who speaks as this user.
    assert [hit.text for hit in memory.at(user="ana").recall("concise updates")] == ["The user prefers concise updates"]


def test_for_everyone_is_refused(memory):
    governed = memory.governed(session="s1", user="ana")
    told = governed.record(user="Remember this for everyone: I prefer concise updates")
    (denied,) = of(told, "memory_promotion_denied")
    assert (denied["from_space"], denied["to_space"], denied["reason"]) == ("session", "system", "promotion_disallowed")
    assert texts(memory, Space.SESSION, "s1") == ["The user prefers concise updates"]


def test_a_decision_reaches_the_project_and_a_preference_does_not(memory):
    governed = memory.governed(session="s1", user="ana", project="apollo")
    governed.record(user="Remember this for our project: we decided to use Postgres")
    told = governed.record(user="Remember this for our project: I prefer tabs")
    assert of(told, "memory_promotion_denied")[0]["reason"] == "promotion_authority"
    assert texts(memory, Space.PROJECT, "apollo") == ["The team decided to use Postgres"]


def test_sessions_share_nothing_by_accident(memory):
    one, other = memory.governed(session="s1"), memory.governed(session="s2")
    one.record(user="Remember this for me: I prefer tea")
    one.record(user="Remember this for our project: we decided to use Postgres")
    (recall,) = of(other.recall("tea Postgres"), "memory_recall")
    assert recall["recalled"] == []


def test_a_correction_overrides_a_tool_and_a_plain_word_does_not(memory):
    governed = memory.governed(session="s1")
    governed.record(tools=["The user's city is Paris"])
    (conflict,) = of(governed.record(user="I live in Rome"), "memory_conflict")
    assert conflict["rule"] == "authority"
    assert texts(memory, Space.SESSION, "s1") == ["The user's city is Paris"]
    (conflict,) = of(governed.record(user="Actually, I live in Rome"), "memory_conflict")
    assert conflict["rule"] == "correction"
    assert texts(memory, Space.SESSION, "s1") == ["The user lives in Rome"]


def test_what_the_assistant_says_overrides_nothing(memory):
    governed = memory.governed(session="s1")
    governed.record(user="I live in Rome")
    told = governed.record(ai="You live in Paris.")
    assert not of(told, "memory_conflict")
    assert texts(memory, Space.SESSION, "s1") == ["The user lives in Rome"]


def test_a_third_party_does_not_override_a_persons_own_word(memory):
    alice = memory.governed(session="a", user="alice", project="apollo")
    for words in ("Remember this for me: I live in Porto", "Remember this for our project: I live in Porto"):
        alice.record(user=words)
    bob = memory.governed(session="b", user="bob", project="apollo")
    (conflict,) = of(bob.record(user="alice lives in Rome"), "memory_conflict")
    assert conflict["rule"] == "authority"
    assert texts(memory, Space.PROJECT, "apollo") == ["The user lives in Porto"]
    assert texts(memory, Space.SESSION, "b") == []


@pytest.mark.parametrize(
    "said",
    [
        ["Προτιμώ το τσάι", "Προτιμώ τον καφέ"],
        ["私は猫が好きです", "私は犬が好きです"],
        ["أحب القهوة", "أحب الشاي"],
        ["मुझे चाय पसंद है", "मुझे चाय पसंद हैं"],
        ["ฉันชอบกาแฟ", "ฉันชอบชา"],
        ["The party was 🎉", "The party was 🚀"],
        ["The party was 👍🏽", "The party was 👍🏿"],
    ],
)
def test_texts_of_every_script_have_keys_of_their_own(memory, said):
    governed = memory.governed(session="s1", policy={"write_policy": "aggressive"})
    written = [item for text in said for item in of(governed.record(user=text), "memory_write")[0]["written"]]
    facts = [item for item in written if item["kind"] == "semantic"]
    assert len({item["id"] for item in facts}) == len({item["meta"]["dedup_key"] for item in facts}) == len(said)
    for text in said:
        best = of(governed.recall(text), "memory_recall")[0]["recalled"]
        scored = [item for item in best if item["kind"] == "semantic"]
        assert scored[0]["text"] == text, scored


def test_signs_alone_are_small_talk_with_keys_of_their_own(memory):
    governed = memory.governed(session="s1")
    denied = [of(governed.record(user=text), "memory_denied")[0] for text in ("🎉🎉", "🚀🚀")]
    assert {event["reason"] for event in denied} == {"policy_low_signal"}
    assert [event["attempted"]["meta"]["dedup_key"] for event in denied] == ["context:🎉🎉", "context:🚀🚀"]


def test_many_likes_are_many_facts(memory):
    governed = memory.governed(session="s1")
    keys = [
        of(governed.record(user=text), "memory_write")[0]["written"][1]["meta"]["dedup_key"]
        for text in ("I like pizza 🍕", "I like 🍕", "I like 🍣")
    ]
    assert len(set(keys)) == 3
    assert len(texts(memory, Space.SESSION, "s1")) == 3


WRITES = [
    {"text": "The plan is basic", "key": "plan", "value": "basic"},
    {"text": "The plan must be pro", "key": "plan", "value": "pro"},
    {"text": "The plan is gold", "key": "plan", "value": "gold"},
    {"text": "The plan must be free", "key": "plan", "value": "free"},
    {"text": "The plan is trial", "key": "plan", "value": "trial"},
    {"text": "The plan is team", "key": "plan", "value": "team"},
]


@settings(max_examples=25)
@given(data=st.data())
def test_the_order_of_arrival_never_matters(data, tmp_path_factory):
    """Writes of one moment give the same winner in any order; fresh sessions of one store are as good as new stores."""
    size = data.draw(st.integers(2, 6))
    chosen = data.draw(st.permutations(WRITES))[:size]
    orders = list(permutations(chosen))
    sample = data.draw(st.lists(st.sampled_from(orders), min_size=2, max_size=4))
    path = tmp_path_factory.mktemp("order") / "memory.db"
    with wellkept.open(path, config=Config(), embedder="none") as memory:
        winners = set()
        for number, order in enumerate(sample):
            memory.governed(session=f"s{number}").record(tools=list(order))
            winners.add(tuple(texts(memory, Space.SESSION, f"s{number}")))
        assert len(winners) == 1
        assert len(next(iter(winners))) == 1


def conversation(path, *, keeps_traces: bool):
    """Replies, contexts and recalls of one conversation, governed and not."""
    with wellkept.open(path, config=Config(), embedder="none", clock=fixed) as memory:
        memory.engine = replace(memory.engine, keeps_traces=keeps_traces)
        governed = memory.governed(session="s1", user="ana")
        said = []
        for text in ("Remember this for me: I prefer tea", "I live in Rome", "Actually, I live in Oslo"):
            said.append(governed.record(user=text, ai="Noted."))
            said.append(governed.recall("where do I live"))
        viewpoint = memory.at(user="ana", session="s1")
        said.append([hit.text for hit in viewpoint.recall("tea")])
        said.append([line for line in str(viewpoint.context("tea")).splitlines() if "tea" in line])
        said.append(viewpoint.chat("What do I prefer?").text)
        return json.dumps(said)


def fixed():
    return datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_traces_change_nothing_of_what_is_decided(tmp_path):
    with_traces = conversation(tmp_path / "with.db", keeps_traces=True)
    assert with_traces == conversation(tmp_path / "without.db", keeps_traces=False)


def test_plain_view_of_every_event_comes_back(memory):
    governed = memory.governed(session="s\x1b1", user="ana")
    told = governed.record(user="Remember this for me: I like \u0007 bells [and] {braces}: yes", ai="count: 3")
    told += governed.recall("bells") + governed.start_phase("a: b") + governed.diff("phase-1", "phase-2")
    shown = plain.render(told)
    assert plain.parse(shown) == told
    assert not any(sign in shown for sign in "\x1b\x07")


def test_a_new_taste_replaces_the_one_against_it(memory):
    session = memory.governed(user="ana", session="s")
    for said in ("I adore jazz", "I've gone off jazz"):
        session.record(user=said, ai="Noted.")
    assert [one.content for one in memory.at(user="ana", session="s").list()] == ["The user has gone off jazz"]


def test_a_governed_fact_has_a_history_and_can_be_deleted_and_restored(memory):
    governed = memory.governed(session="s1", user="ana")
    item = of(governed.record(user="I prefer tea"), "memory_write")[0]["written"][1]
    viewpoint = memory.at(user="ana", session="s1")
    assert [event.event for event in viewpoint.history(item["id"]).events] == ["ADD"]
    viewpoint.forget(item["id"])
    told = governed.recall("tea")
    assert of(told, "memory_deleted")[0]["reason"] == "user_deleted"
    assert not of(governed.recall("tea"), "memory_deleted")
    viewpoint.restore(item["id"])
    recalled = of(governed.recall("tea"), "memory_recall")[0]["recalled"]
    assert item["id"] in {one["id"] for one in recalled}
    assert not list(memory.engine.store.verify("default"))


def test_a_removed_memory_takes_its_words_out_of_the_traces(memory, clock):
    governed = memory.governed(session="s1", user="ana")
    item = of(governed.record(user="I prefer oolong"), "memory_write")[0]["written"][1]
    governed.recall("oolong")
    store = memory.engine.store
    store.purge("default", item["id"], Entry(op="delete", memory_id=item["id"], reason="erased"), at=clock())
    shown = [one for trace in governed.traces() for one in _items(trace.event) if one["id"] == item["id"]]
    assert len(shown) == 2
    assert all(one["text"] == one["meta"]["dedup_key"] == "(erased)" for one in shown)


def test_erased_traces_keep_their_codes(memory):
    governed = memory.governed(session="s1", user="ana")
    governed.record(user="I prefer oolong")
    governed.start_phase("oolong week")
    governed.recall("oolong")
    before = governed.traces()
    memory.engine.store.erase("default", "ana")
    after = governed.traces()
    assert "oolong" not in json.dumps([dict(trace.event) for trace in after])
    assert [trace.event["type"] for trace in after] == [trace.event["type"] for trace in before]
    assert [trace.event.get("reason") for trace in after] == [trace.event.get("reason") for trace in before]
    assert of(governed.start_phase(), "memory_phase_started")


def _items(event):
    found = event.get("recalled") or event.get("written") or []
    return [*found, *([event["attempted"]] if "attempted" in event else [])]


def test_relative_dates_stay_words_and_lifetimes_do_not_act(memory, clock):
    governed = memory.governed(session="s1", user="ana")
    written = of(governed.record(user="I have a meeting tomorrow"), "memory_write")[0]["written"]
    assert "2026" not in json.dumps(written)
    clock.advance(days=400)
    memory.upkeep.gc()
    recalled = of(governed.recall("meeting"), "memory_recall")[0]["recalled"]
    assert [item["id"] for item in recalled] == [item["id"] for item in written]


def test_ordinary_memories_live_by_the_clock_and_not_by_ticks(memory):
    memory.at(user="ana").remember("I play the cello")
    governed = memory.governed(
        session="s1", user="ana", policy={"retention": {"semantic": {"rule": "decay", "ttl_ticks": 1}}}
    )
    for number in range(5):
        governed.record(user=f"Remember this for me: I like plum number {number}")
    recalled = of(governed.recall("cello"), "memory_recall")[0]["recalled"]
    assert any(item["text"] == "The user plays the cello" for item in recalled)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"write_polcy": "none"}, "policy.write_polcy"),
        ({"write_policy": "sometimes"}, "write_policy must be one of"),
        ({"spaces": {"read_order": ["galaxy"]}}, "spaces.read_order"),
        ({"retention": {"semantic": {"fact": {"rule": "ttl", "ttl_ticks": -4}}}}, "retention.semantic.fact.ttl_ticks"),
        ({"dedupe_enabled": "yes"}, "dedupe_enabled must be true or false"),
    ],
)
def test_bad_policies_are_refused_by_name(memory, policy, message):
    with pytest.raises(ConfigError, match=message):
        memory.governed(session="s1", policy=policy)


def test_a_policy_may_be_a_file(memory, tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text('write_policy = "none"', encoding="utf-8")
    for policy in (path, str(path)):
        (denied, _) = of(memory.governed(session="s1", policy=policy).record(user="I prefer tea"), "memory_denied")
        assert denied["reason"] == "write_policy_none"
    with pytest.raises(ConfigError, match="cannot be read"):
        memory.governed(session="s1", policy=tmp_path / "none.toml")


def test_a_secret_is_no_name_of_a_phase(memory):
    governed = memory.governed(session="s1")
    told = governed.start_phase(f"my password is {SECRET}") + governed.recall("x")
    assert of(told, "memory_phase_started")[0]["phase_name"] == "(redacted)"
    assert SECRET not in json.dumps(told)


def test_wrong_calls_are_named(memory):
    governed = memory.governed(session="s1")
    for call, code in (
        (lambda: governed.record(tools=[{"txt": "x"}]), "invalid_tool"),
        (lambda: governed.record(tools=[{"text": "x", "promotion_target": "galaxy"}]), "invalid_space"),
        (lambda: governed.record(user="half of a pair \ud83d"), "invalid_text"),
        (lambda: governed.start_phase(reason="two words"), "invalid_phase_reason"),
        (lambda: governed.start_phase(name=""), "invalid_phase_name"),
        (lambda: governed.diff("phase-1", "phase-2"), "unknown_phase"),
        (lambda: governed.diff("phase-1", "phase-2", space="chat"), "invalid_space"),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert caught.value.code == code
    with pytest.raises(InvalidInput, match=r"^space must be session, user, project or system"):
        governed.diff("phase-1", "phase-2", space="galaxy")


OTHERS = ("allergies", "city_moves", "pets", "profile", "promote_then_project", "sister", "two_users")


def elsewhere(value):
    """The same conversation of other people in other places."""
    if not isinstance(value, dict):
        return value
    moved = {key: f"other-{one}" for key, one in value.items() if key in ("session", "user", "project")}
    calls = [elsewhere(call) if "session" in call or "user" in call else call for call in value.get("calls", [])]
    return {**value, **({"calls": calls} if "calls" in value else {}), **moved}


@pytest.mark.parametrize("name", OTHERS)
def test_what_others_do_in_the_same_store_changes_no_byte(name, memory):
    recorded = goldens("conversations")
    for other in OTHERS:
        replay.play(elsewhere(recorded[other]), memory)
    memory.at(user="zoe").remember("My sister Lena lives in Bergen and my dog is called Biscuit")
    told = replay.play(recorded[name], memory)
    assert replay.canonical(told) == replay.canonical(replay.told(recorded[name]))
