"""Conformance: the transcript. A matrix proves the rule itself; here stands what every read makes of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from wellkept.policies.ranking.asked import AskedTime
from wellkept.policies.ranking.message_question import MessageQuestion
from wellkept.policies.ranking.rank_messages import WEIGHTS
from wellkept.policies.text.words import query_terms, term_counts
from wellkept.policies.visibility.memories import View
from wellkept.store.contract.messages import Citation, MessageCandidate, MessageSearch, NewMessage, Page, Place
from wellkept.store.parts.messages import indexed_message
from wellkept.testing.world import ALICE, BOB, CAROL, MODEL, NOW, World, raises, vector, view
from wellkept.types import Memory, Message

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


class MessagesChecks:
    """Every promise of `contract.messages.Messages`."""

    world: World

    def say(self, *texts: str, place: Place = DM, **fields: Any) -> tuple[Message, ...]:  # noqa: ANN401 -- of Message
        """Store messages, in the order given."""
        return self.world.store.add_messages(place, [_new(text, **fields) for text in texts], model=MODEL, at=NOW)

    def found(self, text: str, *, is_stale: bool = False, **fields: Any) -> tuple[MessageCandidate, ...]:  # noqa: ANN401 -- of View
        """Candidates for a text, as a view finds them."""
        return self.world.store.message_candidates(_search(text, view(**fields), is_stale=is_stale))

    def rests(self, message: Message, text: str, **fields: Any) -> Memory:  # noqa: ANN401 -- of Memory
        """A memory that rests on a piece of a message."""
        memory = self.world.tell(f"Alice said: {text}", subject_person_ids=(ALICE,), stated_by=ALICE, **fields)
        start = message.content.index(text)
        cited = Citation(
            memory_id=memory.id, message_id=message.id or "", place=message.place, start=start, stop=start + len(text)
        )
        with self.world.store.transaction():
            self.world.store.cite("t", [cited])
        return memory

    def test_a_message_is_found_by_both_arms_at_once(self) -> None:
        assert not self.world.store.has_transcript(view())
        noon, tea = self.say("Trains leave at noon", "I like green tea", speaker="Alice")
        assert self.world.store.has_transcript(view())
        assert not self.world.store.has_transcript(view(**BOBS))
        found = self.found("green tea")
        assert [item.message for item in found] == [tea, noon]
        assert found[0].cosine is not None
        assert found[0].share > found[1].share
        assert found[0].relevance > found[1].relevance
        by_words = self.world.store.message_candidates(replace(_search("alice", view(), is_stale=False), vector=None))
        assert {item.message for item in by_words} == {noon, tea}, "the speaker is among the words"
        assert self.world.store.messages_before(DM, noon.place[1], limit=9) == (noon,)
        assert self.world.store.messages_before(DM, None, limit=1) == (tea,)

    def test_what_asks_memory_is_found_by_its_time_alone(self) -> None:
        tea = self.say("I like green tea")
        asked = replace(_new("Which tea do I like?"), is_idle=True)
        idle = self.world.store.add_messages(DM, [asked], model=MODEL, at=NOW)
        assert [item.message for item in self.found("tea")] == [*tea]
        bare = replace(
            _search("tea", view(), is_stale=False), question=MessageQuestion(terms=(), time=AskedTime(sessions=(1, 1)))
        )
        assert {item.message for item in self.world.store.message_candidates(bare)} == {*tea, *idle}

    def test_an_id_is_unique_in_its_chat_and_the_same_again_is_nothing(self) -> None:
        first = self.say("one", id="a") + self.say("two", id="b")
        assert self.say("other words", "three", id="a") == ()
        elsewhere = self.say("four", id="a", place=replace(DM, chat="dm2"))
        coach = self.say("five", id="a", place=replace(DM, persona="coach"))
        bobs = self.say("six", id="a", place=Place(tenant="t", user="bob", chat="dm", audience=frozenset({BOB})))
        assert [len(stored) for stored in (elsewhere, coach, bobs)] == [1, 1, 1]
        heard = self.world.store.heard(view(chat="dm"), Page(chat="dm"))
        assert [message.content for message in heard] == ["one", "two"]
        assert len({message.place for message in (*first, *elsewhere, *coach, *bobs)}) == 5

    def test_a_long_message_is_found_by_any_of_its_pieces(self) -> None:
        texts = ("Trains leave at noon.", "I like green tea.")
        message = Message(content=" ".join(texts))
        rows = _rows(*texts)
        self.world.store.add_messages(
            DM, [NewMessage(message=message, terms=term_counts(message.content), vectors=rows)], model=MODEL, at=NOW
        )
        for text in texts:
            found = self.world.store.message_candidates(
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
        heard = self.world.store.heard(view(), Page(is_alone=True))
        assert [message.content for message in heard] == ["tea alone"]
        self.world.person(ALICE, "Alice")
        self.world.person(BOB, "Bob", merged_into=ALICE)
        heard = self.world.store.heard(view(), Page(is_alone=True))
        assert [message.content for message in heard] == ["tea alone", "tea for two"]

    def test_a_span_leaves_with_the_memory_that_rests_on_it(self) -> None:
        (message,) = self.say("I live in Boston. I love jazz.")
        memory = self.rests(message, "I live in Boston.")
        assert self._texts("boston") == {message.content}
        self.world.archive(memory)
        assert self._texts("jazz") == {"I love jazz."}
        assert (
            self.world.store.message_candidates(replace(_search("boston", view(), is_stale=False), vector=None)) == ()
        )
        assert [one.content for one in self.world.store.heard(view(), Page())] == ["I love jazz."]
        self.world.store.purge("t", memory.id, self.world.change(memory, "delete").entry, at=NOW)
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
        store = self.world.store
        last = store.heard(view(), Page(chat="dm", limit=2))
        assert last == said[4:]
        assert store.heard(view(), Page(chat="dm", limit=2, before=last[0])) == said[2:4]
        assert store.heard(view(), Page(session="s1")) == said
        beside = store.neighbours(view(), [said[2], said[5], *other])
        assert beside == {said[2].place: (said[1], said[3]), said[5].place: (said[4],), other[0].place: ()}

    def test_a_message_waits_until_one_reader_has_read_it(self) -> None:
        store = self.world.store
        waiting = [replace(_new(text), is_waiting=True) for text in ("one", "two")]
        stored = store.add_messages(DM, waiting, model=MODEL, at=NOW)
        self.say("elsewhere", place=replace(DM, chat="dm2"))
        self.say("only recorded")
        assert store.messages_waiting(DM, limit=9) == stored
        with raises(ZeroDivisionError), store.transaction():
            assert store.mark_read(stored[0])
            _ = 1 / 0
        assert [store.mark_read(stored[0]), store.mark_read(stored[0])] == [True, False]
        assert store.messages_waiting(DM, limit=9) == stored[1:]

    def test_allowances_are_by_day_and_owner(self) -> None:
        store, day = self.world.store, NOW.date()
        used = [store.add_to_tally("t", "facts", owner, day=day, amount=3) for owner in ("alice", "alice", "bob")]
        assert used == [3, 6, 3]
        assert store.add_to_tally("t", "facts", "alice", day=day + timedelta(days=2), amount=1) == 1
        assert [store.tally("t", "facts", owner, day=day) for owner in ("alice", "bob")] == [0, 3]

    def test_messages_without_a_vector_wait_and_removed_ones_are_gone(self) -> None:
        store = self.world.store
        item = replace(_new("I like tea"), vectors=None)
        (message,) = store.add_messages(DM, [item], model=None, at=NOW)
        assert store.unembedded_messages("t", MODEL, limit=9) == (message,)
        store.embed_message(message, vector("I like tea")[None, :], model=MODEL)
        assert store.unembedded_messages("t", MODEL, limit=9) == ()
        before = self.found("tea")
        assert before[0].cosine is not None
        assert store.rebuild_index("t") == 1
        assert self.found("tea") == before
        assert store.remove_messages("t", "alice") == 1
        assert self.found("tea") == ()
        assert store.messages_before(DM, None, limit=9) == ()

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
