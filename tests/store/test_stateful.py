"""The store against a model of a few dictionaries: any sequence of writes leaves both telling the same."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule, run_state_machine_as_test

from wellkept.errors import KeyTaken, VersionConflict
from wellkept.policies.visibility import Facts, visible
from wellkept.policies.words import query_terms, term_counts
from wellkept.store.contract import Attendance, Entry, Listing, RowsAbout, Search
from wellkept.store.opening import open_store
from wellkept.testing.world import ALICE, BOB, CAROL, MODEL, NOW, World, raises, search, vector, view
from wellkept.types import Edge, Memory
from wellkept.vocabulary import EdgeKind, MemoryType, Sensitivity, Space, State

PEOPLE = (ALICE, BOB, CAROL)
TEA = vector("tea")
SCOPES = ((Space.USER, "alice"), (Space.USER, "bob"), (Space.CHAT, "c1"))
TEXTS = st.sampled_from(["Alice likes tea.", "Bob drinks green tea.", "Carol sings.", "Tea is late.", "喝茶", ""])
VIEWS = (
    view(),
    view(chat="c1", chat_type="group", present=frozenset(PEOPLE), partners=frozenset(), spaces=SCOPES[:1] + SCOPES[2:]),
    view(user="bob", person=BOB, present=frozenset({ALICE, BOB}), partners=frozenset({ALICE}), spaces=SCOPES[1:2]),
)


class StoreMachine(RuleBasedStateMachine):
    """Rules write to both; invariants compare what they tell."""

    memories = Bundle("memories")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = open_store(self.new_store())
        self.other = open_store(self.store.url)
        self.forgetful = open_store(self.store.url)
        self.world = World(self.store)
        self.model: dict[str, Memory] = {}
        self.texts: dict[str, list[str]] = {}
        self.rows: dict[str, list[str]] = {}
        self.above: set[tuple[str, str]] = set()
        self.attended: dict[str, set[str]] = {}
        self.now = NOW
        self.steps = 0

    def new_store(self) -> str:
        """The address of an empty store."""
        return str(Path(self.folder.name) / "memory.db")

    def teardown(self) -> None:
        self.store.close()
        self.other.close()
        self.forgetful.close()
        self.folder.cleanup()

    @rule(
        target=memories,
        text=TEXTS,
        scope=st.sampled_from(SCOPES),
        key=st.integers(0, 5),
        about=st.sets(st.sampled_from(PEOPLE), max_size=2),
        fields=st.fixed_dictionaries(
            {
                "stated_by": st.sampled_from((None, *PEOPLE)),
                "sensitivity": st.sampled_from(Sensitivity),
                "type": st.sampled_from([MemoryType.KNOWLEDGE, MemoryType.OBSERVATION]),
                "persona_id": st.sampled_from([None, None, "coach"]),
                "learned_in": st.sampled_from([None, "c1", "c2"]),
                "confidential": st.booleans(),
            }
        ),
    )
    def tell(self, text, scope, key, about, fields):
        memory = self.world.draft(
            text,
            scope=scope,
            discriminator=str(key),
            subject_person_ids=tuple(sorted(about)),
            learned_in_type="group" if fields["learned_in"] else None,
            **fields | {"created_at": self.now, "observed_at": self.now},
        )
        holder = self.holder(memory)
        change = self.world.change(memory, is_new=True)
        if holder is not None:
            with pytest.raises(KeyTaken) as caught:
                self.store.apply([change], at=self.now)
            assert caught.value.live_id == holder.id
            return memory.id
        self.store.apply([change], at=self.now)
        self.model[memory.id] = memory
        self.texts[memory.id] = [text]
        self.rows[memory.id] = ["create"]
        return memory.id

    def holder(self, memory: Memory) -> Memory | None:
        for other in self.model.values():
            same = (other.space, other.owner, other.discriminator) == (memory.space, memory.owner, memory.discriminator)
            if same and other.state is State.ACTIVE and other.id != memory.id:
                return other
        return None

    @rule(memory_id=memories, text=TEXTS)
    def reword(self, memory_id, text):
        if (memory := self.model.get(memory_id)) is not None and memory.state is State.ACTIVE:
            self.model[memory_id] = self.world.reword(memory, text)
            self.texts[memory_id].append(text)
            self.rows[memory_id].append("update")

    @rule(memory_id=memories, about=st.sets(st.sampled_from(PEOPLE), max_size=2), importance=st.integers(0, 3))
    def amend(self, memory_id, about, importance):
        if (memory := self.model.get(memory_id)) is not None:
            subjects = tuple(sorted(about))
            self.model[memory_id] = self.world.amend(memory, subject_person_ids=subjects, importance=float(importance))
            self.rows[memory_id].append("update")

    @rule(memory_id=memories)
    def stale(self, memory_id):
        if (memory := self.model.get(memory_id)) is not None:
            with pytest.raises(VersionConflict):
                self.world.amend(replace(memory, version=memory.version - 1))

    @rule(memory_id=memories, state=st.sampled_from([State.ARCHIVED, State.SUPERSEDED, State.ACTIVE]))
    def move(self, memory_id, state):
        memory = self.model.get(memory_id)
        if memory is None:
            return
        holder = self.holder(memory)
        op = "restore" if state is State.ACTIVE else "delete"
        if state is State.ACTIVE and holder is not None:
            with pytest.raises(KeyTaken) as caught:
                self.world.amend(memory, op, state=state)
            assert caught.value.live_id == holder.id
            return
        changed = replace(memory, version=memory.version + 1, state=state)
        # What comes back brings its vector, as `restore` does: without one only words would find it.
        vectors = {"vectors": vector(memory.content)[None, :], "model": MODEL} if state is State.ACTIVE else {}
        self.store.apply([self.world.change(changed, op, **vectors)], at=NOW)
        self.model[memory_id] = changed
        self.rows[memory_id].append(op)

    @rule(new=memories, old=memories)
    def override(self, new, old):
        if new == old or new not in self.model or old not in self.model or self.reaches(old, new):
            return
        edge = Edge(kind=EdgeKind.SUPERSEDES, src=new, dst=old)
        changed = replace(self.model[new], version=self.model[new].version + 1)
        self.store.apply([self.world.change(changed, "link", edges=(edge,))], at=self.now)
        self.model[new] = changed
        self.rows[new].append("link")
        self.above.add((new, old))

    def reaches(self, start: str, goal: str) -> bool:
        below = {old for new, old in self.above if new == start}
        return goal in below or any(self.reaches(old, goal) for old in below)

    @rule(memory_id=consumes(memories))
    def purge(self, memory_id):
        if memory_id in self.model:
            self.store.purge("t", memory_id, Entry(op="delete", memory_id=memory_id), at=self.now)
            del self.model[memory_id]
            self.rows[memory_id].append("delete")
            self.above = {pair for pair in self.above if memory_id not in pair}

    @rule(chat=st.sampled_from(["c1", "c2"]), person=st.sampled_from(PEOPLE))
    def attend(self, chat, person):
        self.store.keep(Attendance(tenant="t", chat=chat, chat_type="group", person_ids=(person,), at=self.now))
        self.attended.setdefault(chat, set()).add(person)

    @rule(days=st.integers(1, 2))
    def wait(self, days):
        self.now += timedelta(days=days)

    @rule(memory_id=memories)
    def fail_in_the_middle(self, memory_id):
        if (memory := self.model.get(memory_id)) is None:
            return
        self.store.candidates(search("tea"), within=(memory.space, memory.owner), is_ahead=True)
        with raises(ZeroDivisionError), self.store.transaction():
            self.world.amend(memory, importance=9.0)
            self.store.candidates(search("tea"), within=(memory.space, memory.owner))
            self.store.candidates(search("tea"))
            _ = 1 // 0

    def wanted(self, looking) -> set[str]:
        facts = Facts(attendance={chat: frozenset(people) for chat, people in self.attended.items()})
        shown = set()
        for memory in self.model.values():
            overriding = ()
            if memory.state is State.ACTIVE:
                overriding = tuple(self.model[new] for new, old in self.above if old == memory.id)
            if visible(memory, looking, replace(facts, overriding=overriding)).verdict == "shown":
                shown.add(memory.id)
        return shown

    @invariant()
    def both_tell_the_same(self):
        self.steps += 1
        asking = replace(VIEWS[self.steps % len(VIEWS)], now=self.now)
        wanted = self.wanted(asking)
        for store in (self.store, self.other):
            assert {memory.id for memory in store.seen(asking, Listing(limit=99))} == wanted
            tea = Search(view=asking, vector=TEA, model=MODEL, terms=tuple(query_terms("tea")), limit=99)
            found = {item.memory.id: item for item in store.candidates(tea)}
            assert set(found) == wanted
            for memory_id, item in found.items():
                assert item.memory == self.model[memory_id]
                assert (item.bm25 is not None) == ("tea" in term_counts(item.memory.content))

    @invariant()
    def what_is_kept_is_what_is_there(self):
        """Scores and their order after a refresh are those of a store that keeps nothing."""
        self.forgetful._arms.sights.forget()
        self.forgetful._matrices.forget()
        wanted = replace(search("green tea"), view=replace(VIEWS[self.steps % len(VIEWS)], now=self.now))
        scope = SCOPES[self.steps % len(SCOPES)]
        for store in (self.store, self.other):
            assert store.candidates(wanted) == self.forgetful.candidates(wanted)
            assert store.candidates(wanted, within=scope) == self.forgetful.candidates(wanted, within=scope)

    @invariant()
    def nothing_is_lost(self):
        for memory_id, memory in self.model.items():
            assert self.store.memory("t", memory_id) == memory
            assert [version.content for version in self.store.versions("t", memory_id)] == self.texts[memory_id]
        for memory_id, ops in self.rows.items():
            assert [
                row.entry.op for row in self.store.ledger(RowsAbout(tenant="t", memory_id=memory_id, limit=99))
            ] == ops[::-1]
        assert not list(self.store.verify("t"))


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)


def test_postgres(new_database):
    class PostgresMachine(StoreMachine):
        def new_store(self) -> str:
            return new_database()

    # A database a run takes longer than what is done in it.
    few = settings(max_examples=6, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(PostgresMachine, settings=few)
