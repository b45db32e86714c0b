"""Sessions, state, summaries and todos as time goes by: the timeline of the seed, with a clock that a test moves."""

from __future__ import annotations

from datetime import timedelta

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import InvalidInput, WellkeptError
from wellkept.judges.english import RulesJudge
from wellkept.policies.summaries import Conversation, Spine
from wellkept.policies.todos import TodoKind, TodoStatus


@pytest.fixture
def memory(store_path, clock):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as opened:
        yield opened


@pytest.fixture
def coach(memory):
    return memory.at(user="ana", persona="Coach", chat="dm")


def say(viewpoint, text, reply="Go on."):
    turn = viewpoint.turn(text)
    turn.finish(reply)
    return turn


def section(context, name):
    return next((one.lines for one in context.sections if one.name == name), ())


def work(memory):
    """What a worker would do by now."""
    return memory.upkeep.runner.run_due()


def test_a_turn_takes_one_reply(memory, coach):
    turn = coach.turn("Hi! My sister Ida lives in Porto.")
    with pytest.raises(InvalidInput):
        turn.finish(" ")
    assert turn.finish("Nice!") is not None, "a reply that was refused does not count"
    with pytest.raises(InvalidInput) as caught:
        turn.finish("Nice, again!")
    assert caught.value.code == "turn_finished"
    ((said,),) = memory.engine.store._db.driver.rows("SELECT COUNT(*) FROM messages WHERE role = 'assistant'", {})
    assert said == 1


def test_the_timeline(memory, coach, clock):
    # t = 0: the first message to Coach makes the user, the session and the state.
    start = clock()
    first = say(coach, "Hi! My sister Ida lives in Porto.")
    assert (first.session.number, first.session.turn_count) == (1, 1)
    assert first.state.message_count == 1
    assert first.state.last_user_message == "Hi! My sister Ida lives in Porto."

    # t = 1: the second message counts up, and a promise becomes a todo of Coach's.
    clock.advance(minutes=1)
    second = say(coach, "I will call the insurance company tomorrow.")
    assert (second.session.turn_count, second.state.message_count) == (2, 2)
    assert [(todo.kind, todo.text) for todo in second.todos] == [(TodoKind.COMMITMENT, "Call the insurance company")]

    # t = 3: the fourth message triggers the rolling summary.
    clock.advance(minutes=1)
    say(coach, "The garden project keeps me busy these days.")
    work(memory)
    assert coach.state().rolling_summary == ""
    clock.advance(minutes=1)
    say(coach, "I planted forty tulips along the fence.")
    clock.advance(seconds=5)
    work(memory)
    state = coach.state()
    assert "forty tulips" in state.rolling_summary
    assert "Open: Call the insurance company" in state.rolling_summary
    assert state.last_rolling_success_at == clock()

    # 35 minutes of silence: the session ends with its last word, and its summary is made.
    last_word = start + timedelta(minutes=3)
    clock.now = last_word + timedelta(minutes=35)
    work(memory)
    (ended,) = coach.sessions()
    assert (ended.ended_at, ended.turn_count) == (last_word, 4)
    summary = coach.session(ended.id).summary
    assert summary.one_liner == "My sister Ida lives in Porto."
    assert summary.commitments == ("Call the insurance company",)
    assert summary.tone == "calm"

    # Minute 36: a new session, the state goes on, and both summaries are in the context.
    clock.now = last_word + timedelta(minutes=36)
    back = say(coach, "I am back, where were we?")
    assert (back.session.number, back.session.turn_count) == (2, 1)
    assert back.state.message_count == 5
    assert any("forty tulips" in line for line in section(back.context, "rolling"))
    assert "My sister Ida lives in Porto." in section(back.context, "last_session")
    assert any("session before ended" in line for line in section(back.context, "state"))
    assert all("earlier" in line for line in section(back.context, "messages"))

    # Messages 20, 40, 60: versions 1, 2, 3 of the spine, counted over all personas.
    memory.at(user="ana").remember(["My favorite tea is oolong", "My brother Tariq lives in Amman"])
    chef = memory.at(user="ana", persona="Chef", chat="dm")
    for number in range(6, 61):
        clock.advance(minutes=1)
        say(chef if number % 2 else coach, f"Note number {number} is about the weather.")
        clock.advance(seconds=5)
        work(memory)
    spines = memory.engine.store.summaries(Conversation(tenant="default", owner="ana"), Spine, limit=9)
    assert [(spine.version, spine.message_count, spine.total) for spine in spines] == [
        (3, 20, 60),
        (2, 20, 40),
        (1, 20, 20),
    ]
    assert "oolong" in spines[0].content["PROFILE"][0].text
    assert any("Tariq" in line.text for line in spines[0].content["PEOPLE"])
    assert any("oolong" in line for line in section(coach.context("tea?"), "spine"))
    # Every version can be read again by the user, alone with the persona, and by nobody else.
    assert len(coach.summaries()) > 5
    assert [one.version for one in coach.summaries()] == sorted(one.version for one in coach.summaries())
    assert coach.spines(limit=9) == spines
    among = memory.at(user="ana", persona="Coach", chat="club", chat_type="group", participants=["bo"])
    assert among.spines() == among.summaries() == memory.at(user="bo", persona="Coach").summaries() == ()


