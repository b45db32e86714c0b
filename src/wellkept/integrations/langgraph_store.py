"""LangGraph's long-term store on the memory's own: items by namespace and key, found by filter and by words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

from wellkept.errors import InvalidInput
from wellkept.integrations.langgraph_codec import CODEC
from wellkept.policies.text.words import query_terms, term_counts
from wellkept.store.contract import Item as StoredItem

if TYPE_CHECKING:
    from langgraph.store.base import Op, Result

    from wellkept.api import Memory


class LongTermStore(BaseStore):
    """LangGraph's store for what outlives threads. A search with a query ranks by the words that are found."""

    def __init__(self, memory: Memory, *, tenant: str = "default") -> None:
        self._memory = memory
        self._store = memory.engine.store
        self._tenant = tenant

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations in order, all in one transaction."""
        with self._store.transaction():
            return [self._one(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """See `batch`."""
        return await asyncio.to_thread(self.batch, [*ops])

    def _one(self, op: Op) -> Result:
        match op:
            case GetOp():
                found = self._store.item(self._tenant, op.namespace, op.key)
                return None if found is None else _item(found)
            case PutOp():
                self._put(op)
                return None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return _namespaces(op, {item.namespace for item in self._store.items(self._tenant, ())})
        raise InvalidInput(f"Unknown operation {type(op).__name__}.")

    def _put(self, op: PutOp) -> None:
        if op.value is None:
            self._store.drop_item(self._tenant, op.namespace, op.key)
            return
        now = self._memory.engine.clock()
        self._store.put_item(
            StoredItem(
                tenant=self._tenant,
                namespace=op.namespace,
                key=op.key,
                value=CODEC.dumps(op.value),
                created_at=now,
                updated_at=now,
            )
        )

    def _search(self, op: SearchOp) -> list[SearchItem]:
        found = [
            (item, value)
            for item in self._store.items(self._tenant, op.namespace_prefix)
            if _passes(value := CODEC.loads(item.value), op.filter or {})
        ]
        terms = tuple(query_terms(op.query)) if op.query else ()
        scored = [(_share(terms, item.value), item, value) for item, value in found]
        if terms:
            scored.sort(key=lambda one: -one[0])
        page = scored[op.offset : op.offset + op.limit]
        return [
            SearchItem(
                namespace=item.namespace,
                key=item.key,
                value=value,
                created_at=item.created_at,
                updated_at=item.updated_at,
                score=score if terms else None,
            )
            for score, item, value in page
        ]


def _item(found: StoredItem) -> Item:
    return Item(
        namespace=found.namespace,
        key=found.key,
        value=CODEC.loads(found.value),
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
    return all(_compares(value.get(name), condition) for name, condition in wanted.items())


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
