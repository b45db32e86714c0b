"""Conformance: rows out and in again, and what belongs to a user who is erased."""

from __future__ import annotations

from wellkept.errors import BadLine, InvalidInput
from wellkept.store.contract import (
    Counters,
    MemoriesOf,
    NewJob,
    PeopleQuery,
    Review,
    RowsAbout,
    SpokenOf,
    Stored,
    TextHeld,
    TextQuery,
    UserLink,
)
from wellkept.store.portable import check_line
from wellkept.testing.world import ALICE, BOB, NOW, Checks, World, raises, search
from wellkept.types import Alias, Relationship
from wellkept.vocabulary import Space


class PortableChecks(Checks):
    """Every promise of `contract.Store`, sections "Copies" and "Erasure"."""

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
            self.store.keep(UserLink(tenant="t", user=user, person_id=person, username=user))

    def test_lines_can_be_loaded_and_are_the_same_again(self) -> None:
        self._people()
        kept = self.world.tell(
            "Alice likes\u2028tea \U0001f600.", subject_person_ids=(BOB,), meta={"a": [1, {"b": "c"}]}
        )
        self.world.reword(kept, "Alice loves tea.")
        self.world.archive(self.world.tell("Alice had a kite.", entity_refs=("org:kites",)))
        self.world.tell("Bob drives.", scope=(Space.USER, "bob"), stated_by=BOB)
        lines = list(self.store.lines("t"))
        other = self.make_store()
        assert not other.has(Stored(tenant="t"))
        for line in lines:
            check_line(line)
        counts = other.load("t", enumerate(lines, start=1))
        assert counts["memory"] == 3
        assert list(other.lines("t")) == lines
        assert not list(other.verify("t"))
        assert other.memory("t", kept.id) == self.store.memory("t", kept.id)
        assert [one.memory.id for one in other.candidates(search("Alice loves tea"))] == [kept.id]
        assert other.has(Stored(tenant="t"))
        with raises(BadLine):
            other.load("t", enumerate(lines, start=1))
        other.close()

    def test_the_first_line_that_clashes_is_named_and_nothing_is_kept(self) -> None:
        self.world.tell("Alice likes tea.", subject_person_ids=(ALICE,))
        lines = list(self.store.lines("t"))
        edge, memory = (next(one for one in lines if one["_type"] == kind) for kind in ("edge", "memory"))
        other = self.make_store()
        with raises(BadLine) as caught:
            other.load("t", enumerate([*lines, edge, memory], start=1))
        assert getattr(caught[0], "line", None) == len(lines) + 1
        assert not other.has(Stored(tenant="t"))
        other.close()

    def test_the_lines_of_a_user_fit_beside_others(self) -> None:
        self._people()
        mine = self.world.tell("Alice likes tea.", subject_person_ids=(ALICE,))
        self.world.tell("Bob drives.", scope=(Space.USER, "bob"))
        lines = list(self.store.lines("t", "alice"))
        assert [line["content"] for line in lines if line["_type"] == "memory"] == ["Alice likes tea."]
        other = self.make_store()
        World(other).tell("Zoe sings.", scope=(Space.USER, "zoe"))
        assert not other.has(Stored(tenant="t", user="alice"))
        other.load("t", enumerate(lines, start=1))
        assert other.memory("t", mine.id) == mine
        assert not list(other.verify("t"))
        other.close()

    def test_a_line_that_no_store_gave_is_refused(self) -> None:
        self.world.tell()
        line = next(one for one in self.store.lines("t") if one["_type"] == "memory")
        for change in ({"_type": "x"}, {"state": 3}, {"created_at": "yesterday"}, {"more": 1}, {"id": None}):
            with raises(InvalidInput):
                check_line({**line, **change})

    def test_counters_are_raised_never_lowered(self) -> None:
        self.store.keep(Counters(tenant="t", space=Space.USER, owner="alice", numbers={"semantic": 7}))
        self.store.keep(Counters(tenant="t", space=Space.USER, owner="alice", numbers={"semantic": 3}))
        eighth = self.store.next_id("t", Space.USER, "alice", "semantic")  # type: ignore[arg-type]  # a kind by its name
        other = World(self.make_store())
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
            return set(
                self.store.memory_ids(MemoriesOf(tenant="t", user="alice", mentions=mentions, after="", limit=9))
            )

        assert found(mentions=False) == {own.id, said.id}
        assert found(mentions=True) == {own.id, said.id, told.id}
        assert "Alice likes tea." in set(self.store.texts(TextQuery(tenant="t", user="alice", kind="own")))
        assert self.store.has(TextHeld(tenant="t", text="Alice is tall."))
        assert not self.store.has(TextHeld(tenant="t", text="Alice is small."))
        assert not self.store.has(TextHeld(tenant="u", text="Alice is tall."))

    def test_rows_of_a_user_go_and_those_of_others_stay(self) -> None:
        self._people()
        self.store.keep(Review(tenant="t", asker="alice", one=ALICE, other=BOB, reason="x", at=NOW))
        for name, user in (("extract", "alice"), ("extract2", "bob")):
            self.store.keep(NewJob(tenant="t", name=name, key="k", payload={"user": user}, due_at=NOW))
        memory = self.world.tell("Alice likes tea.")
        assert {one.id for one in self.store.people(PeopleQuery(tenant="t", made_by="alice"))} == {ALICE, BOB}
        counts = self.store.erase("t", "alice")
        assert (counts["users"], counts["reviews"], counts["jobs"], counts["pseudonyms"]) == (1, 1, 1, 1)
        assert self.store.person("t", user="alice") is None
        assert self.store.person("t", user="bob") is not None
        assert [job.payload["user"] for job in self.store.jobs("t")] == ["bob"]
        assert self.store.ledger(RowsAbout(tenant="t", memory_id=memory.id, limit=1))[0].entry.actor is None
        assert not self.store.has(SpokenOf(tenant="t", person_id=ALICE))
        assert self.store.has(SpokenOf(tenant="t", person_id=BOB))
        assert not list(self.store.verify("t"))