def test_a_message_within_half_an_hour_goes_on(coach, clock):
    say(coach, "Hello there, Coach.")
    clock.advance(minutes=29, seconds=59)
    assert say(coach, "Still here with you.").session.number == 1
    clock.advance(minutes=30)
    assert say(coach, "And now after a break.").session.number == 2


def test_summaries_by_hand_do_not_end_a_session_that_goes_on(memory, coach):
    say(coach, "Hello there, Coach.")
    memory.upkeep.run(["summarise"])
    assert coach.sessions()[0].ended_at is None


class Failing(RulesJudge):
    def rolling(self, previous, talk):
        raise WellkeptError("no answer in time", code="judge_failed")

    def session(self, talk):
        raise WellkeptError("no answer in time", code="judge_failed")


def test_a_failed_summary_keeps_the_old_one_and_says_why(store_path, clock):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        coach = memory.at(user="ana", persona="Coach")
        for number in range(4):
            say(coach, f"The harbour has {number} cranes in it.")
        clock.advance(seconds=5)
        work(memory)
        before = coach.state().rolling_summary
    with wellkept.open(
        store_path, config=Config(), clock=clock, embedder="none", worker="off", judge=Failing()
    ) as memory:
        coach = memory.at(user="ana", persona="Coach")
        for number in range(4):
            say(coach, f"The station has {number} clocks in it.")
        clock.advance(seconds=5)
        work(memory)
        state = coach.state()
        assert state.rolling_summary == before != ""
        assert state.last_rolling_error == {"reason": "judge_failed", "detail": "no answer in time"}
        clock.advance(minutes=40)
        work(memory)
        shown = coach.session(coach.sessions()[0].id)
        assert (shown.summary.one_liner, shown.summary.error["reason"]) == ("Summary unavailable.", "judge_failed")
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        coach = memory.at(user="ana", persona="Coach")
        clock.advance(days=1)
        work(memory)
        assert "cranes" in coach.session(coach.sessions()[0].id).summary.one_liner
        assert coach.state().last_rolling_error is None


def test_todos_have_a_life(coach, clock):
    (walk,) = say(coach, "I will go for a walk tomorrow.").todos
    assert (walk.kind, walk.status) == (TodoKind.COMMITMENT, TodoStatus.PENDING)
    assert section(coach.context("hello"), "commitments") == ("Go for a walk (due 2026-03-03)",)
    clock.advance(days=2)
    assert section(coach.context("hello"), "commitments") == ("Go for a walk (overdue since 2026-03-03)",)
    (again,) = say(coach, "I'm going to go for a walk on Friday.").todos
    assert (again.id, again.mention_count) == (walk.id, 2)
    (habit,) = say(coach, "I will go for a walk every morning.").todos
    assert (habit.id, habit.kind) == (walk.id, TodoKind.HABIT)
    (done,) = say(coach, "Went for my walk!").todos
    assert (done.id, done.status) == (walk.id, TodoStatus.PENDING)
    assert section(coach.context("hello"), "wins") == ("Go for a walk every morning (2026-03-04)",)
    (thread,) = say(coach, "Maybe I'll learn to sail one day.").todos
    assert section(coach.context("hello"), "threads") == (thread.text,)
    (friction,) = say(coach, "I keep putting off the tax return.").todos
    assert section(coach.context("hello"), "frictions") == (friction.text,)
    (gone,) = say(coach, "Never mind the sailing.").todos
    assert (gone.id, gone.status) == (thread.id, TodoStatus.SKIPPED)
    assert section(coach.context("hello"), "threads") == ()
    clock.advance(hours=49)
    assert section(coach.context("hello"), "wins") == ()
    assert say(coach, "It will rain tomorrow.").todos == ()


