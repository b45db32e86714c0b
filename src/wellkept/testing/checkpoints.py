"""Checks of checkpoints: versions that nobody overwrites unseen, steps and writes in order, items by namespace."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

from wellkept.errors import CheckpointConflict
from wellkept.store.contract.checkpoints import Checkpoint, Item, Step, Write
from wellkept.testing.world import NOW, World, raises

SAID = {"state": {"next": ["plan"]}, "history": [1, 2.5, "tea", None, True]}


def checkpoint(version: int = 1, **fields: str) -> Checkpoint:
    """A state of alice's thread."""
    given = {"tenant": "t", "id": "c1", "user_id": "alice", "thread_id": "th", "data": json.dumps(SAID)} | fields
    return Checkpoint(**given, version=version, created_at=NOW, updated_at=NOW + timedelta(seconds=version))


def step(number: int, thread: str = "th", ns: str = "", run: str | None = None) -> Step:
    """A step of a thread, numbered."""
    parent = f"{number - 1:03}" if number > 1 else None
    return Step(
        tenant="t",
        thread_id=thread,
        ns=ns,
        checkpoint_id=f"{number:03}",
        parent_id=parent,
        run_id=run,
        checkpoint=f'{{"n":{number}}}',
        metadata="{}",
    )


def write(idx: int, value: str = "1", task: str = "task", path: str = "") -> Write:
    """A write after a step."""
    return Write(checkpoint_id="001", task_id=task, idx=idx, channel="c", task_path=path, value=value)


class CheckpointsChecks:
    """See `contract.checkpoints.Checkpoints`."""

    world: World

    def test_a_checkpoint_is_saved_over_the_version_that_was_read(self) -> None:
        store = self.world.store
        assert store.checkpoint("t", "alice", "th") is None
        store.save_checkpoint(checkpoint())
        found = store.checkpoint("t", "alice", "th")
        assert found is not None
        assert json.loads(found.data) == SAID
        assert replace(found, data="") == replace(checkpoint(), data="")
        store.save_checkpoint(checkpoint(2, data='{"state": 2}'))
        for late in (checkpoint(1), checkpoint(2), checkpoint(4)):
            with raises(CheckpointConflict):
                store.save_checkpoint(late)
        found = store.checkpoint("t", "alice", "th")
        assert found is not None
        assert (found.version, json.loads(found.data)) == (2, {"state": 2})
        assert store.checkpoint("other", "alice", "th") is None

    def test_checkpoints_are_listed_latest_first_and_dropped(self) -> None:
        store = self.world.store
        for number, (user, thread) in enumerate((("alice", "a"), ("bob", "b"), ("alice", "c")), start=1):
            one = checkpoint(user_id=user, thread_id=thread, id=f"c{number}")
            store.save_checkpoint(replace(one, updated_at=NOW + timedelta(seconds=number)))
        assert [one.thread_id for one in store.checkpoints("t")] == ["c", "b", "a"]
        assert [one.thread_id for one in store.checkpoints("t", user="alice", limit=1)] == ["c"]
        assert store.drop_checkpoint("t", "alice", "a")
        assert not store.drop_checkpoint("t", "alice", "a")
        assert [one.thread_id for one in store.checkpoints("t", user="alice")] == ["c"]

    def test_steps_come_latest_first(self) -> None:
        store = self.world.store
        for thread, ns in (("th", ""), ("th", "child"), ("other", "")):
            for number in (1, 2, 3):
                store.put_step(step(number, thread, ns, run=f"r{number}"))
        found = store.steps("t", thread="th", ns="")
        assert [one.checkpoint_id for one in found] == ["003", "002", "001"]
        assert found[0] == step(3, run="r3")
        assert [one.checkpoint_id for one in store.steps("t", thread="th", ns="", before="003", limit=1)] == ["002"]
        assert len(store.steps("t", thread="th")) == 6
        assert len(store.steps("t")) == 9
        assert len(store.steps("t", limit=4)) == 4
        assert store.steps("u") == ()
        assert [one.ns for one in store.steps("t", thread="th", checkpoint_id="002")] == ["", "child"]
        store.put_step(replace(step(3), checkpoint="{}"))
        assert store.steps("t", thread="th", ns="", limit=1)[0].checkpoint == "{}"

    def test_writes_keep_their_order_and_their_first_value(self) -> None:
        store = self.world.store
        place = ("t", "th", "", "001")
        store.put_writes(place, [write(0, "1", "b", "2"), write(1, "2", "b", "2"), write(0, "3", "a", "1")])
        store.put_writes(place, [write(0, "9", "b", "2"), write(-1, "4", "b", "2")])
        store.put_writes(place, [write(-1, "5", "b", "2")])
        assert [one.value for one in store.writes(*place)] == ["3", "5", "1", "2"]
        assert store.writes("t", "th", "child", "001") == ()

    def test_steps_are_removed_and_copied_with_their_writes(self) -> None:
        store = self.world.store
        for number in (1, 2):
            store.put_step(step(number, run=f"r{number}"))
            store.put_writes(("t", "th", "", f"{number:03}"), [write(0)])
        store.copy_thread("t", "th", "copy")
        assert [one.checkpoint_id for one in store.steps("t", thread="copy")] == ["002", "001"]
        assert len(store.writes("t", "copy", "", "002")) == 1
        gone = store.steps_of_runs("t", ["r1", "no such"])
        assert sorted(gone) == [("t", "copy", "", "001"), ("t", "th", "", "001")]
        store.drop_steps(gone)
        assert [one.checkpoint_id for one in store.steps("t")] == ["002", "002"]
        assert store.writes("t", "th", "", "001") == ()
        store.drop_thread("t", "copy")
        assert [one.thread_id for one in store.steps("t")] == ["th"]
        assert store.writes("t", "copy", "", "002") == ()

    def test_items_are_found_below_a_namespace(self) -> None:
        store = self.world.store
        names = (("a",), ("a", "b"), ("a", "b", "c"), ("ab",), ("b",))
        for number, namespace in enumerate(names):
            at = NOW + timedelta(seconds=number)
            store.put_item(
                Item(tenant="t", namespace=namespace, key="k", value=str(number), created_at=at, updated_at=at)
            )
        assert [one.namespace for one in store.items("t", ("a",))] == [("a",), ("a", "b"), ("a", "b", "c")]
        assert len(store.items("t", ())) == 5
        assert store.items("u", ()) == ()
        later = NOW + timedelta(days=1)
        store.put_item(Item(tenant="t", namespace=("a",), key="k", value="9", created_at=later, updated_at=later))
        found = store.item("t", ("a",), "k")
        assert found is not None
        assert (found.value, found.created_at, found.updated_at) == ("9", NOW, later)
        store.drop_item("t", ("a",), "k")
        assert store.item("t", ("a",), "k") is None
