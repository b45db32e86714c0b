"""LangGraph's long-term store on the memory's own: items by namespace and key, found by filter, words or meaning."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

# Says what to install, so it stands above LangGraph's own.
from wellkept.integrations.adapter import on_thread, unit
from wellkept.integrations.langgraph_codec import GraphCodec, Serializer

from langchain_core.embeddings import Embeddings  # isort: skip
from langgraph.store.base import (  # isort: skip
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    PutOp,
    SearchItem,
    SearchOp,
    ensure_embeddings,
    get_text_at_path,
    tokenize_path,
)

from wellkept.errors import InvalidInput
from wellkept.policies.text.words import query_terms, term_counts
from wellkept.store.contract import Item as StoredItem
from wellkept.store.contract import ItemKey
from wellkept.store.tagged import Kind
from wellkept.values import frozen

if TYPE_CHECKING:
    from langgraph.store.base import IndexConfig, Op, Result

    from wellkept.api import Memory
    from wellkept.models.base import Embedder

WHOLE = "$"
Vectors = Mapping[str, Sequence[float]]
"""Text → its vector."""


@frozen
class Indexed:
    """An item's value with the vectors it is found by; those of another embedder are not compared."""

    value: Any
    embedder: str
    vectors: tuple[bytes, ...]


def _indexed_plain(one: Indexed) -> list[Any]:
    return [one.value, one.embedder, [base64.b64encode(vector).decode("ascii") for vector in one.vectors]]


def _indexed_made(stored: list[Any]) -> Indexed:
    value, embedder, vectors = stored
    return Indexed(value=value, embedder=embedder, vectors=tuple(map(base64.b64decode, vectors)))


CODEC = GraphCodec(Serializer(), {"graph.Indexed": Kind(type=Indexed, plain=_indexed_plain, made=_indexed_made)})


class OwnEmbeddings(Embeddings):
    """The memory's embedder, as LangChain calls one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = f"{embedder.model_id}@{embedder.weights_hash[:8]}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a text."""
        return [row.tolist() for row in self._embedder.embed(texts)] if texts else []

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query."""
        return self.embed_documents([text])[0]


class LongTermStore(BaseStore):
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
        """See `batch`."""
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
        found = [get_text_at_path(op.value, path if path == WHOLE else tokenize_path(path)) for path in paths]
        return [text for texts in found for text in texts if text.strip()]

    def _one(self, op: Op, vectors: Vectors) -> Result:
        match op:
            case GetOp():
                found = next(iter(self._store.items(self._tenant, op.namespace, key=op.key)), None)
                return None if found is None else _item(found)
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
        texts = self._texts_of(op)
        value = op.value if not texts else self._indexed(op.value, [vectors[text] for text in texts])
        self._store.keep(
            StoredItem(
                tenant=self._tenant,
                namespace=op.namespace,
                key=op.key,
                value=CODEC.dumps(value),
                created_at=now,
                updated_at=now,
            )
        )

    def _indexed(self, value: Any, rows: Sequence[Sequence[float]]) -> Indexed:  # noqa: ANN401 -- any JSON
        return Indexed(value=value, embedder=self._embedder_name, vectors=tuple(map(unit, rows)))

    @property
    def _embedder_name(self) -> str:
        return getattr(self.embeddings, "name", "") or type(self.embeddings).__name__

    def _search(self, op: SearchOp, vectors: Vectors) -> list[SearchItem]:
        loaded = [(item, _opened(item)) for item in self._store.items(self._tenant, op.namespace_prefix)]
        found = [(item, one) for item, one in loaded if _passes(one.value, op.filter or {})]
        scored: list[tuple[float | None, StoredItem, Any]]
        if op.query and self.embeddings:
            scores = self._near(vectors[op.query], [one for _, one in found])
        else:
            terms = tuple(query_terms(op.query)) if op.query else ()
            scores = [_share(terms, CODEC.dumps(one.value)) if terms else None for _, one in found]
        scored = [(score, item, one.value) for score, (item, one) in zip(scores, found, strict=True)]
        # What has no score comes last; without any, the order of the store stays.
        scored.sort(key=lambda one: -2.0 if one[0] is None else one[0], reverse=True)
        return [
            SearchItem(
                namespace=item.namespace,
                key=item.key,
                value=value,
                created_at=item.created_at,
                updated_at=item.updated_at,
                score=score,
            )
            for score, item, value in scored[op.offset : op.offset + op.limit]
        ]

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
        return ensure_embeddings(index.get("embed"))
    if memory.engine.embedder is None:
        raise InvalidInput("index needs `embed`, or a memory that was opened with an embedder.", code="no_embedder")
    return OwnEmbeddings(memory.engine.embedder)


def _opened(item: StoredItem) -> Indexed:
    value = CODEC.loads(item.value)
    return value if isinstance(value, Indexed) else Indexed(value=value, embedder="", vectors=())


def _item(found: StoredItem) -> Item:
    return Item(
        namespace=found.namespace,
        key=found.key,
        value=_opened(found).value,
        created_at=found.created_at,
        updated_at=found.updated_at,
    )


def _share(terms: Sequence[str], text: str) -> float:
    """Which share of the query's words stands in it."""
    return len({*terms} & {*term_counts(text)}) / len({*terms}) if terms else 0.0


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda found, wanted: found == wanted,
    "$ne": lambda found, wanted: found != wanted,
    "$gt": lambda found, wanted: found is not None and float(found) > float(wanted),
    "$gte": lambda found, wanted: found is not None and float(found) >= float(wanted),
    "$lt": lambda found, wanted: found is not None and float(found) < float(wanted),
    "$lte": lambda found, wanted: found is not None and float(found) <= float(wanted),
}


def _passes(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(_compares(_at(value, name), condition) for name, condition in wanted.items())


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
