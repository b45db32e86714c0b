"""Every operation's real answer against its declared type, and the bounds and names that requests declare."""

from __future__ import annotations

import copy
import json
from datetime import timedelta

import pytest
from jsonschema import Draft202012Validator, FormatChecker, ValidationError

from tests.surfaces.served import opened
from wellkept.api.arguments import FACT_KEYS
from wellkept.api.arguments import KEYS as FILTERS
from wellkept.errors import WellkeptError
from wellkept.flows.write.observe import KEYS as MESSAGE_KEYS
from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.operations.shapes import ANSWERS, SENT, TYPED

SECRET = "hmac:a secret of at least thirty-two bytes, for tokens"


def checked(name, answer):
    """Raises `ValidationError` when an answer is not what is declared."""
    schema = TYPED.whole(ANSWERS[name])
    Draft202012Validator(schema, format_checker=FormatChecker()).validate(answer)


class Asking:
    """Operations called one after the other; every answer is checked."""

    def __init__(self):
        self.answers = {}

    def __call__(self, viewpoint, name, /, **arguments):
        # As it goes over the wire.
        answer = json.loads(json.dumps(BY_NAME[name].run(viewpoint, arguments)))
        checked(name, answer)
        self.answers.setdefault(name, []).append(answer)
        return answer


@pytest.fixture(scope="module")
def answers(tmp_path_factory, moving):
    """Answers of every operation, by its name: empty ones and full ones."""
    with opened(tmp_path_factory.mktemp("shapes") / "memory.db", moving, token_key=SECRET) as memory:
        asking = Asking()
        alice = memory.at(user="alice", chat="dm-alice")
        _before_anything(asking, alice)
        _memories(asking, alice)
        _people(asking, alice)
        _talks(asking, memory.at(user="alice", chat="dm-alice", persona="coach"), moving)
        _governed(asking, memory, alice)
        _running(asking, memory, alice)
    return asking.answers


@pytest.fixture(scope="module")
def moving():
    """A clock that can be put forward: `moving.now += timedelta(hours=1)`."""
    from datetime import UTC, datetime

    class Clock:
        now = datetime(2026, 3, 2, 9, tzinfo=UTC)

        def __call__(self):
            return self.now

    return Clock()


def _before_anything(asking, alice):
    for name in (
        "list",
        "people",
        "sessions",
        "state",
        "summaries",
        "spines",
        "todos",
        "profile",
        "consents",
        "events",
    ):
        asking(alice, name)
    for name in ("checkpoints", "governed_sessions", "jobs", "keys", "growth", "activity", "owners", "stats"):
        asking(alice, name)
    asking(alice, "recall", query="tea")
    asking(alice, "query", query="tea")
    asking(alice, "context", query="tea")


def _memories(asking, alice):
    asking(alice, "remember", facts="My favorite color is teal")
    stored = asking(alice, "remember", facts=["I like tea", {"content": "My wife Sarah likes Italian food"}, 5])
    assert [one["outcome"] for one in stored] == ["created", "created", "denied"]
    asking(alice, "remember", facts="My favorite color is green")
    added = asking(alice, "add", content="The wifi of the cabin is called Marmot.", type="event", expires="2 weeks")
    said = [
        {"role": "user", "content": "I live in Paris", "at": "2026-03-01T10:00:00Z", "id": "m1"},
        {"role": "assistant", "content": "How nice!", "session": "s"},
    ]
    asking(alice, "observe", messages=said, wait=True)
    asking(alice, "observe", messages=[{"content": "I live in Tacna now."}], wait=True)
    asking(alice, "preview", text="My favorite color is red")
    asking(alice, "conversations")
    asking(alice, "messages")
    asking(alice, "reading", message_id="m1")
    for arguments in ({}, {"why": True, "left_out": True}, {"threshold": 0, "limit": 50}, {"sources": ["messages"]}):
        asking(alice, "recall", query="where do I live, in Paris or Lyon?", **arguments)
    asking(alice, "query", query="what do I like?", returns="full", threshold=0)
    in_thread = alice.memory.at(user="alice", chat="dm-alice", thread="t1")
    asking(in_thread, "query", query="what do I like?")
    asking(in_thread, "recall", query="tea")
    asking(alice, "context", query="dinner with my wife")
    asking(alice, "list")
    asking(alice, "list", state="superseded")
    for name in ("show", "reveal", "why", "pin", "unpin"):
        asking(alice, name, memory_id=added["id"])
    asking(alice, "edit", memory_id=added["id"], content="The wifi of the cabin is called Badger.")
    for name in ("forget", "restore", "history"):
        asking(alice, name, memory_id=added["id"])
    for user, answer in (("bob", "approve"), ("carol", "reject")):
        other = alice.memory.at(user=user, chat=f"dm-{user}")
        other.remember("I live in Rome")
        asking(other, "observe", messages=[{"content": "I live in Tacna now."}], wait=True)
        (waiting,) = asking(other, "consents")
        asking(other, answer, proposal_id=waiting["id"])
        asking(other, "profile")