def test_one_intent_is_one_todo_and_no_task_as_well(memory, coach, clock):
    say(coach, "I will send the report to Keiko tomorrow morning.")
    coach.observe(
        [{"role": "user", "content": "I have to renew my passport by Friday, and my favorite tea is oolong."}]
    )
    clock.advance(minutes=2)
    work(memory)
    assert {todo.text for todo in coach.todos()} == {
        "Send the report to Keiko",
        "Renew my passport",
    }
    assert [one.content for one in coach.list(filters={"type": "task"})] == []
    assert coach.todos()[0].mention_count == 1


@pytest.mark.parametrize("end", ["complete_todo", "dismiss_todo"])
def test_no_task_is_left_of_a_todo_that_is_done_or_given_up(memory, coach, clock, end):
    coach.add("Renew the parking permit", type="task")
    coach.add("Renew the library card", type="task")
    (todo,) = say(coach, "I have to renew the parking permit by Friday.").todos
    getattr(coach, end)(todo.id)
    clock.advance(minutes=2)
    work(memory)
    assert [one.content for one in coach.list(filters={"type": "task"})] == ["Renew the library card"]


def test_a_todo_is_due_on_the_day_that_was_said_and_what_is_refused_is_none(coach):
    (todo,) = say(coach, "I will return the ladder by Sunday.").todos
    assert todo.due_at.isoformat() == "2026-03-08T23:59:59+00:00"
    (call,) = say(coach, "I will call the notary tomorrow at 15:30.").todos
    assert call.due_at.isoformat() == "2026-03-03T15:30:00+00:00"
    assert say(coach, "I shall not go to the pool tomorrow.").todos == ()
    assert say(coach, "I will never go to that dentist tomorrow or ever.").todos == ()


def test_a_habit_is_no_event_as_well_and_doing_it_is_one(memory, coach, clock):
    say(coach, "Every morning I'll water the fig trees on the balcony.")
    say(coach, "I keep forgetting the keys of the office at home.")
    clock.advance(minutes=2)
    work(memory)
    assert coach.list() == ()
    say(coach, "I watered the fig trees on the balcony with rain water today.")
    clock.advance(minutes=2)
    work(memory)
    assert any("watered the fig trees" in one.content for one in coach.list(filters={"type": "event"}))
    assert [todo.status for todo in coach.todos()] == [TodoStatus.PENDING] * 2


def test_nothing_of_one_persona_is_known_to_another(memory, coach):
    chef = memory.at(user="ana", persona="Chef", chat="dm")
    say(coach, "I will swim forty lengths tomorrow.")
    say(coach, "Just between us, Coach: I skipped training for a month.")
    for other in (chef, memory.at(user="ana", chat="dm"), memory.at(user="bo", persona="Coach")):
        assert other.todos() == ()
        assert other.sessions() == ()
        assert other.state().message_count == 0
        block = str(other.context("training lengths swim"))
        assert "lengths" not in block
        assert "training" not in block
    assert len(coach.todos()) == 1


def test_a_group_has_sessions_and_nothing_that_was_said_in_private(memory, coach):
    say(coach, "I will quit my job tomorrow.")
    group = memory.at(user="ana", persona="Coach", chat="g", chat_type="group", participants=["bo"])
    turn = say(group, "I will bring the cake on Friday.")
    assert (turn.session.number, turn.todos, group.todos()) == (1, (), ())
    assert "quit" not in str(turn.context)
    assert turn.state.last_user_message == "(masked)"
    with_bo = memory.at(user="ana", persona="Coach", chat="dm2", participants=["bo"])
    assert "quit" not in str(with_bo.context("job"))


def test_todos_by_hand(coach):
    (walk,) = say(coach, "I will go for a walk tomorrow.").todos
    (call,) = say(coach, "I will call the bank tomorrow.").todos
    assert coach.complete_todo(walk.id[:8]).status is TodoStatus.COMPLETED
    assert coach.dismiss_todo(call.id).status is TodoStatus.SKIPPED
    assert coach.todos() == ()
    assert len(coach.todos(status="ALL")) == 2
    with pytest.raises(LookupError):
        coach.complete_todo("t_nothing")
    with pytest.raises(InvalidInput):
        coach.todos(status="SOON")


