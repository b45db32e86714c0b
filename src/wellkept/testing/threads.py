"""Checks of the conformance suite: threads are told of every change once, in order, and of nothing they may not see."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from wellkept.store.contract.threads import ACTIVE_FOR, Reader
from wellkept.testing.world import NOW, view
from wellkept.vocabulary import Kind, Space, State

if TYPE_CHECKING:
    from wellkept.store.contract.threads import Changes
    from wellkept.testing.world import World
    from wellkept.types import Memory

KEEP = 50


class ThreadsChecks:
    """Needs `self.world`."""

    world: World

    def reader(self, thread: str = "t1", **fields: Any) -> Reader:  # noqa: ANN401 -- fields of Reader
        """Alice in a thread."""
        return Reader(**{"tenant": "t", "user": "alice", "thread": thread} | fields)

    def take(self, reader: Reader, **fields: Any) -> Changes:  # noqa: ANN401 -- fields of View
        """What the reader has not been told."""
        return self.world.store.take_changes(view(**fields), reader, at=NOW, keep_turns=KEEP)

    def write(self, memory: Memory, op: Any = "create", **fields: Any) -> Memory:  # noqa: ANN401 -- fields of Entry
        """Store a memory, new when it was created."""
        change = self.world.change(memory, op, is_new=op == "create")
        entry = replace(change.entry, **fields)
        self.world.store.apply([replace(change, entry=entry)], at=NOW)
        return memory

    def test_a_thread_is_told_of_each_change_once_and_in_order(self) -> None:
        one = self.reader()
        self.world.store.join_thread(one, at=NOW)
        first, second = self.world.tell("Alice likes tea."), self.world.tell("Alice likes coffee.")
        self.world.amend(first, pinned=True)
        peeked = self.world.store.changed(view(), one)
        told = self.take(one)
        assert told == peeked
        assert [(item.rev, item.event, item.memory_id) for item in told.changes] == [
            (1, "created", first.id),
            (2, "created", second.id),
            (3, "updated", first.id),
        ]
        assert self.world.store.revision(one) == 3
        again = self.take(one)
        assert (again.since, again.changes) == (3, ())
        self.world.archive(second)
        (gone,) = self.take(one).changes
        assert (gone.rev, gone.event, gone.is_live) == (4, "deleted", False)

    def test_each_agent_has_a_mark_of_its_own(self) -> None:
        self.world.store.join_thread(self.reader(), at=NOW)
        self.world.tell()
        assert len(self.take(self.reader(agent="planner")).changes) == 1
        assert len(self.take(self.reader(agent="stylist")).changes) == 1
        assert len(self.take(self.reader(agent="planner")).changes) == 0

    def test_a_change_elsewhere_reaches_the_active_threads_of_the_user_and_persona(self) -> None:
        store = self.world.store
        readers = {
            "same": self.reader("t1", persona="Coach"),
            "other": self.reader("t2", persona="Chef"),
            "idle": self.reader("t3", persona="Coach"),
            "bob": self.reader("t1", user="bob", persona="Coach"),
        }
        for name, reader in readers.items():
            store.join_thread(reader, at=NOW - ACTIVE_FOR - timedelta(days=1) if name == "idle" else NOW)
        self.write(self.world.draft(), persona="Coach")
        assert {name: store.revision(reader) for name, reader in readers.items()} == {
            "same": 1,
            "other": 0,
            "idle": 0,
            "bob": 0,
        }
        self.write(self.world.draft("Alice likes figs."))
        assert (store.revision(readers["same"]), store.revision(readers["other"])) == (2, 1)

    def test_a_change_in_a_thread_makes_it_known_and_a_chat_shares_it(self) -> None:
        store = self.world.store
        self.write(self.world.draft(), thread="t9")
        assert store.revision(self.reader("t9")) == 1
        store.join_thread(self.reader("t9", user="bob"), at=NOW)
        self.write(self.world.draft("Lunch is at noon.", scope=(Space.CHAT, "g")), thread="t9", actor="alice")
        assert store.revision(self.reader("t9", user="bob")) == 1
        shown = store.changed(view(user="bob", spaces=((Space.CHAT, "g"),)), self.reader("t9", user="bob"))
        assert [item.event for item in shown.changes] == ["created"]

    def test_what_the_reader_may_not_see_is_not_told_and_not_counted(self) -> None:
        one = self.reader(persona="Chef")
        self.world.store.join_thread(one, at=NOW)
        self.world.tell(persona_id="Coach")
        self.world.tell("Alice has steps.", kind=Kind.PROCEDURAL, category="procedural")
        self.world.tell("Alice has a goal.", category="goals")
        assert len(self.take(one, persona="Chef", categories=frozenset({"tasks"})).changes) == 0
        self.world.tell("Alice has a task.", category="tasks")
        told = self.take(one, persona="Chef", categories=frozenset({"tasks"}))
        assert (told.since, [item.category for item in told.changes]) == (0, ["tasks"])

    def test_a_replacement_is_one_update_and_an_end_without_one_a_deletion(self) -> None:
        one = self.reader()
        self.world.store.join_thread(one, at=NOW)
        old = self.world.tell("Alice lives in Rome.")
        ended = self.world.tell("Alice rows.")
        self.take(one)
        self.world.amend(old, state=State.SUPERSEDED, superseded_by="m_new", superseded_at=NOW)
        assert self.take(one).changes == ()
        self.world.amend(ended, state=State.SUPERSEDED, superseded_at=NOW)
        assert [item.event for item in self.take(one).changes] == ["deleted"]

    def test_a_purged_memory_is_told_of_without_its_words(self) -> None:
        one = self.reader()
        self.world.store.join_thread(one, at=NOW)
        memory = self.world.tell(category="goals")
        closed = self.world.tell("Alice has a secret.", confidential=True)
        self.take(one)
        for gone in (memory, closed):
            self.world.store.purge("t", gone.id, self.world.change(gone, "delete").entry, at=NOW)
        assert [(item.event, item.category, item.is_live) for item in self.take(one).changes] == [
            ("deleted", "goals", False)
        ]

    def test_old_turns_are_dropped(self) -> None:
        store, planner, stylist = self.world.store, self.reader(agent="planner"), self.reader(agent="stylist")
        store.join_thread(planner, at=NOW)
        self.world.tell()
        for number in range(4):
            store.take_changes(view(), planner, at=NOW, keep_turns=3)
            self.world.tell(f"Alice likes tea {number}.")
        late = store.take_changes(view(), stylist, at=NOW, keep_turns=3)
        assert [item.rev for item in late.changes] == [3, 4, 5]

    def test_nothing_of_a_failed_write_is_told(self) -> None:
        one = self.reader()
        self.world.store.join_thread(one, at=NOW)
        try:
            with self.world.store.transaction():
                self.world.tell()
                raise KeyError  # noqa: TRY301 -- the transaction is what fails
        except KeyError:
            pass
        assert self.world.store.revision(one) == 0
