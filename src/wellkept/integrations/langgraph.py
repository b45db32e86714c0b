"""LangGraph on the same store: a checkpoint saver and a long-term store. Never pickle; stored data never runs.

What the state of a graph may hold is stored as tagged JSON; what JSON has no word for goes through LangGraph's
serializer. What is loaded cannot name code: the serializer makes values of LangChain and LangGraph, and the data
classes (pydantic, dataclass, enum, named tuple) of modules that the program itself has imported. Of anything else the
plain data comes back.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput, StoreError
from wellkept.integrations.adapter import missing, on_thread, threaded, unit
from wellkept.policies.words import query_terms, term_counts
from wellkept.store.contract import Item as StoredItem
from wellkept.store.contract import ItemKey, Step, StepQuery, Write, Writes
from wellkept.store.tagged import KINDS, TAG, VALUE, Codec, Kind
from wellkept.values import frozen

try:
    import ormsgpack
    from langchain_core import messages as chat
    from langchain_core.embeddings import Embeddings
    from langgraph.checkpoint import base
    from langgraph.checkpoint.base import CheckpointTuple, get_checkpoint_id
    from langgraph.checkpoint.serde._msgpack import STRICT_MSGPACK_ENABLED
    from langgraph.checkpoint.serde.jsonplus import EXT_DELTA_SNAPSHOT, EXT_NUMPY_ARRAY, JsonPlusSerializer
    from langgraph.checkpoint.serde.types import _DeltaSnapshot
    from langgraph.store import base as stores
    from langgraph.store.base import GetOp, ListNamespacesOp, PutOp, SearchItem, SearchOp
    from langgraph.types import Interrupt, Send
except ModuleNotFoundError as error:
    raise missing("LangGraph", "langgraph") from error

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.serde.base import SerializerProtocol
    from langgraph.store.base import IndexConfig, Op, Result

    from wellkept.api import Memory
    from wellkept.models import Embedder

__all__ = ["LongTermStore", "Saver", "import_saver"]
MESSAGES = (
    chat.AIMessage, chat.AIMessageChunk, chat.ChatMessage, chat.ChatMessageChunk, chat.FunctionMessage,
    chat.FunctionMessageChunk, chat.HumanMessage, chat.HumanMessageChunk, chat.RemoveMessage, chat.SystemMessage,
    chat.SystemMessageChunk, chat.ToolMessage, chat.ToolMessageChunk,
)  # fmt: skip
SERIALIZED = "graph.serialized"
PICKLE = "pickle"
PLAIN_FORMS = ("null", "bytes", "bytearray", "msgpack")
MODELS = {("pydantic.main", "BaseModel"), ("pydantic.v1.main", "BaseModel")}


def _made_of(kind: type) -> Callable[[Any], Any]:
    return lambda stored: kind(**stored)


def _send_plain(value: Send) -> dict[str, Any]:
    timeout = getattr(value, "timeout", None)
    return {"node": value.node, "arg": value.arg} | ({} if timeout is None else {"timeout": timeout})


# What a graph's state holds most: these are stored in clear.
READABLE = {
    **{
        f"message.{kind.__name__}": Kind(type=kind, plain=lambda value: value.model_dump(), made=_made_of(kind))
        for kind in MESSAGES
    },
    "graph.Send": Kind(type=Send, plain=_send_plain, made=_made_of(Send)),
    "graph.Interrupt": Kind(
        type=Interrupt,
        plain=lambda value: {"value": value.value, "id": value.id},
        made=lambda stored: Interrupt(value=stored["value"], id=stored["id"]),
    ),
    "graph.DeltaSnapshot": Kind(type=_DeltaSnapshot, plain=lambda value: value.value, made=_DeltaSnapshot),
    # An error is kept as what it said; nobody raises it again.
    "error": Kind(type=BaseException, plain=repr, made=str, holds_subclasses=True),
    **KINDS,
}


class Serializer(JsonPlusSerializer):
    """LangGraph's own, which names the class of what it stores; only data classes are made of it again."""

    def __init__(self) -> None:
        super().__init__(pickle_fallback=False, allowed_msgpack_modules=None)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:  # noqa: ANN401 -- whatever was stored
        """The value again; LANGGRAPH_STRICT_MSGPACK leaves only LangGraph's list and the types of the graph's state."""
        form, content = data
        if form not in PLAIN_FORMS:
            raise InvalidInput(f"A value stored as {form!r} is not read.", code="unknown_tag")
        if form != "msgpack" or STRICT_MSGPACK_ENABLED:
            return super().loads_typed(data)
        known = [name for name in _named(content) if _is_data_class(*name)]
        return JsonPlusSerializer.loads_typed(self.with_msgpack_allowlist(known), data)


