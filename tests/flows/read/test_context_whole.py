"""The whole block of a rich store: every section, its caps, its budgets, and who may read it."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import NotAllowed, PersonNotFound
from wellkept.policies.context import DROPS, ORDER
from wellkept.policies.visibility import ALLOWLISTS, BUILT_IN

PROJECTS = ["Atlas", "Borealis", "Corvus", "Delta", "Ember"]
SAID = [
    "Hi Coach, my week was long.",
    "I will call the insurance company tomorrow.",
    "I need to book the ferry by Friday.",
    "I'm going to stretch every morning.",
    "Maybe I'll learn to sail one day.",
    "I keep putting off the tax return.",
    "I will water the roses tomorrow.",
    "I watered the roses!",
]


@pytest.fixture(scope="module")
def rich(tmp_path_factory):
    """Coach's view of a user who has told a lot, in two sessions."""
    from datetime import UTC, datetime, timedelta

    class Clock:
        now = datetime(2026, 3, 2, 9, tzinfo=UTC)

        def __call__(self):
            return self.now

    clock = Clock()
    path = tmp_path_factory.mktemp("rich") / "memory.db"
    with wellkept.open(path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        coach = memory.at(user="ana", chat="dm", persona="Coach", thread="t1", display_name="Ana")
        coach.seed_profile([f"Ana's rule number {number} is to rest" for number in range(24)])
        coach.remember([f"My friend {name} plays chess" for name in ("Ida", "Omar", "Keiko", "Tariq")])
        coach.remember([f"Ida's {what}" for what in ("birthday is 9 May", "cat is called Miso", "club plays chess")])
        coach.remember([f"I live in house number {number} of the chess street" for number in range(1)])
        for name in PROJECTS:
            coach.add(f"Project {name} plays chess in March", about=())
        for number in range(5):
            coach.add(f"The chess club has rule {number}", category="profile")
        coach.context("start")
        for number in range(12):
            for text in SAID if number == 0 else [f"Chess evening number {number} was fun.", "The board is old."]:
                coach.turn(text).finish("I see.")
                clock.now += timedelta(minutes=1)
        clock.now += timedelta(minutes=40)
        memory.upkeep.runner.run_due()
        coach.turn("Good to be back with you, Coach.").finish("Welcome back.")
        coach.add("The chess cup is on Sunday")
        yield coach


@pytest.fixture(scope="module")
def whole(rich):
    return rich.context("Who plays chess with Ida?", budget_tokens=20_000, peek=True)


def lines(context, name):
    return next((section.lines for section in context.sections if section.name == name), ())


def test_every_section_is_there_in_its_order(whole):
    names = [section.name for section in whole.sections]
    assert names == [name for name in ORDER if name in names]
    assert set(ORDER) - set(names) <= {"consent"}


def test_every_section_keeps_its_cap(whole):
    most = {"delta": 3, "foundation": 20, "relevant": 8, "people": 50, "commitments": 5, "threads": 3, "frictions": 3}
    most |= {"wins": 3, "messages": 6, "cards": 5}
    for name, cap in most.items():
        assert 0 <= len(lines(whole, name)) <= cap, name
    for name, cap in {"seed": 800, "spine": 1_200, "rolling": 600, "last_session": 600}.items():
        assert 0 < sum(map(len, lines(whole, name))) <= cap, name


def test_a_category_that_stands_whole_is_whole(whole):
    block = str(whole)
    assert all(f"The chess club has rule {number}" in block for number in range(5))


def test_what_a_cap_left_out_stands_on_its_card(whole):
    assert any(line.startswith("[person:ida]: ") and "9 May" in line for line in lines(whole, "cards"))
    assert "9 May" not in " ".join(lines(whole, "relevant"))


def test_no_line_stands_twice(whole):
    found = [line for section in whole.sections for line in section.lines]
    assert len(found) == len(set(found))
    # What is promised stands with the promises, and not again in the summaries.
    told = " ".join(line for name in ("rolling", "last_session") for line in lines(whole, name))
    assert "Call the insurance company" in str(whole)
    assert "Open: Call the insurance company" not in told


def test_lines_say_how_it_is_known(whole):
    assert any(line.startswith("[hearsay, about Ida, from you, 2026-03-02]") for line in lines(whole, "relevant"))
    assert lines(whole, "foundation")[0].startswith("[established")
    assert lines(whole, "commitments")[:2] == (
        "Call the insurance company (due 2026-03-03)",
        "Book the ferry (due 2026-03-06)",
    )
    assert "Stretch every morning (habit)" in lines(whole, "commitments")
    assert lines(whole, "wins") == ("Water the roses (2026-03-02)",)
    assert lines(whole, "people")[0].startswith("Ida")
    assert all(", earlier, " in line for line in lines(whole, "messages")[:-2])


@pytest.mark.parametrize("budget", [100, 200, 600, 1_200, 4_000])
def test_it_fits_its_budget_and_drops_in_order(rich, whole, budget):
    block = rich.context("Who plays chess with Ida?", budget_tokens=budget, peek=True)
    assert block.tokens <= budget
    assert lines(block, "foundation")
    assert lines(block, "delta")
    left = {section.name: len(section.lines) for section in block.sections}
    before = {section.name: len(section.lines) for section in whole.sections}
    twice = {name for name, is_sparing in DROPS if is_sparing}
    once = [name for name, _ in DROPS if name in before and name not in twice]
    touched = [number for number, name in enumerate(once) if left.get(name, 0) < before[name]]
    assert not [name for name in once[: max(touched, default=0)] if name in left]


# --- allowlists ---


@pytest.fixture(scope="module")
def filed(tmp_path_factory):
    """One memory of every category, all about the same project, so that everything leads to everything."""
    path = tmp_path_factory.mktemp("filed") / "memory.db"
    with wellkept.open(path, config=Config(), embedder="none", worker="off") as memory:
        ana = memory.at(user="ana", chat="dm")
        ids = {}
        for name in BUILT_IN:
            stored = ana.add(f"The zeppelin project has a {name} word: zz{name.replace('_', '')}", category=name)
            ids[name] = stored.id
            if name != "procedural":
                ana.pin(stored.id)
        ana.turn("My own words about the zeppelin: zzmessage").finish("Noted.")
        ana.turn("I will paint the zeppelin zztodo tomorrow").finish("Noted.")
        yield memory, ids


def reads(viewpoint, ids):
    """Everything that a viewpoint can get out of the memory, as one text for each way."""
    yield "recall", repr(viewpoint.recall("zeppelin project word", limit=100, threshold=0))
    yield "query", repr(viewpoint.query("zeppelin project word", top_k=100, threshold=0, budget_tokens=9_999))
    yield "full", repr(viewpoint.query("zeppelin project word", top_k=100, threshold=0, returns="full"))
    yield "list", repr(viewpoint.list(limit=100))
    yield "context", str(viewpoint.context("zeppelin project word", budget_tokens=9_999))
    yield "stats", repr(viewpoint.stats())
    yield "sessions", repr([viewpoint.session(one.id) for one in viewpoint.sessions()])
    yield "state", repr(viewpoint.state())
    for memory_id in ids.values():
        try:
            yield "show", repr(viewpoint.show(memory_id)) + repr(viewpoint.history(memory_id))
        except LookupError:
            continue


@pytest.mark.parametrize("agent", [*ALLOWLISTS, "stranger", None])
def test_an_agent_gets_its_categories_and_no_other_by_any_way(filed, agent):
    memory, ids = filed
    viewpoint = memory.at(user="ana", chat="dm", agent=agent, thread=f"t-{agent}")
    allowed = {*BUILT_IN} - {"procedural"} if agent is None else ALLOWLISTS.get(agent, frozenset())
    got = list(reads(viewpoint, ids))
    for name in BUILT_IN:
        word = f'zz{name.replace("_", "")}"'
        word_end = f"zz{name.replace('_', '')}"
        hits = [way for way, text in got if any(end in text for end in (word, f"{word_end}'", f"{word_end}\n"))]
        if name in allowed:
            ways = {"recall", "query", "list", "context", "show"}
            # What is not pinned stands in the block only when it is among the best.
            assert ways - ({"context"} if name == "procedural" else set()) <= set(hits), name
        else:
            assert not hits, (name, hits)
    if agent is not None:
        assert not [way for way, text in got if "zzmessage" in text]
        assert bool([way for way, text in got if "zztodo" in text]) == ("tasks" in allowed)


@pytest.mark.parametrize("agent", [*ALLOWLISTS, "stranger"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_what_is_not_allowed_is_refused_by_name(filed, agent, name):
    memory, _ = filed
    viewpoint = memory.at(user="ana", chat="dm")
    allowed = ALLOWLISTS.get(agent, frozenset())
    if name in allowed:
        (found,) = viewpoint.query("zeppelin project word", agent=agent, categories=[name], threshold=0).bullets
        assert found.category == name
    else:
        with pytest.raises(NotAllowed, match=name):
            viewpoint.query("zeppelin", agent=agent, categories=[name])
    narrowed = viewpoint.query("zeppelin project word", agent=agent, filters={"category": name}, threshold=0)
    assert {bullet.category for bullet in narrowed} == ({name} & allowed)


def told(viewpoint, memory_id):
    """The same, and what is told without being asked: people, todos, summaries, answers."""
    yield from reads(viewpoint, {"one": memory_id})
    yield "people", repr(viewpoint.people())
    yield "todos", repr(viewpoint.todos(status="ALL"))
    yield "summaries", repr(viewpoint.summaries())
    yield "chat", repr(viewpoint.chat("Who is my brother, and what have I skipped?"))


def test_between_us_is_known_to_that_persona_alone_by_every_way(tmp_path, clock):
    said = "Just between us, Coach: my brother Zzozimo skipped zztraining on the zeppelin"
    with wellkept.open(tmp_path / "memory.db", config=Config(), clock=clock, embedder="none", worker="off") as memory:
        coach = memory.at(user="ana", chat="dm", persona="Coach")
        stored = coach.remember(said)
        for text in (said, "The garden is green.", "The fence is red.", "The shed is blue."):
            coach.turn(text).finish("I keep zztraining secret.")
        clock.advance(minutes=40)
        memory.upkeep.runner.run_due()
        ways = {way for way, text in told(coach, stored.id) if "zztraining" in text or "Zzozimo" in text}
        assert {"recall", "query", "full", "list", "context", "show", "people", "sessions"} <= ways
        assert "todos" not in ways
        (brother,) = coach.people()
        for other in (
            memory.at(user="ana", chat="dm", persona="Chef"),
            memory.at(user="ana", chat="dm"),
            memory.at(user="ana", persona="Chef"),
            memory.at(user="ana", chat="g", chat_type="group", persona="Chef"),
            memory.at(user="bo", chat="dm", persona="Coach"),
        ):
            with pytest.raises(PersonNotFound):
                other.person(brother.id)
            for way, text in told(other, stored.id):
                assert "zztraining" not in text, way
                assert "Zzozimo" not in text, way
                assert "brother" not in text or way in ("chat", "recall", "context", "sessions", "state"), way


def test_who_was_confided_and_is_then_told_of_openly_is_somebody_everybody_knows(tmp_path):
    with wellkept.open(tmp_path / "memory.db", config=Config(), embedder="none", worker="off") as memory:
        coach = memory.at(user="ana", chat="dm", persona="Coach")
        chef = memory.at(user="ana", chat="dm", persona="Chef")
        coach.remember("Just between us, Coach: my boyfriend Dmitri hates my cooking")
        chef.remember("Dmitri is allergic to celery")
        assert [(one.name, one.relation) for one in chef.people()] == [("Dmitri", None)]
        coach.remember("Dmitri plays the oboe")
        assert {memory.content for memory in chef.list()} == {"Dmitri is allergic to celery", "Dmitri plays the oboe"}