def _people(asking, alice):
    alice.remember("My boss Olga lives in Bergen")
    alice.remember("My colleague Olga Berg lives in Oslo")
    asking(alice, "people")
    asking(alice, "person", reference="my wife")
    asking(alice, "alias_person", reference="my wife", alias="Sal")
    asking(alice, "rename_person", reference="my wife", name="Sara")
    asking(alice, "relate_person", reference="my boss", relation="friend")
    olga, berg = (one["id"] for one in asking(alice, "people") if one["name"].startswith("Olga"))
    asking(alice, "review_people")
    asking(alice, "merge_people", primary=olga, secondary=berg)
    asking(alice, "person", reference=olga)
    asking(alice, "split_person", reference=olga)
    asking(alice, "review_people", different=[olga, berg])
    asking(alice, "review_people", same=[olga, berg])
    asking(alice, "forget_person", reference=olga)


def _talks(asking, coach, moving):
    for number in range(5):
        turn = asking(coach, "turn", user_text=f"I have to water plant number {number} tomorrow")
        asking(coach, "finish_turn", session_id=turn["session"]["id"], text="I will remind you.")
        moving.now += timedelta(minutes=1)
    first, second, *_ = asking(coach, "todos")
    asking(coach, "complete_todo", todo_id=first["id"])
    asking(coach, "dismiss_todo", todo_id=second["id"])
    asking(coach, "todos", status="ALL")
    for number in range(20):  # a long-term summary takes so many
        turn = coach.turn(f"The plant {number} is green")
        turn.finish("I see.")
    moving.now += timedelta(hours=1)
    asking(coach, "chat", text="My favorite tea is oolong")
    asking(coach, "chat", text="What is my favorite tea?")
    asking(coach, "run_upkeep")
    listed = asking(coach, "sessions")
    for one in listed:
        asking(coach, "session", session_id=one["id"])
    for name in ("state", "summaries", "spines"):
        asking(coach, name)


def _governed(asking, memory, alice):
    session = memory.governed(session="g1", user="alice")
    session.record(user="I prefer tea", ai="Noted.")
    asking(alice, "phases", session="g1")
    asking(alice, "start_phase", session="g1", name="later")
    session.record(user="I prefer milk")
    asking(alice, "phases", session="g1")
    asking(alice, "phase_diff", session="g1", from_phase="phase-1", to_phase="phase-2")
    asking(alice, "traces", session="g1")
    asking(alice, "governed_sessions")
    asking(alice, "save_checkpoint", thread_id="t1", data={"step": 1, "history": ["hello"]})
    for name in ("checkpoint", "checkpoints", "delete_checkpoint"):
        asking(alice, name, **({} if name == "checkpoints" else {"thread_id": "t1"}))


def _running(asking, memory, alice):
    alice.observe([{"content": "I play chess"}])
    asking(alice, "jobs")
    for name in ("retry_jobs", "doctor", "gc", "compact", "rebuild_index", "stats", "events", "growth", "activity"):
        asking(alice, name)
    asking(alice, "owners")
    key = asking(alice, "add_key", name="a bot", scope=["user:alice"])
    asking(alice, "keys")
    asking(alice, "rotate_key", key_id=key["id"])
    asking(alice, "revoke_key", key_id=key["id"])
    asking(alice, "keys")
    token = asking(alice, "make_token")
    asking(alice, "revoke_token", token_id=token["id"])
    asking(alice, "export_user", user_id="alice")
    asking(alice, "bundle_user", user_id="alice")
    asking(alice, "erase_user", user_id="alice")


def test_every_operation_answers_what_it_declares(answers):
    """Each answer is checked as it comes; here none is left out, and what may be empty was also full."""
    assert set(answers) == set(ANSWERS) == set(BY_NAME)
    empty = {name for name, given in answers.items() if all(one in (None, [], {}) for one in given)}
    # Nothing was archived long enough to be removed.
    assert empty <= {"compact"}, empty


