"""memory.query: every filter as a brute force in Python would apply it, budgets, forms, and the seed's own request."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wellkept
from wellkept.config import Config
from wellkept.errors import InvalidInput, NotAllowed
from wellkept.operations import BY_NAME
from wellkept.policies.visibility import BUILT_IN
from wellkept.policies.words import token_count
from wellkept.testing.world import World
from wellkept.vocabulary import Kind, MemoryType

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SEED = {
    "agent": "planner",
    "query": "deployment plan context",
    "categories": ["tasks", "projects"],
    "filters": {
        "user_id": "...",
        "agent_id": "...",
        "run_id": "...",
        "actor_id": "...",
        "role": "assistant",
        "pinned": False,
        "importance_min": 1,
        "importance_max": 5,
        "updated_after": "2025-07-01",
        "updated_before": None,
    },
    "top_k": 3,
    "return": "bullets",
    "budget_tokens": 512,
}
MANY = {"top_k": 1000, "threshold": 0, "budget_tokens": 1_000_000}
DAYS = [(NOW - timedelta(days=days)).date().isoformat() for days in range(9)]
VALUES = {
    "user_id": ["ana", "bo"],
    "agent_id": ["a1", "a2", "a3"],
    "run_id": ["r1", "r2"],
    "actor_id": ["ana", "bo"],
    "role": ["user", "assistant", "tool", "system"],
    "pinned": [True, False],
    "importance_min": [0, 1, 2.5, 4],
    "importance_max": [0, 1, 2.5, 4],
    "updated_after": DAYS,
    "updated_before": DAYS,
    "category": ["tasks", "goals", ["tasks", "goals"], "tone"],
    "type": ["task", "knowledge", ["task", "event"]],
    "entity": ["person:bo", "project:atlas", "place:rome"],
}


@pytest.fixture(scope="module")
def filed(tmp_path_factory):
    """A store of memories that differ in everything a filter looks at, and those memories."""
    path = tmp_path_factory.mktemp("query") / "memory.db"
    with wellkept.open(path, config=Config(), clock=lambda: NOW, embedder="none") as memory:
        world, chance, told = World(memory.engine.store), Random(6), []
        for number in range(120):
            pinned = chance.random() < 0.3
            told.append(
                world.tell(
                    f"A note on number {number}.",
                    tenant="default",
                    scope=("user", "ana"),
                    agent_id=chance.choice(["a1", "a2", None]),
                    run_id=chance.choice(["r1", "r2", None]),
                    actor_id=chance.choice(["ana", "bo"]),
                    role=chance.choice(["user", "assistant", "tool"]),
                    pinned=pinned,
                    importance=chance.choice([0.0, 1.0, 2.0, 3.0, 5.0]),
                    updated_at=NOW - timedelta(days=chance.randrange(8), hours=chance.randrange(24)),
                    category=chance.choice(["tasks", "goals", "knowledge"]),
                    type=chance.choice([MemoryType.TASK, MemoryType.KNOWLEDGE, MemoryType.EVENT]),
                    entity_refs=tuple(chance.sample(["person:bo", "project:atlas"], chance.randrange(3))),
                )
            )
        world.tell("A note of somebody else.", tenant="default", scope=("user", "bo"), actor_id="bo")
        yield memory.at(user="ana"), told


def passes(memory, key, value):
    """One filter, as anybody would write it."""
    match key:
        case "user_id":
            return memory.owner == value
        case "importance_min":
            return memory.importance >= value
        case "importance_max":
            return memory.importance <= value
        case "updated_after":
            return memory.updated_at >= datetime.fromisoformat(value).replace(tzinfo=UTC)
        case "updated_before":
            return memory.updated_at < datetime.fromisoformat(value).replace(tzinfo=UTC)
        case "entity":
            return value in memory.entity_refs
        case _:
            return getattr(memory, key) in (value if isinstance(value, list) else [value])


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in VALUES.items() for value in values])
def test_each_filter_alone(filed, key, value):
    ana, told = filed
    found = {bullet.id for bullet in ana.query("note", filters={key: value}, **MANY)}
    assert found == {memory.id for memory in told if passes(memory, key, value)}


@given(st.fixed_dictionaries({}, optional={key: st.sampled_from([*values, None]) for key, values in VALUES.items()}))
def test_any_filters_together(filed, wanted):
    ana, told = filed
    left = [one for one in told if all(value is None or passes(one, key, value) for key, value in wanted.items())]
    assert {bullet.id for bullet in ana.query("note", filters=wanted, **MANY)} == {memory.id for memory in left}


def test_without_filters_everything_of_the_asker_is_there(filed):
    ana, told = filed
    assert len(ana.query("note", **MANY)) == len(told)
    assert len(ana.query("note")) == 3


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"filters": {"owner": "bo"}}, "owner"),
        ({"filters": {"role": "robot"}}, "role"),
        ({"filters": {"category": "dreams"}}, "dreams"),
        ({"filters": {"type": "memo"}}, "memo"),
        ({"filters": {"importance_min": float("nan")}}, "importance_min"),
        ({"filters": {"m.id = m.id OR 1=1": 1}}, "1=1"),
        ({"categories": ["dreams"]}, "dreams"),
        ({"categories": "tasks"}, "categories"),
        ({"top_k": 0}, "top_k"),
        ({"budget_tokens": 0}, "budget_tokens"),
        ({"threshold": 2}, "threshold"),
        ({"returns": "html"}, "return"),
        ({"as_of": "never ever"}, "as_of"),
    ],
)
def test_what_is_wrong_is_named(filed, wrong, named):
    with pytest.raises(InvalidInput, match=named):
        filed[0].query("note", **wrong)


def test_sql_in_a_value_is_a_value(filed):
    ana, told = filed
    assert len(ana.query("note", filters={"agent_id": "a1' OR '1'='1"}, **MANY)) == 0
    assert len(ana.query("note", **MANY)) == len(told)


def test_the_request_of_the_seed_runs_unchanged(memory):
    ana = memory.at(user="ana", agent="executor")
    ana.add("The deployment plan waits for the certificate", type="task", source="ai")
    asker = memory.at(user="ana")
    request = dict(SEED, filters=dict(SEED["filters"], user_id="ana", agent_id="executor", run_id=None, actor_id="ana"))
    (bullet,) = BY_NAME["query"].run(asker, request)
    assert set(bullet) == {"id", "category", "text"}
    assert bullet["text"] == "[tasks] The deployment plan waits for the certificate"
    assert BY_NAME["query"].run(asker, SEED) == []


def test_full_adds_what_is_known_of_it(memory):
    ana = memory.at(user="ana")
    ana.remember("My favorite color is teal")
    (full,) = BY_NAME["query"].run(ana, {"query": "favorite color", "returns": "full"})
    assert full["metadata"]["content"] == "The user's favorite color is teal"
    assert full["metadata"]["type"] == "preference"
    assert full["score"] > 0


def test_a_budget_holds(filed):
    ana, _ = filed
    for budget in (1, 5, 12, 40, 100):
        bullets = ana.query("note", **MANY | {"budget_tokens": budget}).bullets
        assert sum(token_count(bullet.text) for bullet in bullets) <= budget
    assert ana.query("note", budget_tokens=5).bullets == ()


def test_a_long_first_bullet_is_cut_to_fit(memory):
    ana = memory.at(user="ana")
    ana.add("The harbour report says that " + "the crane at pier nine needs new cables, " * 20)
    (bullet,) = ana.query("harbour report", budget_tokens=20).bullets
    assert token_count(bullet.text) <= 20
    assert bullet.text.endswith("…")


def test_a_threshold_drops_what_is_not_alike(memory):
    ana = memory.at(user="ana")
    ana.remember(["My favorite color is teal", "I drive an old Saab", "My sister Ida plays the cello"])
    assert len(ana.query("The user's favorite color is green", threshold=0.0, top_k=9)) == 3
    assert len(ana.query("The user's favorite color is green", threshold=0.5, top_k=9)) == 1
    assert len(ana.query("The user's favorite color is green", threshold=1.0, top_k=9)) == 0


def test_about_names_one_person_or_says_who_could_be_meant(memory):
    ana = memory.at(user="ana")
    ana.remember(["My sister Ida plays the cello", "My boss Omar plays chess"])
    texts = [bullet.text for bullet in ana.query("who plays?", about=["my sister"], threshold=0, top_k=9)]
    assert texts
    assert all("Ida" in text for text in texts)
    with pytest.raises(LookupError):
        ana.query("who plays?", about=["Zelda"])


def test_as_of_asks_for_what_was_true(memory, clock):
    ana = memory.at(user="ana")
    ana.remember("I live in Lyon")
    clock.advance(days=30)
    ana.remember("I live in Berlin")
    assert "Berlin" in ana.query("where do I live?").bullets[0].text
    assert "Lyon" in ana.query("where do I live?", as_of="2026-03-10").bullets[0].text


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("What should I avoid eating?", "shellfish"),
        ("What car do I drive?", "Volvo"),
        ("deployment plan context", "rollout"),
        ("Where was I born?", None),
        ("What is my brother's name?", None),
        ("holiday plans", None),
    ],
)
def test_a_high_threshold_leaves_what_plainly_answers(store_url, clock, embedder, query, word):
    """As the seed asks: 0.65."""
    told = (
        "I'm allergic to shellfish",
        "I drive an old Volvo estate",
        "The deployment plan is a blue-green rollout on Friday",
        "My sister Kira teaches physics in Graz",
    )
    with wellkept.open(store_url, clock=clock, embedder=embedder, worker="off") as memory:
        ana = memory.at(user="ana")
        ana.remember(told)
        found = ana.query(query, threshold=0.65)
        assert [word in one.text for one in found] == ([] if word is None else [True])
        assert found.verdict == ("below_threshold" if word is None else "found")


@pytest.mark.parametrize("way", ["remember", "observe"])
def test_as_of_before_it_was_told_goes_by_when_it_held(store_url, clock, way):
    """Told in March 2026."""
    with wellkept.open(store_url, clock=clock, embedder="none", worker="off") as memory:
        ana = memory.at(user="ana")
        for text in ("I've lived in Lyon since 2019", "I have worked at Nokia since May 2021"):
            ana.remember(text) if way == "remember" else ana.observe([{"role": "user", "content": text}], wait=True)
        held = {"2018-06-01": [], "2020-06-01": ["Lyon"], "2022-06-01": ["Lyon", "Nokia"]}
        for day, named in held.items():
            seen = (
                [one.content for one in ana.list(as_of=day)],
                [hit.text for hit in ana.recall("Lyon Nokia", as_of=day).hits],
                [one.text for one in ana.query("Lyon Nokia", as_of=day)],
            )
            for texts in seen:
                assert sorted(word for text in texts for word in ("Lyon", "Nokia") if word in text) == named
        ana.remember("I moved to Oslo in 2024")
        found = {day: [one.content for one in ana.list(as_of=day)] for day in ("2023-06-01", "2025-06-01")}
        assert "Lyon" in str(found["2023-06-01"])
        assert "Oslo" not in str(found["2023-06-01"])
        assert "Lyon" not in str(found["2025-06-01"])
        assert "Oslo" in str(found["2025-06-01"])


def test_an_agent_cannot_ask_as_another(memory):
    with pytest.raises(NotAllowed) as caught:
        memory.at(user="ana", agent="stylist").query("anything", agent="planner")
    assert caught.value.code == "agent_mismatch"


@pytest.mark.parametrize("category", sorted(BUILT_IN))
def test_every_category_can_be_set(memory_without_vectors, category):
    ana = memory_without_vectors.at(user="ana")
    stored = ana.add("The kettle whistles", category=category)
    found = memory_without_vectors.engine.store.memory("default", stored.id)
    assert found.category == category
    assert (found.kind is Kind.PROCEDURAL) == (category == "procedural")


def test_a_category_nobody_knows_is_refused(memory_without_vectors):
    with pytest.raises(InvalidInput, match="dreams"):
        memory_without_vectors.at(user="ana").add("The kettle whistles", category="dreams")


def test_related_memories_come_with_the_bullets_within_the_budget(memory):
    ana = memory.at(user="ana", chat="dm")
    for fact in ("My sister Iva lives in Porto", "Iva works as a nurse in Porto", "Iva has a cat named Biscuit"):
        ana.remember(fact)
    [bullet] = ana.query("Where does Iva live?", top_k=1)
    assert bullet.text == "[knowledge] Iva lives in Porto"
    assert 1 <= len(bullet.related) <= 2
    assert set(bullet.related) <= {"Iva works as a nurse in Porto", "Iva has a cat named Biscuit"}
    [alone] = ana.query("Where does Iva live?", top_k=1, budget_tokens=10)
    assert alone.related == ()


@pytest.mark.parametrize("asked", ["What's my favorite color?", "favorite color"])
def test_the_threshold_of_the_seed_lets_a_plain_answer_through(memory, asked):
    ana = memory.at(user="ana", chat="dm")
    ana.remember("My favorite color is blue")
    ana.remember("I drive a red Kenworth")
    assert [one.text for one in ana.query(asked, threshold=0.65)] == ["[preferences] The user's favorite color is blue"]
