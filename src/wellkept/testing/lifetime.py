"""Conformance: what is idle, due for removal, or archived long ago."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from wellkept.store.contract import Entry
from wellkept.store.contract.checkpoints import Item, Step
from wellkept.store.contract.jobs import NewJob
from wellkept.testing.world import NOW, World
from wellkept.vocabulary import Space, State

DAY = timedelta(days=1)


class LifetimeChecks:
    """Every promise of `contract.lifetime.Lifetimes`."""

    world: World

    def test_idle_are_the_live_that_nobody_recalled(self) -> None:
        world, store = self.world, self.world.store
        old = NOW - 9 * DAY
        idle = {world.tell(created_at=old, importance=weight).id for weight in (0.0, 2.0, 2.9)}
        world.tell(created_at=old, importance=3.0)
        world.tell(created_at=old, pinned=True)
        world.archive(world.tell(created_at=old))
        world.tell(created_at=old, tenant="u")
        world.tell()
        used = world.tell(created_at=old)
        store.accessed("t", {used.id: 1}, at=NOW - 7 * DAY)

        def found(**options: object) -> list[str]:
            wanted = {"since": NOW - 8 * DAY, "below": 3.0, "after": "", "limit": 9} | options
            return list(store.idle("t", **wanted))  # type: ignore[arg-type]  # names of the method

        assert found() == sorted(idle)
        assert found(after=min(idle)) == sorted(idle)[1:]
        assert found(limit=1) == [min(idle)]
        assert used.id in found(since=NOW - 7 * DAY)
        assert len(found(below=2.0)) == 1

    def test_purgeable_are_the_soft_deleted_whose_time_has_come(self) -> None:
        world = self.world
        later, now, sooner = (
            world.amend(world.tell(), "ttl", state=State.SOFT_DELETED, purge_at=NOW + days * DAY) for days in (2, 1, 0)
        )
        world.amend(world.tell(), "delete", state=State.ARCHIVED, purge_at=NOW)
        assert world.store.purgeable("t", now=NOW + DAY, limit=9) == (sooner.id, now.id)
        assert world.store.purgeable("t", now=NOW + 2 * DAY, limit=1) == (sooner.id,)
        assert later.id in world.store.purgeable("t", now=NOW + 2 * DAY, limit=9)
        assert world.store.purgeable("u", now=NOW + 9 * DAY, limit=9) == ()

    def test_archived_counts_from_when_it_was_archived(self) -> None:
        world, store = self.world, self.world.store
        one, other = world.tell(), world.tell()
        for memory, days in ((one, 1), (other, 3)):
            gone = world.draft(id=memory.id, state=State.ARCHIVED, archive_reason="user_deleted", version=2)
            store.apply([world.change(gone, "delete")], at=NOW + days * DAY)
        again = world.draft(id=one.id, state=State.ARCHIVED, archive_reason="forgotten", version=3)
        store.apply([world.change(again, "delete")], at=NOW + 5 * DAY)
        assert store.archived("t", until=NOW, after="", limit=9) == ()
        assert store.archived("t", until=NOW + DAY, after="", limit=9) == (one.id,)
        both = sorted((one.id, other.id))
        assert list(store.archived("t", until=NOW + 3 * DAY, after="", limit=9)) == both
        assert list(store.archived("t", until=NOW + 3 * DAY, after=both[0], limit=9)) == both[1:]

    def test_scopes_are_listed(self) -> None:
        self.world.tell()
        self.world.store.record("t", Space.CHAT, "c", Entry(op="admin"), at=NOW)
        self.world.tell(tenant="u", scope=(Space.USER, "zoe"))
        assert self.world.store.scopes("t") == ((Space.CHAT, "c"), (Space.USER, "alice"))
        assert self.world.store.scopes("x") == ()

    def test_erasing_leaves_no_name(self) -> None:
        world, store = self.world, self.world.store
        first = world.tell(scope=(Space.USER, "zoe-77"))
        for user in ("zoe-77", "alice"):
            place: dict[str, Any] = {"tenant": "t", "created_at": NOW, "updated_at": NOW}
            store.put_item(Item(**place, namespace=("memories", user), key="k", value='"seat"'))
            step: dict[str, Any] = {"tenant": "t", "ns": "", "checkpoint_id": "1", "parent_id": None, "run_id": None}
            store.put_step(
                Step(**step, thread_id=f"of {len(user)}", checkpoint="1", metadata=f'{{"user_id":"{user}"}}')
            )
        assert store.is_known("t", "zoe-77")
        assert not store.is_known("t", "zoe-7")
        store.purge("t", first.id, Entry(op="delete", memory_id=first.id, actor="zoe-77"), at=NOW)
        counts = store.erase_rows("t", "zoe-77")
        assert (counts["graph_items"], counts["graph_threads"]) == (1, 1)
        assert [line for line in store.lines("t") if "zoe-77" in repr(line)] == []
        assert [item.namespace for item in store.items("t", ())] == [("memories", "alice")]
        assert not store.is_known("t", "zoe-77")
        assert not list(store.verify("t"))
        again = world.tell(scope=(Space.USER, "zoe-77"))
        assert again.id != first.id, "no id is given twice"
        assert not list(store.verify("t"))

    def test_a_held_job_can_be_rewritten(self) -> None:
        store = self.world.store
        store.enqueue(NewJob(tenant="t", name="erase", key="k", payload={"user": "zoe"}, due_at=NOW))
        (job,) = store.claim("w", ["erase"], now=NOW, lease_seconds=60)
        store.rewrite(job, {"done": 1})
        assert [one.payload for one in store.pending("t")] == [{"done": 1}]

    def test_what_never_had_a_vector_is_told_from_what_has(self) -> None:
        world, store = self.world, self.world.store
        told = world.tell()
        bare = world.draft("Bare.")
        store.apply([world.change(bare, is_new=True, vectors=None, model=None)], at=NOW)
        assert store.never_embedded("t", [told.id, bare.id]) == {bare.id}
        assert (store.ever_stored("t", Space.USER, "alice"), store.ever_stored("t", Space.USER, "zoe")) == (2, 0)
