"""Conformance: the transcript, the threads that hear of changes, and sessions with what lasts between them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from wellkept.errors import StoreError
from wellkept.policies import summaries, todos
from wellkept.policies.ranking.rank_messages import WEIGHTS, AskedTime, MessageQuestion
from wellkept.policies.summaries import Conversation, RollingSummary, SessionSummary, Spine, SpineLine
from wellkept.policies.todos import Intent, TodoKind, TodoStatus
from wellkept.policies.visibility import View
from wellkept.policies.words import query_terms, term_counts
from wellkept.store.contract import (
    ACTIVE_FOR,
    Changes,
    Citation,
    Citations,
    Embedded,
    Heard,
    MessageCandidate,
    MessagesBefore,
    MessageSearch,
    NewMessage,
    OfChat,
    Page,
    Place,
    Reader,
    Taking,
    TextQuery,
    Transcript,
    UnembeddedMessages,
    Unread,
    UserMessages,
    Win,
)
from wellkept.store.parts.messages import indexed_message
from wellkept.store.parts.sessions import new_session
from wellkept.testing.world import ALICE, BOB, CAROL, MODEL, NOW, Checks, raises, vector, view
from wellkept.types import Memory, Message
from wellkept.vocabulary import Kind, Space, State

DM = Place(tenant="t", user="alice", chat="dm", audience=frozenset({ALICE}))
TEAM = Place(tenant="t", user="alice", chat="team", is_group=True, audience=frozenset({ALICE, BOB}))
GROUP: dict[str, Any] = {
    "chat": "team",
    "chat_type": "group",
    "present": frozenset({ALICE, BOB}),
    "partners": frozenset(),
}
BOBS: dict[str, Any] = {
    "user": "bob",
    "person": BOB,
    "present": frozenset({BOB}),
    "partners": frozenset({BOB}),
    "spaces": (),
}


class MessagesChecks(Checks):
    """Every promise of `contract.Store`, section "Transcript"."""

    def say(self, *texts: str, place: Place = DM, **fields: Any) -> tuple[Message, ...]:  # noqa: ANN401 -- of Message
        """Store messages, in the order given."""
        return self.store.add_messages(place, [_new(text, **fields) for text in texts], model=MODEL, at=NOW)

    def found(self, text: str, *, is_stale: bool = False, **fields: Any) -> tuple[MessageCandidate, ...]:  # noqa: ANN401 -- of View
        """Candidates for a text, as a view finds them."""
        return self.store.message_candidates(_search(text, view(**fields), is_stale=is_stale))

    def rests(self, message: Message, text: str, **fields: Any) -> Memory:  # noqa: ANN401 -- of Memory
        """A memory that rests on a piece of a message."""
        memory = self.world.tell(f"Alice said: {text}", subject_person_ids=(ALICE,), stated_by=ALICE, **fields)
        start = message.content.index(text)
        cited = Citation(
            memory_id=memory.id, message_id=message.id or "", place=message.place, start=start, stop=start + len(text)
        )
        with self.store.transaction():
            self.store.keep(Citations(tenant="t", citations=(cited,)))
        return memory

    def test_a_message_is_found_by_both_arms_at_once(self) -> None:
        assert not self.store.has(Transcript(view=view()))
        noon, tea = self.say("Trains leave at noon", "I like green tea", speaker="Alice")
        assert self.store.has(Transcript(view=view()))
        assert not self.store.has(Transcript(view=view(**BOBS)))
        found = self.found("green tea")
        assert [item.message for item in found] == [tea, noon]
        assert found[0].cosine is not None
        assert found[0].share > found[1].share
        assert found[0].relevance > found[1].relevance
        by_words = self.store.message_candidates(replace(_search("alice", view(), is_stale=False), vector=None))
        assert {item.message for item in by_words} == {noon, tea}, "the speaker is among the words"
        assert self.store.messages(OfChat(place=DM, number=noon.place[1], limit=9)) == (noon,)
        assert self.store.messages(OfChat(place=DM, limit=1)) == (tea,)

    def test_what_asks_memory_is_found_by_its_time_alone(self) -> None:
        tea = self.say("I like green tea")
        asked = replace(_new("Which tea do I like?"), is_idle=True)
        idle = self.store.add_messages(DM, [asked], model=MODEL, at=NOW)
        assert [item.message for item in self.found("tea")] == [*tea]
        bare = replace(
            _search("tea", view(), is_stale=False), question=MessageQuestion(terms=(), time=AskedTime(sessions=(1, 1)))
        )
        assert {item.message for item in self.store.message_candidates(bare)} == {*tea, *idle}

    def test_an_id_is_unique_in_its_chat_and_the_same_again_is_nothing(self) -> None:
        first = self.say("one", id="a") + self.say("two", id="b")
        assert self.say("other words", "three", id="a") == ()
        elsewhere = self.say("four", id="a", place=replace(DM, chat="dm2"))
        coach = self.say("five", id="a", place=replace(DM, persona="coach"))
        bobs = self.say("six", id="a", place=Place(tenant="t", user="bob", chat="dm", audience=frozenset({BOB})))
        assert [len(stored) for stored in (elsewhere, coach, bobs)] == [1, 1, 1]
        heard = self.store.messages(Heard(view=view(chat="dm"), page=Page(chat="dm")))
        assert [message.content for message in heard] == ["one", "two"]
        assert len({message.place for message in (*first, *elsewhere, *coach, *bobs)}) == 5

    def test_a_long_message_is_found_by_any_of_its_pieces(self) -> None:
        texts = ("Trains leave at noon.", "I like green tea.")
        message = Message(content=" ".join(texts))
        rows = _rows(*texts)
        self.store.add_messages(
            DM, [NewMessage(message=message, terms=term_counts(message.content), vectors=rows)], model=MODEL, at=NOW
        )
        for text in texts:
            found = self.store.message_candidates(
                replace(_search(text, view(), is_stale=False), question=MessageQuestion(terms=()))
            )
            assert len(found) == 1
            assert (found[0].cosine or 0.0) > 0.99

    def test_who_may_read_what(self) -> None:
        self.say("tea alone")
        self.say("tea with the coach", place=replace(DM, persona="coach"))
        self.say("tea in the team", place=TEAM)
        self.say("tea of bob", place=Place(tenant="t", user="bob", chat="dm", audience=frozenset({BOB})))
        self.say("tea in secret", confidential=True)
        texts = {
            "alice": self._texts(chat="dm"),
            "elsewhere": self._texts(chat="dm9"),
            "coach": self._texts(chat="dm", persona="coach"),
            "bob": self._texts(chat="dm", **BOBS),
            "group": self._texts(**GROUP),
            "listened": self._texts(chat="dm", present=frozenset({ALICE, BOB}), partners=frozenset({BOB})),
            "carol": self._texts(**BOBS | {"user": "carol", "person": CAROL, "present": frozenset({CAROL})}),
            "agent": self._texts(chat="dm", categories=frozenset({"tasks"})),
        }
        assert texts == {
            "alice": {"tea alone", "tea in the team", "tea in secret"},
            "elsewhere": {"tea alone", "tea in the team"},
            "coach": {"tea with the coach", "tea in the team"},
            "bob": {"tea of bob", "tea in the team"},
            "group": {"tea in the team"},
            "listened": {"tea in the team"},
            "carol": set(),
            "agent": set(),
        }

    def test_a_group_is_heard_from_while_one_took_part(self) -> None:
        self.say("tea one", place=TEAM)
        self.say("tea two", place=replace(TEAM, audience=frozenset({ALICE})))
        self.say("tea three", place=replace(TEAM, audience=frozenset({ALICE, BOB, CAROL})))
        assert self._texts(**BOBS) == {"tea one", "tea three"}
        self.world.person(CAROL, "Carol", merged_into=BOB)
        self.world.person(BOB, "Bob")
        assert self._texts(**BOBS) == {"tea one", "tea three"}

    def test_what_nobody_else_heard_is_listed_by_itself(self) -> None:
        self.say("tea alone")
        self.say("tea for two", place=replace(DM, audience=frozenset({ALICE, BOB})))
        self.say("tea for all", place=TEAM)
        heard = self.store.messages(Heard(view=view(), page=Page(is_alone=True)))
        assert [message.content for message in heard] == ["tea alone"]
        self.world.person(ALICE, "Alice")
        self.world.person(BOB, "Bob", merged_into=ALICE)
        heard = self.store.messages(Heard(view=view(), page=Page(is_alone=True)))
        assert [message.content for message in heard] == ["tea alone", "tea for two"]

    def test_a_span_leaves_with_the_memory_that_rests_on_it(self) -> None:
        (message,) = self.say("I live in Boston. I love jazz.")
        memory = self.rests(message, "I live in Boston.")
        assert self._texts("boston") == {message.content}
        self.world.archive(memory)
        assert self._texts("jazz") == {"I love jazz."}
        assert self.store.message_candidates(replace(_search("boston", view(), is_stale=False), vector=None)) == ()
        assert [one.content for one in self.store.messages(Heard(view=view(), page=Page()))] == ["I love jazz."]
        self.store.purge("t", memory.id, self.world.change(memory, "delete").entry, at=NOW)
        assert self._texts("jazz") == {"I love jazz."}

    def test_what_is_replaced_or_over_is_shown_on_request_and_marked(self) -> None:
        (message,) = self.say("I live in Boston.")
        memory = self.rests(message, "I live in Boston.")
        self.world.amend(memory, state="superseded", superseded_at=NOW)
        assert self.found("boston") == ()
        assert [item.is_stale for item in self.found("boston", is_stale=True)] == [True]
        (other,) = self.say("The gate is B12.")
        self.rests(other, "The gate is B12.", expires_at=NOW + timedelta(hours=1))
        assert self._texts("gate") == {"The gate is B12."}
        later = NOW + timedelta(hours=2)
        assert self._texts("gate", now=later) == set()
        assert [item.is_stale for item in self.found("gate", now=later, is_stale=True)][:1] == [True]
        (gone,) = self.say("My number is 12.")
        self.world.archive(self.rests(gone, "My number is 12."))
        assert "My number is 12." not in {item.message.content for item in self.found("number", is_stale=True)}

    def test_an_overheard_event_that_is_over_was_said_all_the_same(self) -> None:
        later, soon = NOW + timedelta(hours=2), NOW + timedelta(hours=1)
        (message,) = self.say("The art show is in an hour.")
        event = self.rests(message, message.content, type="event", origin="shadow_extraction", expires_at=soon)
        assert self._texts("show", now=later) == {message.content}
        self.world.amend(event, state="superseded", superseded_at=NOW)
        assert self._texts("show", now=later) == set()
        (asked,) = self.say("Keep the opera in mind for an hour.")
        self.rests(asked, asked.content, type="event", expires_at=soon)
        (passing,) = self.say("The queue is long.")
        self.rests(passing, passing.content, type="context", origin="shadow_extraction", expires_at=soon)
        assert self._texts("opera", now=later) == self._texts("queue", now=later) == set()

    def test_others_words_cannot_be_felt(self) -> None:
        self.say("I like green tea", "Trains leave at noon")
        alone = self.found("green tea")
        bobs = Place(tenant="t", user="bob", chat="dm", audience=frozenset({BOB}))
        self.say("green tea green tea", "green", "tea", place=bobs)
        self.say("green tea", place=replace(TEAM, audience=frozenset({BOB})))
        assert self.found("green tea") == alone

    def test_pages_go_back_in_time_and_neighbours_stand_beside(self) -> None:
        said = self.say(*(f"number {number}" for number in range(6)), session_id="s1")
        other = self.say("elsewhere", place=replace(DM, chat="dm2"))
        last = self.store.messages(Heard(view=view(), page=Page(chat="dm", limit=2)))
        assert last == said[4:]
        assert self.store.messages(Heard(view=view(), page=Page(chat="dm", limit=2, before=last[0]))) == said[2:4]
        assert self.store.messages(Heard(view=view(), page=Page(session="s1"))) == said
        beside = self.store.neighbours(view(), [said[2], said[5], *other])
        assert beside == {said[2].place: (said[1], said[3]), said[5].place: (said[4],), other[0].place: ()}

    def test_chats_are_counted_by_day_for_those_who_may_read_them(self) -> None:
        later = NOW + timedelta(days=1)
        tea, _ = self.say("I like green tea", "Trains leave at noon", at=NOW)
        self.say("Tomorrow it rains", at=later)
        self.say("We meet at nine", place=TEAM, at=NOW)
        memory = self.rests(tea, "green tea")
        days = self.store.chat_days("t", view(), chat="dm", limit=9)
        assert [(one.day, one.chat, one.user, one.messages) for one in days] == [
            (later.date(), "dm", "alice", 1),
            (NOW.date(), "dm", "alice", 2),
        ]
        assert days[1].first_at == NOW
        assert self.store.memory_ids(days[1]) == (memory.id,)
        assert self.store.memory_ids(days[0]) == ()
        assert {one.chat for one in self.store.chat_days("t", view(**BOBS), chat=None, limit=9)} == {"team"}
        assert len(self.store.chat_days("t", None, chat=None, limit=9)) == 3
        assert len(self.store.chat_days("t", None, chat=None, limit=1)) == 1
        assert self.store.chat_days("u", None, chat=None, limit=9) == ()

    def test_what_rests_on_messages_is_found_from_them(self) -> None:
        tea, noon = self.say("I like green tea", "Trains leave at noon")
        memory = self.rests(tea, "green tea")
        (cited,) = self.store.citations("t", messages=[tea, noon])
        assert (cited.memory_id, cited.start, cited.stop) == (memory.id, 7, 16)
        assert self.store.citations("t", messages=[noon]) == self.store.citations("t", messages=[]) == ()

    def test_a_message_waits_until_one_reader_has_read_it(self) -> None:
        waiting = [replace(_new(text), is_waiting=True) for text in ("one", "two")]
        stored = self.store.add_messages(DM, waiting, model=MODEL, at=NOW)
        self.say("elsewhere", place=replace(DM, chat="dm2"))
        self.say("only recorded")
        assert self.store.messages(OfChat(place=DM, is_waiting=True, limit=9)) == stored
        with raises(ZeroDivisionError), self.store.transaction():
            assert self.store.drop(Unread(message=stored[0]))
            _ = 1 / 0
        assert [self.store.drop(Unread(message=stored[0])), self.store.drop(Unread(message=stored[0]))] == [True, False]
        assert self.store.messages(OfChat(place=DM, is_waiting=True, limit=9)) == stored[1:]

    def test_allowances_are_by_day_and_owner(self) -> None:
        store, day = self.world.store, NOW.date()
        used = [store.tally("t", "facts", owner, day=day, add=3) for owner in ("alice", "alice", "bob")]
        assert used == [3, 6, 3]
        assert store.tally("t", "facts", "alice", day=day + timedelta(days=2), add=1) == 1
        assert [store.tally("t", "facts", owner, day=day) for owner in ("alice", "bob")] == [0, 3]

    def test_messages_without_a_vector_wait_and_removed_ones_are_gone(self) -> None:
        item = replace(_new("I like tea"), vectors=None)
        (message,) = self.store.add_messages(DM, [item], model=None, at=NOW)
        assert self.store.messages(UnembeddedMessages(tenant="t", model=MODEL, limit=9)) == (message,)
        self.store.keep(Embedded(said=message, vectors=vector("I like tea")[None, :], model=MODEL))
        assert self.store.messages(UnembeddedMessages(tenant="t", model=MODEL, limit=9)) == ()
        before = self.found("tea")
        assert before[0].cosine is not None
        assert self.store.repair("t", "wrong_words") == 1
        assert self.found("tea") == before
        assert self.store.erase("t", "alice")["messages"] == 1
        assert self.found("tea") == ()
        assert self.store.messages(OfChat(place=DM, limit=9)) == ()

    def test_old_messages_are_dropped_the_oldest_first(self) -> None:
        store, later = self.world.store, NOW + timedelta(days=1)
        store.add_messages(DM, [_new("I like green tea", id="a"), _new("And black tea", id="b")], model=MODEL, at=NOW)
        store.add_messages(DM, [_new("No more tea", id="c")], model=MODEL, at=later)
        assert store.drop(MessagesBefore(tenant="u", until=later, limit=9)) == 0
        assert store.drop(MessagesBefore(tenant="t", until=later, limit=1)) == 1
        assert [one.id for one in store.messages(OfChat(place=DM, limit=9))] == ["b", "c"]
        assert store.drop(MessagesBefore(tenant="t", until=later, limit=9)) == 1
        assert self._texts() == {"No more tea"}

    def _texts(self, text: str = "tea", **fields: Any) -> set[str]:  # noqa: ANN401 -- of View
        return {item.message.content for item in self.found(text, **fields)}


def _new(text: str, **fields: Any) -> NewMessage:  # noqa: ANN401 -- of Message
    message = Message(content=text, **fields)
    return NewMessage(message=message, terms=term_counts(indexed_message(message)), vectors=_rows(text))


def _rows(*texts: str) -> Any:  # noqa: ANN401 -- an array; NumPy has no place among the imports of a contract
    import numpy as np

    return np.stack([vector(text) for text in texts])


def _search(text: str, asker: View, *, is_stale: bool) -> MessageSearch:
    question = MessageQuestion(terms=tuple(query_terms(text)))
    return MessageSearch(
        view=asker, question=question, weights=WEIGHTS, vector=vector(text), model=MODEL, include_stale=is_stale
    )


KEEP = 50


class ThreadsChecks(Checks):
    """Needs `self.world`."""

    def reader(self, thread: str = "t1", **fields: Any) -> Reader:  # noqa: ANN401 -- fields of Reader
        """Alice in a thread."""
        return Reader(**{"tenant": "t", "user": "alice", "thread": thread} | fields)

    def take(self, reader: Reader, **fields: Any) -> Changes:  # noqa: ANN401 -- fields of View
        """What the reader has not been told."""
        return self.store.changes(view(**fields), reader, taken=Taking(at=NOW, keep_turns=KEEP))

    def write(self, memory: Memory, op: Any = "create", **fields: Any) -> Memory:  # noqa: ANN401 -- fields of Entry
        """Store a memory, new when it was created."""
        change = self.world.change(memory, op, is_new=op == "create")
        entry = replace(change.entry, **fields)
        self.store.apply([replace(change, entry=entry)], at=NOW)
        return memory

    def test_a_thread_is_told_of_each_change_once_and_in_order(self) -> None:
        one = self.reader()
        self.take(one)
        first, second = self.world.tell("Alice likes tea."), self.world.tell("Alice likes coffee.")
        self.world.amend(first, pinned=True)
        peeked = self.store.changes(view(), one)
        told = self.take(one)
        assert told == peeked
        assert [(item.rev, item.event, item.memory_id) for item in told.changes] == [
            (1, "created", first.id),
            (2, "created", second.id),
            (3, "updated", first.id),
        ]
        again = self.take(one)
        assert (again.since, again.changes) == (3, ())
        self.world.archive(second)
        (gone,) = self.take(one).changes
        assert (gone.rev, gone.event, gone.is_live) == (4, "deleted", False)

    def test_each_agent_has_a_mark_of_its_own(self) -> None:
        self.take(self.reader())
        self.world.tell()
        assert len(self.take(self.reader(agent="planner")).changes) == 1
        assert len(self.take(self.reader(agent="stylist")).changes) == 1
        assert len(self.take(self.reader(agent="planner")).changes) == 0

    def test_a_change_elsewhere_reaches_the_active_threads_of_the_user_and_persona(self) -> None:
        readers = {
            "same": self.reader("t1", persona="Coach"),
            "other": self.reader("t2", persona="Chef"),
            "idle": self.reader("t3", persona="Coach"),
            "bob": self.reader("t1", user="bob", persona="Coach"),
        }
        for name, reader in readers.items():
            at = NOW - ACTIVE_FOR - timedelta(days=1) if name == "idle" else NOW
            self.store.changes(view(), reader, taken=Taking(at=at, keep_turns=KEEP))
        self.write(self.world.draft(), persona="Coach")
        assert {name: len(self.store.changes(view(), reader).changes) for name, reader in readers.items()} == {
            "same": 1,
            "other": 0,
            "idle": 0,
            "bob": 0,
        }
        self.write(self.world.draft("Alice likes figs."))
        assert [len(self.store.changes(view(), readers[name]).changes) for name in ("same", "other")] == [2, 1]

    def test_a_change_in_a_thread_makes_it_known_and_a_chat_shares_it(self) -> None:
        self.write(self.world.draft(), thread="t9")
        assert len(self.store.changes(view(), self.reader("t9")).changes) == 1
        self.take(self.reader("t9", user="bob"))
        self.write(self.world.draft("Lunch is at noon.", scope=(Space.CHAT, "g")), thread="t9", actor="alice")
        shown = self.store.changes(view(user="bob", spaces=((Space.CHAT, "g"),)), self.reader("t9", user="bob"))
        assert [item.event for item in shown.changes] == ["created"]

    def test_what_the_reader_may_not_see_is_not_told_and_not_counted(self) -> None:
        one = self.reader(persona="Chef")
        self.take(one)
        self.world.tell(persona_id="Coach")
        self.world.tell("Alice has steps.", kind=Kind.PROCEDURAL, category="procedural")
        self.world.tell("Alice has a goal.", category="goals")
        assert len(self.take(one, persona="Chef", categories=frozenset({"tasks"})).changes) == 0
        self.world.tell("Alice has a task.", category="tasks")
        told = self.take(one, persona="Chef", categories=frozenset({"tasks"}))
        assert (told.since, [item.category for item in told.changes]) == (0, ["tasks"])

    def test_a_replacement_is_one_update_and_an_end_without_one_a_deletion(self) -> None:
        one = self.reader()
        self.take(one)
        old = self.world.tell("Alice lives in Rome.")
        ended = self.world.tell("Alice rows.")
        self.take(one)
        self.world.amend(old, state=State.SUPERSEDED, superseded_by="m_new", superseded_at=NOW)
        assert self.take(one).changes == ()
        self.world.amend(ended, state=State.SUPERSEDED, superseded_at=NOW)
        assert [item.event for item in self.take(one).changes] == ["deleted"]

    def test_a_purged_memory_is_told_of_without_its_words(self) -> None:
        one = self.reader()
        self.take(one)
        memory = self.world.tell(category="goals")
        closed = self.world.tell("Alice has a secret.", confidential=True)
        self.take(one)
        for gone in (memory, closed):
            self.store.purge("t", gone.id, self.world.change(gone, "delete").entry, at=NOW)
        assert [(item.event, item.category, item.is_live) for item in self.take(one).changes] == [
            ("deleted", "goals", False)
        ]

    def test_old_turns_are_dropped(self) -> None:
        store, planner, stylist = self.world.store, self.reader(agent="planner"), self.reader(agent="stylist")
        self.take(planner)
        self.world.tell()
        for number in range(4):
            store.changes(view(), planner, taken=Taking(at=NOW, keep_turns=3))
            self.world.tell(f"Alice likes tea {number}.")
        late = store.changes(view(), stylist, taken=Taking(at=NOW, keep_turns=3))
        assert [item.rev for item in late.changes] == [3, 4, 5]

    def test_nothing_of_a_failed_write_is_told(self) -> None:
        one = self.reader()
        self.take(one)
        try:
            with self.store.transaction():
                self.world.tell()
                raise KeyError  # noqa: TRY301 -- the transaction is what fails
        except KeyError:
            pass
        assert self.take(one).changes == ()


COACH = Conversation(tenant="t", owner="alice", persona="Coach")
CHEF = replace(COACH, persona="Chef")
NOBODY = replace(COACH, persona=None)
OF_BOB = replace(COACH, owner="bob")
WALK = Intent(kind=TodoKind.COMMITMENT, text="Go for a walk", key="walk", due_at=NOW + timedelta(days=1))


class SessionsChecks(Checks):
    """Needs `self.world`."""

    def test_sessions_are_numbered_in_their_conversation(self) -> None:
        first = new_session(COACH, None, at=NOW)
        assert (first.number, first.turn_count, first.ended_at) == (1, 1, None)
        later = NOW + timedelta(minutes=5)
        self.store.keep_in(COACH, replace(first, last_activity_at=later, turn_count=2))
        self.store.keep_in(COACH, summaries.ended_session(replace(first, last_activity_at=later, turn_count=2)))
        second = new_session(COACH, first, at=NOW + timedelta(hours=1))
        self.store.keep_in(COACH, second)
        assert self.store.sessions(COACH, limit=9) == (
            second,
            replace(first, last_activity_at=later, ended_at=later, turn_count=2),
        )
        assert self.store.sessions(COACH, limit=1) == (second,)
        assert self.store.session("t", first.id) == (COACH, self.store.sessions(COACH, limit=9)[1])
        for other in (CHEF, NOBODY, OF_BOB):
            assert self.store.sessions(other, limit=1) == ()
            assert new_session(other, None, at=NOW).id not in {first.id, second.id}

    def test_state_lasts_and_counts_over_personas(self) -> None:
        assert self.store.state(COACH) == summaries.SessionState()
        told = summaries.SessionState(
            message_count=3,
            last_interaction=NOW,
            last_user_message="hello",
            curator={"last_memory_count_at_run": 4},
            last_rolling_attempt_at=NOW,
            last_rolling_error={"reason": "judge_failed", "detail": "timeout"},
        )
        self.store.keep_in(COACH, told)
        self.store.keep_in(CHEF, replace(told, message_count=2))
        self.store.keep_in(OF_BOB, told)
        assert self.store.state(COACH) == told
        assert self.store.count(UserMessages(tenant="t", owner="alice")) == 5

    def test_every_version_of_a_summary_is_kept(self) -> None:
        self.store.keep_in(COACH, summaries.SessionState(message_count=8, last_interaction=NOW))
        for number, text in enumerate(("one", "two"), start=1):
            self.store.keep_in(COACH, RollingSummary(version=0, at=NOW, message_count=4 * number, content=text))
        assert self.store.state(COACH).rolling_summary == "two"
        assert [
            (one.version, one.message_count, one.content) for one in self.store.summaries(COACH, RollingSummary)[::-1]
        ] == [
            (1, 4, "one"),
            (2, 8, "two"),
        ]
        assert self.store.summaries(CHEF, RollingSummary)[::-1] == ()
        for version in (1, 2):
            content = {"PROFILE": (SpineLine(memory_id="m_1", text=f"Fact {version}"),)}
            spine = Spine(version=version, at=NOW, message_count=20, total=20 * version, content=content)
            self.store.keep_in(Conversation(tenant="t", owner="alice"), spine)
        newest, oldest = self.store.summaries(Conversation(tenant="t", owner="alice"), Spine, limit=9)
        assert (newest.version, oldest.version, newest.conversation_id) == (2, 1, "default")
        assert newest.content["PROFILE"][0].text == "Fact 2"

    def test_a_session_has_one_summary_that_may_be_made_again(self) -> None:
        failed = SessionSummary(session_id="s_1", at=NOW, error={"reason": "judge_failed", "detail": "x"})
        self.store.keep_in(COACH, failed)
        assert self.store.summaries(COACH, SessionSummary, session="s_1") == (failed,)
        made = SessionSummary(
            session_id="s_1", at=NOW, one_liner="Walks", what_mattered=("Walking",), people=("Bo",), tone="calm"
        )
        self.store.keep_in(COACH, made)
        assert self.store.summaries(COACH, SessionSummary) == (made,)
        assert self.store.summaries(CHEF, SessionSummary, limit=1) == ()

    def test_an_open_todo_is_there_once_and_only_for_its_persona(self) -> None:
        todo = self.store.add_todo(COACH, WALK, at=NOW, session_id="s_1")
        with raises(StoreError):
            self.store.add_todo(COACH, WALK, at=NOW, session_id=None)
        assert self.store.todos(COACH, TodoStatus.PENDING, limit=9) == (todo,)
        assert self.store.todos(CHEF, None, limit=9) == self.store.todos(OF_BOB, None, limit=9) == ()
        done = todos.ended(todo, "done", now=NOW)
        self.store.keep(done)
        self.store.keep(Win(todo=done, at=NOW))
        assert self.store.todos(COACH, None, limit=9) == (done,)
        assert self.store.todos(COACH, TodoStatus.PENDING, limit=9) == ()
        assert self.store.todos(COACH, None, done_since=NOW - timedelta(hours=1), limit=3) == (done,)
        assert self.store.todos(COACH, None, done_since=NOW + timedelta(hours=1), limit=3) == ()
        assert self.store.todos(CHEF, None, done_since=NOW - timedelta(hours=1), limit=3) == ()
        assert self.store.add_todo(COACH, WALK, at=NOW, session_id=None).id != todo.id

    def test_words_of_what_is_no_longer_live_are_told_to_summaries(self) -> None:
        kept, gone = self.world.tell("Alice likes tea."), self.world.tell("Alice likes rum.", quote="I like rum")
        self.world.archive(gone, "forgotten")
        assert list(self.store.texts(TextQuery(tenant="t", user="alice", kind="retired", limit=9))) == [
            "Alice likes rum.",
            "I like rum",
        ]
        assert kept.content not in tuple(self.store.texts(TextQuery(tenant="t", user="alice", kind="retired", limit=9)))
        assert tuple(self.store.texts(TextQuery(tenant="t", user="nobody", kind="retired", limit=9))) == ()

    def test_everything_of_a_user_can_be_erased(self) -> None:
        for conversation in (COACH, OF_BOB):
            self.store.keep_in(conversation, new_session(conversation, None, at=NOW))
            self.store.keep_in(conversation, summaries.SessionState(message_count=1, last_interaction=NOW))
            self.store.keep_in(conversation, RollingSummary(version=0, at=NOW, message_count=1, content="text"))
            self.store.keep_in(conversation, SessionSummary(session_id=f"s_{conversation.owner}", at=NOW))
            self.store.keep_in(
                Conversation(tenant="t", owner=conversation.owner), Spine(version=1, at=NOW, message_count=1, total=1)
            )
            todo = self.store.add_todo(conversation, WALK, at=NOW, session_id=None)
            self.store.keep(Win(todo=todo, at=NOW))
            reader = Reader(tenant="t", user=conversation.owner, thread="t1")
            self.store.changes(view(), reader, taken=Taking(at=NOW, keep_turns=KEEP))
        removed = self.store.erase("t", "alice")
        assert {table for table, count in removed.items() if count == 1} >= {"todos", "wins", "spines", "sessions"}
        assert self.store.state(COACH) == summaries.SessionState()
        assert self.store.state(OF_BOB).message_count == 1
        assert len(self.store.todos(OF_BOB, None, limit=9)) == 1
