"""Checks of the conformance suite: sessions, what lasts between them, summaries in versions, and todos."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.errors import StoreError
from wellkept.policies.sessions import boundaries, todos
from wellkept.policies.sessions.boundaries import Conversation, SessionSummary, Spine, SpineLine, State
from wellkept.policies.sessions.todos import Intent, TodoKind, TodoStatus
from wellkept.store.contract.threads import Reader
from wellkept.testing.world import NOW, raises

if TYPE_CHECKING:
    from wellkept.testing.world import World

COACH = Conversation(tenant="t", owner="alice", persona="Coach")
CHEF = replace(COACH, persona="Chef")
NOBODY = replace(COACH, persona=None)
BOB = replace(COACH, owner="bob")
WALK = Intent(kind=TodoKind.COMMITMENT, text="Go for a walk", key="walk", due_at=NOW + timedelta(days=1))


class SessionsChecks:
    """Needs `self.world`."""

    world: World

    def test_sessions_are_numbered_in_their_conversation(self) -> None:
        store = self.world.store
        first = store.open_session(COACH, at=NOW)
        assert (first.number, first.turn_count, first.ended_at) == (1, 1, None)
        later = NOW + timedelta(minutes=5)
        store.save_session(COACH, replace(first, last_activity_at=later, turn_count=2))
        store.save_session(COACH, boundaries.ended(replace(first, last_activity_at=later, turn_count=2)))
        second = store.open_session(COACH, at=NOW + timedelta(hours=1))
        assert store.sessions(COACH, limit=9) == (
            second,
            replace(first, last_activity_at=later, ended_at=later, turn_count=2),
        )
        assert store.last_session(COACH) == second
        assert store.session("t", first.id) == (COACH, store.sessions(COACH, limit=9)[1])
        for other in (CHEF, NOBODY, BOB):
            assert store.last_session(other) is None
            assert store.open_session(other, at=NOW).id not in {first.id, second.id}

    def test_state_lasts_and_counts_over_personas(self) -> None:
        store = self.world.store
        assert store.state(COACH) == State()
        told = State(
            message_count=3,
            last_interaction=NOW,
            last_user_message="hello",
            curator={"last_memory_count_at_run": 4},
            last_rolling_attempt_at=NOW,
            last_rolling_error={"reason": "judge_failed", "detail": "timeout"},
        )
        store.save_state(COACH, told)
        store.save_state(CHEF, replace(told, message_count=2))
        store.save_state(BOB, told)
        assert store.state(COACH) == told
        assert store.message_total("t", "alice") == 5

    def test_every_version_of_a_summary_is_kept(self) -> None:
        store = self.world.store
        store.save_state(COACH, State(message_count=8, last_interaction=NOW))
        for number, text in enumerate(("one", "two"), start=1):
            store.add_rolling(COACH, text, message_count=4 * number, at=NOW)
        assert store.state(COACH).rolling_summary == "two"
        assert [(one.version, one.message_count, one.content) for one in store.rolling_versions(COACH)] == [
            (1, 4, "one"),
            (2, 8, "two"),
        ]
        assert store.rolling_versions(CHEF) == ()
        for version in (1, 2):
            content = {"PROFILE": (SpineLine(memory_id="m_1", text=f"Fact {version}"),)}
            spine = Spine(version=version, at=NOW, message_count=20, total=20 * version, content=content)
            store.add_spine("t", "alice", spine)
        newest, oldest = store.spines("t", "alice", limit=9)
        assert (newest.version, oldest.version, newest.conversation_id) == (2, 1, "default")
        assert newest.content["PROFILE"][0].text == "Fact 2"

    def test_a_session_has_one_summary_that_may_be_made_again(self) -> None:
        store = self.world.store
        failed = SessionSummary(session_id="s_1", at=NOW, error={"reason": "judge_failed", "detail": "x"})
        store.put_summary(COACH, failed)
        assert store.summary("t", "s_1") == failed
        made = SessionSummary(
            session_id="s_1", at=NOW, one_liner="Walks", what_mattered=("Walking",), people=("Bo",), tone="calm"
        )
        store.put_summary(COACH, made)
        assert store.latest_summary(COACH) == store.summary("t", "s_1") == made
        assert store.latest_summary(CHEF) is None

    def test_an_open_todo_is_there_once_and_only_for_its_persona(self) -> None:
        store = self.world.store
        todo = store.add_todo(COACH, WALK, at=NOW, session_id="s_1")
        with raises(StoreError):
            store.add_todo(COACH, WALK, at=NOW, session_id=None)
        assert store.todos(COACH, TodoStatus.PENDING, limit=9) == (todo,)
        assert store.todos(CHEF, None, limit=9) == store.todos(BOB, None, limit=9) == ()
        done = todos.ended(todo, "done", now=NOW)
        store.save_todo(done)
        store.add_win(done, at=NOW)
        assert store.todo("t", todo.id) == done
        assert store.todos(COACH, TodoStatus.PENDING, limit=9) == ()
        assert store.wins(COACH, since=NOW - timedelta(hours=1), limit=3) == ((done, NOW),)
        assert store.wins(COACH, since=NOW + timedelta(hours=1), limit=3) == ()
        assert store.wins(CHEF, since=NOW - timedelta(hours=1), limit=3) == ()
        assert store.add_todo(COACH, WALK, at=NOW, session_id=None).id != todo.id

    def test_words_of_what_is_no_longer_live_are_told_to_summaries(self) -> None:
        kept, gone = self.world.tell("Alice likes tea."), self.world.tell("Alice likes rum.", quote="I like rum")
        self.world.archive(gone, "forgotten")
        assert list(self.world.store.retired_words("t", "alice", limit=9)) == ["Alice likes rum.", "I like rum"]
        assert kept.content not in self.world.store.retired_words("t", "alice", limit=9)
        assert self.world.store.retired_words("t", "nobody", limit=9) == ()

    def test_everything_of_a_user_can_be_erased(self) -> None:
        store = self.world.store
        for conversation in (COACH, BOB):
            store.open_session(conversation, at=NOW)
            store.save_state(conversation, State(message_count=1, last_interaction=NOW))
            store.add_rolling(conversation, "text", message_count=1, at=NOW)
            store.put_summary(conversation, SessionSummary(session_id=f"s_{conversation.owner}", at=NOW))
            store.add_spine("t", conversation.owner, Spine(version=1, at=NOW, message_count=1, total=1))
            todo = store.add_todo(conversation, WALK, at=NOW, session_id=None)
            store.add_win(todo, at=NOW)
            store.join_thread(Reader(tenant="t", user=conversation.owner, thread="t1"), at=NOW)
        removed = store.erase_conversations("t", "alice")
        assert {table for table, count in removed.items() if count == 1} >= {"todos", "wins", "spines", "sessions"}
        assert store.state(COACH) == State()
        assert store.state(BOB).message_count == 1
        assert len(store.todos(BOB, None, limit=9)) == 1
