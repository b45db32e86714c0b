"""CrewAI: storage for its unified memory, per user, and the memory's own embedder for its vectors."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput
from wellkept.integrations.adapter import Records, missing, threaded, unit

try:
    from crewai.memory.storage.backend import EmbeddingDimensionMismatchError
    from crewai.memory.types import MemoryRecord, ScopeInfo
except ImportError as error:
    raise missing("CrewAI", "crewai") from error

if TYPE_CHECKING:
    from wellkept.api import Viewpoint

__all__ = ["Storage", "embedder"]
ROOT = "/"
VECTOR = "vector"


def embedder(view: Viewpoint) -> Callable[[list[str]], list[list[float]]]:
    """For `Memory(embedder=…)`: the embedder that the memory was opened with; nothing leaves the machine."""
    model = view.memory.engine.embedder
    if model is None:
        raise InvalidInput("The memory was opened without an embedder.", code="no_embedder")
    return lambda texts: [row.tolist() for row in model.embed(texts)]


class Storage:
    """CrewAI's `StorageBackend`: `Crew(memory=Memory(storage=Storage(view), embedder=embedder(view)))`.

    Scopes and categories are CrewAI's own and stay within the user of the viewpoint. Secrets in texts are masked.
    """

    def __init__(self, view: Viewpoint) -> None:
        self._records = Records(view, "crewai")
        self._clock = view.memory.engine.clock

    def save(self, records: list[MemoryRecord]) -> None:
        with self._records.together():
            for record in records:
                self.update(record)

    def update(self, record: MemoryRecord) -> None:
        """Keep a record in place of the one with its id; without a vector, it keeps the one it has."""
        value = record.model_dump(mode="json")
        if record.embedding:
            value[VECTOR] = base64.b64encode(unit(record.embedding)).decode("ascii")
        else:
            value |= {VECTOR: (self._records.get(record.id) or {}).get(VECTOR)}
        self._records.put(record.id, value)

    def search(  # noqa: PLR0917 -- CrewAI's signature
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """The nearest records by cosine, best first."""
        import numpy as np

        wanted = np.frombuffer(unit(query_embedding), dtype=np.float32)
        found: list[tuple[MemoryRecord, float]] = []
        for value in self._fitting(scope_prefix, categories, metadata_filter):
            if not value.get(VECTOR):
                continue
            row = np.frombuffer(base64.b64decode(value[VECTOR]), dtype=np.float32)
            if len(row) != len(wanted):
                raise EmbeddingDimensionMismatchError(len(row), len(wanted))
            score = float(row @ wanted)
            if score >= min_score:
                found.append((_record(value), score))
        return sorted(found, key=lambda one: -one[1])[:limit]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Remove the records that fit everything that is asked; how many."""
        with self._records.together():
            fitting = list(self._fitting(scope_prefix, categories, metadata_filter))
            gone = [
                value["id"]
                for value in fitting
                if (record_ids is None or value["id"] in record_ids)
                and (older_than is None or _zoned(_record(value).created_at) < _zoned(older_than))
            ]
            self._records.remove(gone)
        return len(gone)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        found = self._records.get(record_id)
        return None if found is None else _record(found)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        found = [_record(value) for value in self._fitting(scope_prefix)]
        return sorted(found, key=lambda one: _zoned(one.created_at), reverse=True)[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """How many records a scope has, of which categories and times, and what is right below it."""
        records = [_record(value) for value in self._fitting(scope)]
        times = sorted(record.created_at for record in records)
        return ScopeInfo(
            path=scope.rstrip(ROOT) or ROOT,
            record_count=len(records),
            categories=sorted({category for record in records for category in record.categories}),
            oldest_record=times[0] if times else None,
            newest_record=times[-1] if times else None,
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = ROOT) -> list[str]:
        above = _scope(parent) + ROOT
        scopes = {_scope(value["scope"]) for value in self._fitting(parent)}
        return sorted({above + scope.removeprefix(above).split(ROOT)[0] for scope in scopes if scope.startswith(above)})

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """Category → how many records have it."""
        counts: dict[str, int] = {}
        for value in self._fitting(scope_prefix):
            for category in value["categories"]:
                counts[category] = counts.get(category, 0) + 1
        return counts

    def count(self, scope_prefix: str | None = None) -> int:
        return len([*self._fitting(scope_prefix)])

    def reset(self, scope_prefix: str | None = None) -> None:
        self.delete(scope_prefix)

    def touch_records(self, record_ids: list[str]) -> None:
        now = self._clock()
        with self._records.together():
            for record_id in record_ids:
                value = self._records.get(record_id)
                if value is not None:
                    self._records.put(record_id, {**value, "last_accessed": now.replace(tzinfo=None).isoformat()})

    asave = threaded(save)
    asearch = threaded(search)
    adelete = threaded(delete)

    def _fitting(
        self,
        scope_prefix: str | None = None,
        categories: Sequence[str] | None = None,
        metadata_filter: Mapping[str, Any] | None = None,
    ) -> Iterator[dict[str, Any]]:
        scope = _scope(scope_prefix or ROOT)
        for value in self._records.all().values():
            own = _scope(value["scope"])
            is_within = own == scope or own.startswith(scope + ROOT)
            is_of_kind = not categories or any(category in value["categories"] for category in categories)
            has_metadata = all(value["metadata"].get(name) == want for name, want in (metadata_filter or {}).items())
            if is_within and is_of_kind and has_metadata:
                yield value


def _record(value: Mapping[str, Any]) -> MemoryRecord:
    return MemoryRecord.model_validate({name: one for name, one in value.items() if name != VECTOR})


def _scope(path: str) -> str:
    """With a slash before every part and none at the end; the root is empty."""
    return "".join(f"{ROOT}{part}" for part in path.split(ROOT) if part)


def _zoned(at: datetime) -> datetime:
    """CrewAI writes times of UTC without a zone."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