PLAIN = {"finish_turn", "profile", "start_phase", "phase_diff", "compact", "export_user", "growth"}
"""Answers without names of their own: a text, counts by a name, events and rows as they are stored."""


@pytest.mark.parametrize("name", sorted(set(ANSWERS) - PLAIN))
def test_an_answer_with_a_field_too_many_or_too_few_is_noticed(answers, name):
    """The negative control: the check has to fail."""
    answer = copy.deepcopy(next(one for one in answers[name] if one))
    target = answer[0] if isinstance(answer, list) else answer
    target["surprise"] = 1
    with pytest.raises(ValidationError):
        checked(name, answer)
    del target["surprise"]
    checked(name, answer)
    target.popitem() if name == "stats" else target.pop(next(iter(target)))
    with pytest.raises(ValidationError):
        checked(name, answer)


def test_answers_are_read_back_into_their_types(answers):
    for name, given in answers.items():
        for answer in given:
            read = TYPED.read(ANSWERS[name], answer)
            assert (read is None) == (answer is None)
    found = TYPED.read(ANSWERS["recall"], next(one for one in answers["recall"] if one["hits"]))
    assert found.hits[0].text
    assert found.hits[0].at.tzinfo is not None
    record = TYPED.read(ANSWERS["list"], answers["list"][-1])[0]
    assert record.trust.value == answers["list"][-1][0]["trust"]


NUMBERED = [
    pytest.param(operation.name, one, id=f"{operation.name}-{one.name}")
    for operation in OPERATIONS
    for one in operation.parameters
    if (one.least, one.above, one.most) != (None, None, None)
]
CHOOSING = [
    pytest.param(operation.name, one, id=f"{operation.name}-{one.name}")
    for operation in OPERATIONS
    for one in operation.parameters
    if one.choices
]
GIVEN = {"facts": "I like tea", "query": "tea", "content": "I like tea", "user_text": "hello", "reference": "me"}
GIVEN |= {"session": "g1", "from_phase": "phase-1", "to_phase": "phase-2"}


@pytest.fixture(scope="module")
def alice(tmp_path_factory, moving):
    with opened(tmp_path_factory.mktemp("bounds") / "memory.db", moving, token_key=SECRET) as memory:
        memory.at(user="alice").remember("I like tea")
        memory.governed(session="g1", user="alice").record(user="I prefer tea")
        yield memory.at(user="alice", chat="dm-alice")


def refusal(alice, name, parameter, value):
    """The code by which a value is refused, or nothing."""
    known = GIVEN | {"memory_id": next(one.id for one in alice.list())}
    given = {one.name: known[one.name] for one in BY_NAME[name].parameters if one.name in known}
    try:
        answer = BY_NAME[name].run(alice, given | {parameter.name: value})
    except WellkeptError as error:
        return error.code
    return answer.get("reason") if isinstance(answer, dict) and answer.get("outcome") == "denied" else None


@pytest.mark.parametrize(("name", "parameter"), NUMBERED)
def test_declared_bounds_are_those_that_hold(alice, name, parameter):
    for bound, step in ((parameter.least, -1), (parameter.most, 1)):
        if bound is not None:
            assert refusal(alice, name, parameter, bound) is None
            assert refusal(alice, name, parameter, bound + step) is not None
    if parameter.above is not None:
        assert refusal(alice, name, parameter, parameter.above) is not None
        assert refusal(alice, name, parameter, parameter.above + 1) is None


@pytest.mark.parametrize(("name", "parameter"), CHOOSING)
def test_declared_names_are_those_that_are_taken(alice, name, parameter):
    as_given = (lambda value: [value]) if parameter.kind == "texts" else (lambda value: value)
    for choice in parameter.choices:
        assert refusal(alice, name, parameter, as_given(choice)) in (None, "unknown_phase")
    assert refusal(alice, name, parameter, as_given("zebra")) not in (None, "unknown_phase")


def test_what_is_sent_has_the_names_that_are_read():
    described = TYPED.whole(SENT["messages"])["$defs"]["Message"]
    assert set(described["properties"]) == MESSAGE_KEYS
    assert set(TYPED.whole(SENT["facts"])["$defs"]["Fact"]["properties"]) == FACT_KEYS
    assert set(TYPED.whole(SENT["filters"])["$defs"]["Filters"]["properties"]) == set(FILTERS)