def test_what_is_forgotten_or_replaced_is_in_no_summary(memory, coach, clock):
    stored = memory.at(user="ana", chat="dm").remember("My favorite flower is the peony")
    for text in (
        "My favorite flower is the peony",
        "The fence is green now.",
        "The gate is open.",
        "The bench is old.",
    ):
        say(coach, text)
    clock.advance(seconds=5)
    work(memory)
    assert any("peony" in line for line in section(coach.context("garden"), "rolling"))
    memory.at(user="ana", chat="dm").forget(stored.id)
    assert not any("peony" in line for line in section(coach.context("garden"), "rolling"))


def test_what_is_dismissed_is_open_in_no_summary(memory, coach, clock):
    for text in ("Maybe I'll learn the piano", "The fence is green now.", "The gate is open.", "The bench is old."):
        say(coach, text)
    clock.advance(seconds=5)
    work(memory)
    assert "Open: Maybe I'll learn the piano" in coach.state().rolling_summary
    say(coach, "never mind about the piano")
    assert "Open:" not in coach.state().rolling_summary
    assert not any("Open: " in line for line in section(coach.context("garden"), "rolling"))
    assert "Open: Maybe I'll learn the piano" in coach.summaries()[0].content, "what was summed up then stays"


def test_secrets_are_in_no_state_and_no_todo(coach):
    turn = say(coach, "I will change my password tomorrow, it is hunter2-Xy9!kk")
    assert "hunter2" not in repr(turn.state)
    assert "hunter2" not in repr(turn.todos)
    assert "hunter2" not in str(turn.context)


def test_seeded_facts_are_established_and_pinned(memory):
    ana = memory.at(user="ana")
    ana.seed_profile(["Ana is a bridge engineer", "Ana lives in Lyon"])
    lines = section(ana.context("hello"), "foundation")
    assert len(lines) == 2
    assert all(line.startswith("[established") for line in lines)


def test_memory_is_asked_again_only_when_needed(memory, coach):
    coach.remember("My favorite tea is oolong")
    found = coach.turn("What is my favorite tea?")
    assert found.context.verdict == "found"
    assert found.recall_if_needed(0.9) is None
    assert "oolong" in found.recall_if_needed(0.4).bullets[0].text
    lost = coach.turn("zzz qqq")
    assert lost.recall_if_needed(0.9) is not None


def test_what_stands_in_the_context_unasked_is_something_found(memory, coach):
    assert coach.turn("Zebras graze in Zambia.").recall_if_needed(1.0) is not None
    coach.pin(coach.remember("I am allergic to walnuts").id)
    assert coach.turn("Ferries are slow in winter.").recall_if_needed(1.0) is None


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_message_is_refused(coach, text):
    with pytest.raises(InvalidInput) as caught:
        coach.turn(text)
    assert caught.value.code == "empty_content"


@pytest.fixture
def anywhere(store_url, clock):
    with wellkept.open(store_url, config=Config(), clock=clock, embedder="none", worker="off") as opened:
        yield opened


def test_a_summary_is_of_its_conversation_and_names_who_spoke(anywhere, clock):
    ana = anywhere.at(user="ana", chat="dm", display_name="Ana")
    say(ana, "My roof garden has forty tulips in it.")
    group = {"chat": "club", "chat_type": "group"}
    bo = anywhere.at(user="bo", display_name="Bo", participants=["ana"], **group)
    bo.observe([{"content": "I owe the bank ninety thousand."}], extract=False)
    anywhere.at(user="ana", participants=["bo"], **group).observe([{"content": "I told the club about my divorce."}])
    anywhere.at(user="ana", chat="tea", participants=["bo"]).observe([{"content": "I told Bo about my raise."}])
    ana.observe([{"speaker": "Cleo", "content": "I broke the kitchen window."}], extract=False)
    for text in ("The tulips are red ones.", "The roses come in May.", "The shed wants new paint."):
        say(ana, text)
    clock.advance(minutes=1)
    work(anywhere)
    rolling = ana.state().rolling_summary
    assert "forty tulips" in rolling
    assert not any(word in rolling for word in ("ninety", "divorce", "raise"))
    assert "Cleo: I broke the kitchen window." in rolling
    assert any("Cleo: I broke" in line for line in section(ana.context("window"), "rolling"))
