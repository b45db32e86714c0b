"""LangGraph on the same store: a checkpoint saver and a long-term store. Never pickle; stored data never runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput, StoreError
from wellkept.integrations.adapter import on_thread
from wellkept.integrations.langgraph_codec import CODEC, GraphCodec, Serializer
from wellkept.integrations.langgraph_store import LongTermStore
from wellkept.store.contract import Step, Write

# Stands below the codec, which says what to install.
from langgraph.checkpoint.base import (  # isort: skip
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from dataclasses import replace

from wellkept.store.contract import StepQuery, Writes

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.serde.base import SerializerProtocol

    from wellkept.api import Memory

__all__ = ["LongTermStore", "Saver", "import_saver"]


class Saver(BaseCheckpointSaver[Any]):
    """Every step of a graph, kept where the memory is. Stores exactly what it is given.

    With `serde` (such as LangGraph's `EncryptedSerializer`) states and writes go through that serializer whole; what
    steps say of themselves (`metadata`) stays readable, as it is searched.
    """

    def __init__(self, memory: Memory, *, tenant: str = "default", serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde or Serializer())
        self._store = memory.engine.store
        self._tenant = tenant

    @property
    def _values(self) -> GraphCodec:
        """By the serializer of this moment: a compiled graph copies its saver and gives the copy one of its own."""
        return GraphCodec(self.serde)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """A step by its id, or the latest of the thread."""
        place = config["configurable"]
        found = self._store.steps(
            StepQuery(
                tenant=self._tenant,
                thread=str(place["thread_id"]),
                ns=place.get("checkpoint_ns", ""),
                checkpoint_id=get_checkpoint_id(config),
                limit=1,
                with_writes=True,
            )
        )
        return self._tuple(found[0]) if found else None

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Steps, the latest first."""
        place = config["configurable"] if config else {}
        steps = self._store.steps(
            StepQuery(
                tenant=self._tenant,
                thread=str(place["thread_id"]) if "thread_id" in place else None,
                ns=place.get("checkpoint_ns"),
                checkpoint_id=get_checkpoint_id(config) if config else None,
                before=get_checkpoint_id(before) if before else None,
                limit=None if filter else limit,
                with_writes=True,
            )
        )
        for step in steps:
            metadata = CODEC.loads(step.metadata)
            if any(metadata.get(name) != value for name, value in (filter or {}).items()):
                continue
            if limit is not None:
                if limit <= 0:
                    return
                limit -= 1
            yield self._tuple(step)

    def _tuple(self, step: Step) -> CheckpointTuple:
        values = self._values
        return CheckpointTuple(
            config=_config(step, step.checkpoint_id),
            checkpoint=values.loads(step.checkpoint),
            metadata=CODEC.loads(step.metadata),
            parent_config=_config(step, step.parent_id) if step.parent_id else None,
            pending_writes=[(write.task_id, write.channel, values.loads(write.value)) for write in step.writes],
        )

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002 -- whole states are stored
    ) -> RunnableConfig:
        """Store a step."""
        place = config["configurable"]
        said = get_checkpoint_metadata(config, metadata)
        run = said.get("run_id")
        step = Step(
            tenant=self._tenant,
            thread_id=str(place["thread_id"]),
            ns=place.get("checkpoint_ns", ""),
            checkpoint_id=checkpoint["id"],
            parent_id=place.get("checkpoint_id"),
            run_id=None if run is None else str(run),
            checkpoint=self._values.dumps(dict(checkpoint)),
            metadata=CODEC.dumps(dict(said)),
        )
        self._store.keep(step)
        return _config(step, step.checkpoint_id)

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what a task wrote."""
        place = config["configurable"]
        numbered = {
            (task_id, WRITES_IDX_MAP.get(channel, number)): (channel, value, task_path)
            for number, (channel, value) in enumerate(writes)
        }
        self.take_writes((str(place["thread_id"]), place.get("checkpoint_ns", ""), place["checkpoint_id"]), numbered)

    def take_writes(self, place: tuple[str, str, str], writes: Mapping[tuple[str, int], tuple[str, Any, str]]) -> None:
        """Writes that are numbered already: (task, number) → channel, value and path."""
        values, (thread, ns, checkpoint_id) = self._values, place
        taken = [
            Write(
                checkpoint_id=checkpoint_id,
                task_id=task_id,
                idx=idx,
                channel=channel,
                task_path=path,
                value=values.dumps(value),
            )
            for (task_id, idx), (channel, value, path) in writes.items()
        ]
        self._store.keep(
            Writes(tenant=self._tenant, thread_id=thread, ns=ns, checkpoint_id=checkpoint_id, writes=tuple(taken))
        )

    def delete_thread(self, thread_id: str) -> None:
        """Remove a thread."""
        self._store.drop(StepQuery(tenant=self._tenant, thread=str(thread_id)))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the steps that these runs made."""
        self._store.drop(StepQuery(tenant=self._tenant, runs=tuple(map(str, run_ids))))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Every step and write of a thread again, under another name."""
        with self._store.transaction():
            for step in self._store.steps(
                StepQuery(tenant=self._tenant, thread=str(source_thread_id), with_writes=True)
            ):
                self._store.keep(replace(step, thread_id=str(target_thread_id)))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest step of each namespace, with the older ones that its delta channels are rebuilt from."""
        if strategy not in ("keep_latest", "delete"):
            raise InvalidInput("strategy must be keep_latest or delete.")
        for thread in map(str, thread_ids):
            if strategy == "delete":
                self._store.drop(StepQuery(tenant=self._tenant, thread=thread))
                continue
            steps = self._store.steps(StepQuery(tenant=self._tenant, thread=thread))
            spaces = [[step for step in steps if step.ns == ns] for ns in {step.ns for step in steps}]
            kept = {place for space in spaces for place in self._needed(space)}
            with self._store.transaction():
                for step in steps:
                    if (step.ns, step.checkpoint_id) not in kept:
                        self._store.drop(
                            StepQuery(tenant=self._tenant, thread=thread, ns=step.ns, checkpoint_id=step.checkpoint_id)
                        )

    def _needed(self, steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
        """The latest step of a namespace and, from there back, those that a delta channel is rebuilt from."""
        by_id, values = {step.checkpoint_id: step for step in steps}, self._values
        step: Step | None = steps[0]
        missing: set[str] | None = None
        while step is not None:
            yield step.ns, step.checkpoint_id
            if missing is None:
                missing = set(CODEC.loads(step.metadata).get("counters_since_delta_snapshot", ()))
            missing -= set(values.loads(step.checkpoint).get("channel_values", ()))
            step = by_id.get(step.parent_id or "") if missing else None

    def get_next_version(self, current: Any, channel: None) -> Any:  # noqa: ANN401, ARG002 -- LangGraph's signature
        """The next version of a channel, in the form of the one before."""
        if current is None:
            return 1
        if isinstance(current, str):
            return f"{int(current.partition('.')[0]) + 1:032}"
        return current + 1

    # --- the same for asyncio, on threads ---

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """See `get_tuple`."""
        return await on_thread(self.get_tuple, config)

    async def alist(self, config: RunnableConfig | None, **options: Any) -> AsyncIterator[CheckpointTuple]:  # noqa: ANN401 -- as the framework calls it
        """See `list`."""
        for item in await on_thread(lambda: [*self.list(config, **options)]):
            yield item

    async def aput(self, *arguments: Any) -> RunnableConfig:  # noqa: ANN401 -- as the framework calls it
        """See `put`."""
        return await on_thread(self.put, *arguments)

    async def aput_writes(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 -- as the framework calls it
        """See `put_writes`."""
        await on_thread(self.put_writes, *arguments, **options)

    async def adelete_thread(self, thread_id: str) -> None:
        """See `delete_thread`."""
        await on_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """See `delete_for_runs`."""
        await on_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """See `copy_thread`."""
        await on_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """See `prune`."""
        await on_thread(lambda: self.prune(thread_ids, strategy=strategy))


def _config(step: Step, checkpoint_id: str) -> RunnableConfig:
    place = {"thread_id": step.thread_id, "checkpoint_ns": step.ns, "checkpoint_id": checkpoint_id}
    return {"configurable": place}


def import_saver(source: InMemorySaver, target: Saver) -> tuple[int, int]:
    """Take over everything an in-memory saver holds; how many steps and writes, counted again where they are now."""
    steps = writes = 0
    threads = sorted({str(thread) for thread in source.storage})
    for item in sorted(source.list(None), key=lambda one: one.config["configurable"]["checkpoint_id"]):
        place = item.config["configurable"]
        parent = item.parent_config["configurable"]["checkpoint_id"] if item.parent_config else None
        before = {key: value for key, value in place.items() if key != "checkpoint_id"}
        before |= {"checkpoint_id": parent} if parent else {}
        target.put({"configurable": before}, item.checkpoint, item.metadata, {})
        steps += 1
    for (thread, ns, checkpoint_id), written in source.writes.items():
        target.take_writes(
            (str(thread), ns, checkpoint_id),
            {
                number: (channel, source.serde.loads_typed(value), path)
                for number, (_, channel, value, path) in written.items()
            },
        )
        writes += len(written)
    found = [item for thread in threads for item in target.list({"configurable": {"thread_id": thread}})]
    there = (len(found), sum(len(item.pending_writes or ()) for item in found))
    if there != (steps, writes):
        raise StoreError(f"{steps} steps and {writes} writes were read, {there} are there.", code="import_incomplete")
    return steps, writes