def _named(content: bytes) -> set[tuple[str, str]]:
    """The classes that stored values name, at any depth."""
    found: set[tuple[str, str]] = set()

    def look(code: int, inner: bytes) -> None:
        if code == EXT_NUMPY_ARRAY:
            return
        value = ormsgpack.unpackb(inner, ext_hook=look, option=ormsgpack.OPT_NON_STR_KEYS)
        if code != EXT_DELTA_SNAPSHOT:
            found.add((str(value[0]), str(value[1])))

    ormsgpack.unpackb(content, ext_hook=look, option=ormsgpack.OPT_NON_STR_KEYS)
    return found


def _is_data_class(module: str, name: str) -> bool:
    """Whether the program has imported a class of this name that only holds data. Imports nothing."""
    found = getattr(sys.modules.get(module), name, None)
    if not isinstance(found, type):
        return False
    is_model = any((base.__module__, base.__name__) in MODELS for base in found.__mro__)
    is_named_tuple = issubclass(found, tuple) and hasattr(found, "_fields")
    is_secret = found.__module__ == "pydantic.types" and hasattr(found, "get_secret_value")
    return is_model or is_named_tuple or is_secret or issubclass(found, Enum) or dataclasses.is_dataclass(found)


class GraphCodec:
    """Values as text and back. With a serializer of the application's own, everything goes through that one."""

    def __init__(self, serde: SerializerProtocol, more: Mapping[str, Kind] | None = None) -> None:
        self._serde = serde
        # Kinds are tried in order: what no other kind takes is the serializer's.
        rest = Kind(type=object, plain=self._serialized, made=self._deserialized, holds_subclasses=True)
        self._codec = Codec(kinds={**(more or {}), **READABLE, SERIALIZED: rest})

    def dumps(self, value: object) -> str:
        if isinstance(self._serde, Serializer):
            return self._codec.dumps(value)
        return json.dumps({TAG: SERIALIZED, VALUE: self._serialized(value)})

    def loads(self, text: str) -> Any:  # noqa: ANN401 -- whatever was stored
        return self._codec.loads(text)

    def _serialized(self, value: object) -> list[str]:
        try:
            form, content = self._serde.dumps_typed(value)
        except (TypeError, ValueError) as error:
            kind = type(value).__name__
            raise InvalidInput(
                f"A value of type {kind} cannot be stored as JSON or msgpack.", code="not_json"
            ) from error
        if PICKLE in form:
            raise InvalidInput("A pickled value cannot be stored: use a serializer without pickle.", code="not_json")
        return [form, base64.b64encode(content).decode("ascii")]

    def _deserialized(self, stored: list[str]) -> Any:  # noqa: ANN401 -- whatever was stored
        form, content = stored
        if PICKLE in form:
            raise InvalidInput("A pickled value is not read.", code="unknown_tag")
        return self._serde.loads_typed((form, base64.b64decode(content, validate=True)))


CODEC = GraphCodec(Serializer())


# --- Every step of a graph.


