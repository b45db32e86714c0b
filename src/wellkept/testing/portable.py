"""Conformance: rows out and in again, and what belongs to a user who is erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import BadLine, InvalidInput
from wellkept.store.contract import NewJob, Review
from wellkept.testing.world import ALICE, BOB, NOW, World, raises, search
from wellkept.types import Alias, Relationship
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from wellkept.store.contract import Store


class PortableChecks:
    """Every promise of `contract.Store`, sections "Copies" and "Erasure"."""

    world: World

    def fresh(self) -> Store:
        """Given by the suite."""
        raise NotImplementedError

    def _people(self) -> None:
        self.world.person(ALICE, "Alice", created_by="alice")
        self.world.person(
            BOB,
            "Bob",
            created_by="alice",
            aliases=(Alias(value="Bobby", added_by="alice"), Alias(value="Rob", added_by="bob")),
            relationships=(Relationship(relationship="friend", stated_by="alice"),),
        )
        for user, person in (("alice", ALICE), ("bob", BOB)):
            self.world.store.link_user("t", user, person, username=user, display_name=None)

    def test_lines_can_be_loaded_and_are_the_same_again(self) -> None:
        self._people()
        kept = self.world.tell(
            "Alice likes\u2028tea \U0001f600.", subject_person_ids=(BOB,), meta={"a": [1, {"b": "c"}]}
        )
        self.world.reword(kept, "Alice loves tea.")
        self.world.archive(self.world.tell("Alice had a kite.", entity_refs=("org:kites",)))
        self.world.tell("Bob drives.", scope=(Space.USER, "bob"), stated_by=BOB)
        lines = list(self.world.store.lines("t"))
        other = self.fresh()
        assert other.is_empty("t")
        for line in lines:
            other.check_line(line)
        counts = other.load("t", enumerate(lines, start=1))
        assert counts["memory"] == 3
        assert list(other.lines("t")) == lines
        assert not list(other.verify("t"))
        assert other.memory("t", kept.id) == self.world.store.memory("t", kept.id)
        assert [one.memory.id for one in other.candidates(search("Alice loves tea"))] == [kept.id]
        assert not other.is_empty("t")
        with raises(BadLine):
            other.load("t", enumerate(lines, start=1))
        other.close()

    def test_the_first_line_that_clashes_is_named_and_nothing_is_kept(self) -> None:
        self.world.tell("Alice likes tea.", subject_person_ids=(ALICE,))
        lines = list(self.world.store.lines("t"))
        edge, memory = (next(one for one in lines if one["_type"] == kind) for kind in ("edge", "memory"))
        other = self.fresh()
        with raises(BadLine) as caught:
            other.load("t", enumerate([*lines, edge, memory], start=1))
        assert getattr(caught[0], "line", None) == len(lines) + 1
        assert other.is_empty("t")
        other.close()

    def test_the_lines_of_a_user_fit_beside_others(self) -> None:
        self._people()
        mine = self.world.tell("Alice likes tea.", subject_person_ids=(ALICE,))
        self.world.tell("Bob drives.", scope=(Space.USER, "bob"))
        lines = list(self.world.store.lines("t", "alice"))
        assert [line["content"] for line in lines if line["_type"] == "memory"] == ["Alice likes tea."]
        other = self.fresh()
        World(other).tell("Zoe sings.", scope=(Space.USER, "zoe"))
        assert other.is_empty("t", "alice")
        other.load("t", enumerate(lines, start=1))
        assert other.memory("t", mine.id) == mine
        assert not list(other.verify("t"))
        other.close()

    def test_a_line_that_no_store_gave_is_refused(self) -> None:
        self.world.tell()
        line = next(one for one in self.world.store.lines("t") if one["_type"] == "memory")
        for change in ({"_type": "x"}, {"state": 3}, {"created_at": "yesterday"}, {"more": 1}, {"id": None}):
            with raises(InvalidInput):
                self.world.store.check_line({**line, **change})

    def test_counters_are_raised_never_lowered(self) -> None:
        store = self.world.store
        store.raise_counter("t", Space.USER, "alice", "semantic", 7)
        store.raise_counter("t", Space.USER, "alice", "semantic", 3)
        eighth = store.next_id("t", Space.USER, "alice", "semantic")  # type: ignore[arg-type]  # a kind by its name
        other = World(self.fresh())
        ids = [other.draft().id for _ in range(8)]
        assert ids[7] == eighth
        other.store.close()

    def test_what_a_user_owns_stated_or_is_mentioned_in(self) -> None:
        self._people()
        own = self.world.tell("Alice likes tea.")
        said = self.world.tell("Alice meets us.", scope=(Space.CHAT, "c"), stated_by=ALICE)
        told = self.world.tell("Alice is tall.", scope=(Space.USER, "bob"), stated_by=BOB, subject_person_ids=(ALICE,))
        self.world.tell("Bob drives.", scope=(Space.USER, "bob"), stated_by=BOB)

        def found(*, mentions: bool) -> set[str]:
            return set(self.world.store.memories_of("t", "alice", mentions=mentions, after="", limit=9))

        assert found(mentions=False) == {own.id, said.id}
        assert found(mentions=True) == {own.id, said.id, told.id}
        assert "Alice likes tea." in set(self.world.store.texts_of("t", "alice"))
        assert self.world.store.still_holds("t", "Alice is tall.")
        assert not self.world.store.still_holds("t", "Alice is small.")
        assert not self.world.store.still_holds("u", "Alice is tall.")

    def test_rows_of_a_user_go_and_those_of_others_stay(self) -> None:
        self._people()
        store = self.world.store
        store.put_review(Review(tenant="t", asker="alice", one=ALICE, other=BOB, reason="x", at=NOW))
        for name, user in (("extract", "alice"), ("extract2", "bob")):
            store.enqueue(NewJob(tenant="t", name=name, key="k", payload={"user": user}, due_at=NOW))
        memory = self.world.tell("Alice likes tea.")
        assert set(store.persons_by("t", "alice")) == {ALICE, BOB}
        counts = store.erase_rows("t", "alice")
        assert (counts["users"], counts["reviews"], counts["jobs"], counts["pseudonyms"]) == (1, 1, 1, 1)
        assert store.person_of("t", "alice") is None
        assert store.person_of("t", "bob") is not None
        assert [job.payload["user"] for job in store.jobs("t")] == ["bob"]
        assert store.history("t", memory.id, limit=1)[0].entry.actor is None
        assert not store.is_spoken_of("t", ALICE)
        assert store.is_spoken_of("t", BOB)
        assert not list(store.verify("t"))