class Saver(base.BaseCheckpointSaver[Any]):
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
        place = config["configurable"]
        said = base.get_checkpoint_metadata(config, metadata)
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
        place = config["configurable"]
        numbered = {
            (task_id, base.WRITES_IDX_MAP.get(channel, number)): (channel, value, task_path)
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
        self._store.drop(StepQuery(tenant=self._tenant, thread=str(thread_id)))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
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

    # --- The same for asyncio, on threads.

    aget_tuple = threaded(get_tuple)
    aput = threaded(put)
    aput_writes = threaded(put_writes)
    adelete_thread = threaded(delete_thread)
    adelete_for_runs = threaded(delete_for_runs)
    acopy_thread = threaded(copy_thread)
    aprune = threaded(prune)

    async def alist(self, config: RunnableConfig | None, **options: Any) -> AsyncIterator[CheckpointTuple]:  # noqa: ANN401 -- as the framework calls it
        for item in await on_thread(lambda: [*self.list(config, **options)]):
            yield item


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


# --- What outlives threads: items by namespace and key, found by filter, words or meaning.

WHOLE = "$"
Vectors = Mapping[str, Sequence[float]]
"""Text → its vector."""


@frozen
class Indexed:
    """An item's value with the vectors it is found by; those of another embedder are not compared."""

    value: Any
    embedder: str
    vectors: tuple[bytes, ...]


_INDEXED = Kind(
    type=Indexed,
    plain=lambda one: [one.value, one.embedder, [base64.b64encode(row).decode("ascii") for row in one.vectors]],
    made=lambda stored: Indexed(value=stored[0], embedder=stored[1], vectors=tuple(map(base64.b64decode, stored[2]))),
)
_ITEMS = GraphCodec(Serializer(), {"graph.Indexed": _INDEXED})


class OwnEmbeddings(Embeddings):
    """The memory's embedder, as LangChain calls one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = f"{embedder.model_id}@{embedder.weights_hash[:8]}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [row.tolist() for row in self._embedder.embed(texts)] if texts else []

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class LongTermStore(stores.BaseStore):
    """LangGraph's store for what outlives threads.

    A search with a query ranks by the words that are found. With `index` (LangGraph's `IndexConfig`; `{}` is enough) it
    ranks by meaning: with `embed` as given there, else with the memory's own embedder.
    """

    def __init__(self, memory: Memory, *, tenant: str = "default", index: IndexConfig | None = None) -> None:
        self._memory = memory
        self._store = memory.engine.store
        self._tenant = tenant
        self.index_config = index
        self.embeddings = None if index is None else _embeddings(index, memory)
        wanted = (index or {}).get("fields") or (index or {}).get("text_fields") or [WHOLE]
        self._fields = [str(path) for path in wanted] if isinstance(wanted, list) else [str(wanted)]

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations in order, all in one transaction."""
        asked = [*ops]
        texts = self._texts(asked)
        made = self.embeddings.embed_documents(texts) if self.embeddings and texts else []
        return self._run(asked, dict(zip(texts, made, strict=True)) if self.embeddings else {})

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked = [*ops]
        texts = self._texts(asked)
        made = await self.embeddings.aembed_documents(texts) if self.embeddings and texts else []
        vectors = dict(zip(texts, made, strict=True)) if self.embeddings else {}
        return await on_thread(self._run, asked, vectors)

    def _run(self, ops: Sequence[Op], vectors: Vectors) -> list[Result]:
        with self._store.transaction():
            return [self._one(op, vectors) for op in ops]

    def _texts(self, ops: Sequence[Op]) -> list[str]:
        """Everything that needs a vector, before the transaction opens."""
        texts: dict[str, None] = {}
        for op in ops:
            if isinstance(op, PutOp):
                texts |= dict.fromkeys(self._texts_of(op))
            elif isinstance(op, SearchOp) and op.query:
                texts[op.query] = None
        return [*texts]

    def _texts_of(self, op: PutOp) -> list[str]:
        if op.value is None or op.index is False or self.embeddings is None:
            return []
        paths = self._fields if op.index is None else op.index
        found = [
            stores.get_text_at_path(op.value, path if path == WHOLE else stores.tokenize_path(path)) for path in paths
        ]
        return [text for texts in found for text in texts if text.strip()]

    def _one(self, op: Op, vectors: Vectors) -> Result:
        match op:
            case GetOp():
                found = next(iter(self._store.items(self._tenant, op.namespace, key=op.key)), None)
                return None if found is None else stores.Item(**_place(found), value=_opened(found).value)
            case PutOp():
                self._put(op, vectors)
                return None
            case SearchOp():
                return self._search(op, vectors)
            case ListNamespacesOp():
                return _namespaces(op, {item.namespace for item in self._store.items(self._tenant, ())})
        raise InvalidInput(f"Unknown operation {type(op).__name__}.")

    def _put(self, op: PutOp, vectors: Vectors) -> None:
        if op.value is None:
            self._store.drop(ItemKey(tenant=self._tenant, namespace=op.namespace, key=op.key))
            return
        if op.ttl is not None:
            raise InvalidInput("Items of this store do not expire: leave out ttl.", code="unsupported")
        now = self._memory.engine.clock()
        value: Any = op.value
        rows = tuple(unit(vectors[text]) for text in self._texts_of(op))
        if rows:
            value = Indexed(value=value, embedder=self._embedder_name, vectors=rows)
        self._store.keep(
            StoredItem(
                tenant=self._tenant,
                namespace=op.namespace,
                key=op.key,
                value=_ITEMS.dumps(value),
                created_at=now,
                updated_at=now,
            )
        )

    @property
    def _embedder_name(self) -> str:
        return getattr(self.embeddings, "name", "") or type(self.embeddings).__name__

    def _search(self, op: SearchOp, vectors: Vectors) -> list[SearchItem]:
        loaded = [(item, _opened(item)) for item in self._store.items(self._tenant, op.namespace_prefix)]
        wanted = (op.filter or {}).items()
        found = [pair for pair in loaded if all(_compares(_at(pair[1].value, name), one) for name, one in wanted)]
        terms = {*query_terms(op.query)} if op.query else set()
        scores: list[float | None] = [None] * len(found)
        if op.query and self.embeddings:
            scores = self._near(vectors[op.query], [one for _, one in found])
        elif terms:  # the share of the query's words that stand in the item
            scores = [len(terms & {*term_counts(_ITEMS.dumps(one.value))}) / len(terms) for _, one in found]
        scored = [(score, item, one.value) for score, (item, one) in zip(scores, found, strict=True)]
        # What has no score comes last; without any, the order of the store stays.
        scored.sort(key=lambda one: -2.0 if one[0] is None else one[0], reverse=True)
        chosen = scored[op.offset : op.offset + op.limit]
        return [SearchItem(**_place(item), value=value, score=score) for score, item, value in chosen]

    def _near(self, query: Sequence[float], found: Sequence[Indexed]) -> list[float | None]:
        """The cosine of the nearest vector of each item."""
        import numpy as np

        wanted = np.frombuffer(unit(query), dtype=np.float32)
        scores: list[float | None] = []
        for one in found:
            own = one.vectors if one.embedder == self._embedder_name else ()
            rows = [np.frombuffer(row, dtype=np.float32) for row in own if len(row) == wanted.nbytes]
            scores.append(float(max(row @ wanted for row in rows)) if rows else None)
        return scores


def _embeddings(index: IndexConfig, memory: Memory) -> Embeddings:
    if index.get("embed") is not None:
        return stores.ensure_embeddings(index.get("embed"))
    if memory.engine.embedder is None:
        raise InvalidInput("index needs `embed`, or a memory that was opened with an embedder.", code="no_embedder")
    return OwnEmbeddings(memory.engine.embedder)


def _opened(item: StoredItem) -> Indexed:
    value = _ITEMS.loads(item.value)
    return value if isinstance(value, Indexed) else Indexed(value=value, embedder="", vectors=())


def _place(item: StoredItem) -> dict[str, Any]:
    return {name: getattr(item, name) for name in ("namespace", "key", "created_at", "updated_at")}


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda found, wanted: found == wanted,
    "$ne": lambda found, wanted: found != wanted,
    "$gt": lambda found, wanted: found is not None and float(found) > float(wanted),
    "$gte": lambda found, wanted: found is not None and float(found) >= float(wanted),
    "$lt": lambda found, wanted: found is not None and float(found) < float(wanted),
    "$lte": lambda found, wanted: found is not None and float(found) <= float(wanted),
}


def _at(value: Any, name: str) -> Any:  # noqa: ANN401 -- any JSON
    """What stands under a name, or under a path of names joined by dots."""
    if not isinstance(value, Mapping):
        return None
    if name in value or "." not in name:
        return value.get(name)
    first, _, rest = name.partition(".")
    return _at(value.get(first), rest)


def _compares(found: Any, condition: Any) -> bool:  # noqa: ANN401 -- any JSON
    if not (isinstance(condition, dict) and any(key.startswith("$") for key in condition)):
        return bool(found == condition)
    if not condition.keys() <= _COMPARISONS.keys():
        raise InvalidInput(f"A filter may use {', '.join(_COMPARISONS)}.", code="invalid_filter")
    return all(_COMPARISONS[name](found, wanted) for name, wanted in condition.items())


def _namespaces(op: ListNamespacesOp, known: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    def fits(namespace: tuple[str, ...]) -> bool:
        return all(_matches(namespace, one.match_type, one.path) for one in op.match_conditions or ())

    shortened = {name[: op.max_depth] if op.max_depth else name for name in known if fits(name)}
    return sorted(shortened)[op.offset : op.offset + op.limit]


def _matches(namespace: tuple[str, ...], kind: str, path: Sequence[str]) -> bool:
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if kind == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", found) for found, wanted in zip(part, path, strict=True))
