"""Ticks, phases and traces of governed sessions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from operator import itemgetter
from typing import Any, ClassVar

from wellkept.policies.governance.phases import Phase
from wellkept.store.contract import (
    ChainEnd,
    Entry,
    GovernedSession,
    LedgerRow,
    Living,
    NewPhase,
    Opening,
    Trace,
    TracedUntil,
)
from wellkept.store.core import edge_columns
from wellkept.store.encoding import Row, canonical, from_json, json_list, micros, record_of
from wellkept.store.parts.ledger import ledger_row
from wellkept.store.parts.memories import MemoriesPart
from wellkept.types import Edge
from wellkept.vocabulary import EdgeKind, Kind, Space

ERASED = "(erased)"
NO_SCOPE = -1
"""Stands for a scope that nothing was written to."""
NO_LIMIT = 2**31 - 1
NEWEST = 50
"""Calls whose traces are looked through for a policy; most name one."""
_POLICIES = ("policy", "policy_snapshot")
# Codes, references and counts; everything else in an event may be somebody's words.
_CODES = frozenset(
    {
        "type", "reason", "rule", "action", "from_space", "to_space", "space", "allowed", "memory_id", "winner_id",
        "loser_id", "from_id", "to_id", "authority_used", "phase_id", "phase_started_at", "from_phase_id",
        "to_phase_id", "added_count", "deleted_count", "replaced_count", "deterministic_hash", "spaces_consulted",
        "recall_counts", "phase_counts", "policy", "policy_snapshot", "id", "kind", "source", "created_at",
        "importance", "scope",
    }
)  # fmt: skip
_tick_of = itemgetter(0)
_LISTS = ("recalled", "written", "attempted")


class GovernedPart(MemoriesPart):
    """See `contract.Store`, section "Governed sessions"."""

    def _key(self, tenant: str, space: Space, owner: str) -> dict[str, Any]:
        scope = self._scope(tenant, space, owner)
        return {"tenant": tenant, "scope": NO_SCOPE if scope is None else scope}

    def _keep_opening(self, opening: Opening) -> None:
        new = sorted(set(opening.places) - self.opened(opening.tenant, opening.user, opening.places))
        edges = [Edge(kind=EdgeKind.OPENED, src=opening.user, dst=f"{space}:{owner}") for space, owner in new]
        if edges:
            with self._within():
                self._db.run_many(
                    "edge_add", [edge_columns(opening.tenant, edge, micros(opening.at)) for edge in edges]
                )

    def opened(self, tenant: str, user: str, places: Sequence[tuple[Space, str]]) -> frozenset[tuple[Space, str]]:
        named = {f"{space}:{owner}": (space, owner) for space, owner in places}
        key = {"tenant": tenant, "user": user, "places": json_list(list(named))}
        return frozenset(named[row[0]] for row in self._db.rows("opened", key)) if named else frozenset()

    def live_now(
        self, tenant: str, space: Space, owner: str, kinds: Collection[Kind], *, limit: int, held: Living
    ) -> Living:
        key = self._key(tenant, space, owner) | {"limit": limit}
        if key["scope"] == NO_SCOPE:
            return Living()
        rows = [row for kind in kinds for row in self._db.rows("live_marks", key | {"kind": str(kind)})]
        marks, known = sorted(rows, key=_tick_of)[-limit:], held.known
        places = [mark[1] for mark in marks if mark not in known]
        if not places and len(marks) == len(known):
            return held
        fresh = self._by_place(tenant, places)
        # A row that lost its text is the doctor's: nobody can be shown it.
        found = {
            mark: known[mark] if mark in known else fresh[mark[1]]
            for mark in marks
            if mark in known or mark[1] in fresh
        }
        return Living(
            memories=tuple(found.values()),
            shadowed=frozenset([memory.id for mark, memory in found.items() if mark[-1]]),
            # What is not committed may never have been: it is no ground for the next look.
            known={} if self._db.driver.is_dirty else found,
        )

    def chain_end(self, tenant: str, space: Space, owner: str) -> ChainEnd:
        row = self._db.one("chain_end", self._key(tenant, space, owner))
        return ChainEnd() if row is None else record_of(ChainEnd, row)

    def chain(self, tenant: str, space: Space, owner: str, *, after: int = 0, until: int) -> Iterator[LedgerRow]:
        for row in self._db.stream("chain_of", self._key(tenant, space, owner) | {"after": after, "until": until}):
            yield ledger_row(row)

    def phases(self, tenant: str, space: Space, owner: str) -> tuple[Phase, ...]:
        rows = self._db.rows("phases_of", self._key(tenant, space, owner))
        return tuple(record_of(Phase, row, space=space, owner=owner) for row in rows)

    def _keep_phase(self, new: NewPhase) -> None:
        phase = new.phase
        key = {"tenant": new.tenant, "scope": self._scope_or_new(new.tenant, phase.space, phase.owner)}
        self._db.run("phase_add", key | vars(phase) | {"tick": phase.started_at})
        if new.first:
            self._db.run("phases_trim", key | {"number": new.first})

    def keep_traces(
        self, tenant: str, space: Space, owner: str, traces: Sequence[Trace], *, policy: Mapping[str, Any]
    ) -> ChainEnd:
        if not traces:
            return self.chain_end(tenant, space, owner)
        with self._within():
            scope = self._scope_or_new(tenant, space, owner)
            key = {"tenant": tenant, "hash": policy["hash"]}
            row = self._db.one("trace_end", key | {"scope": scope})
            assert row is not None, "scopes are never removed"
            last, call, is_policy_kept, *end = row
            if not is_policy_kept:
                self._db.run("policy_add", key | {"snapshot": canonical(dict(policy))})
            place = {"tenant": tenant, "scope": scope, "last": last + len(traces)}
            body = canonical([_by_hash(trace.event) for trace in traces])
            self._db.run("trace_add", place | {"first": last + 1, "call": call + 1, "seq": end[0], "body": body})
            mentioned = dict.fromkeys([memory_id for trace in traces for memory_id in trace.mentions])
            if mentioned:
                self._db.run("trace_mention_add", place | {"ids": json_list(mentioned)})
        return record_of(ChainEnd, end)

    def _traced_until(self, asked: TracedUntil) -> int:
        return self._db.number("trace_last", self._key(*asked.scope))

    def traces(self, tenant: str, space: Space, owner: str, *, after: int, limit: int) -> tuple[Trace, ...]:
        key = self._key(tenant, space, owner) | {"after": after, "limit": limit}
        told = (trace for row in self._db.rows("traces_of", key) for trace in _told(row))
        found = [trace for trace in told if trace.number > after][:limit]
        policies = self._policies(
            tenant, {trace.event[name] for trace in found for name in _POLICIES if name in trace.event}
        )
        return tuple(_with_policy(trace, policies) for trace in found)

    def lived_by(self, tenant: str, space: Space, owner: str) -> Mapping[str, Any] | None:
        rows = self._db.rows("trace_newest", self._key(tenant, space, owner) | {"limit": NEWEST})
        told = (event for (body,) in rows for event in reversed(from_json(body)))
        digest = next((event[name] for event in told for name in _POLICIES if event.get(name)), None)
        return None if digest is None else self._policies(tenant, {digest}).get(digest)

    def _policies(self, tenant: str, hashes: set[str]) -> Mapping[str, Any]:
        rows = self._db.rows("policies_of", {"tenant": tenant, "hashes": json_list(hashes)})
        return {digest: from_json(said) for digest, said in rows}

    def governed_sessions(self, tenant: str, *, limit: int) -> tuple[GovernedSession, ...]:
        rows = self._db.rows("governed_sessions", {"tenant": tenant, "limit": limit})
        return tuple(record_of(GovernedSession, row) for row in rows)

    def _erase_traces(self, tenant: str, space: Space, owner: str) -> None:
        """Take all texts out of the traces of a scope, and the names of its phases."""
        key = self._key(tenant, space, owner)
        with self.transaction():
            self._db.run("phase_names_erase", key)
            for last, _, _, _, body in self._db.rows("traces_of", key | {"after": 0, "limit": NO_LIMIT}):
                erased = canonical([_codes(event) for event in from_json(body)])
                self._db.run("trace_rewrite", key | {"last": last, "body": erased})

    def purge(self, tenant: str, memory_id: str, entry: Entry, *, at: datetime) -> None:
        with self.transaction():
            self._erase_mentions(tenant, memory_id)
            super().purge(tenant, memory_id, entry, at=at)

    def _erase_mentions(self, tenant: str, memory_id: str) -> None:
        key = {"tenant": tenant, "id": memory_id}
        for scope, last, body in self._db.rows("traces_mentioning", key):
            erased = canonical(_without(from_json(body), memory_id))
            self._db.run("trace_rewrite", {"tenant": tenant, "scope": scope, "last": last, "body": erased})
        self._db.run("trace_mentions_remove", key)

    _HANDLES: ClassVar = {
        ("keep", Opening): _keep_opening,
        ("keep", NewPhase): _keep_phase,
        ("count", TracedUntil): _traced_until,
    }


def _by_hash(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event with policies told by their hash: they are kept once."""
    told = dict(event)
    for name in _POLICIES:
        if name in told:
            told[name] = told[name]["hash"]
    return told


def _told(row: Row) -> Iterator[Trace]:
    """The traces of one call."""
    _, first, call, seq, body = row
    for number, event in enumerate(from_json(body), start=first):
        yield Trace(number=number, call=call, event=event, seq=seq)


def _with_policy(trace: Trace, policies: Mapping[str, Any]) -> Trace:
    whole = {name: policies.get(trace.event[name], {}) for name in _POLICIES if name in trace.event}
    return replace(trace, event={**trace.event, **whole}) if whole else trace


def _codes(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event with nothing but codes, references and counts in it."""
    left: dict[str, Any] = {}
    for name, value in event.items():
        if name in _CODES:
            left[name] = value
        elif name in _LISTS:
            left[name] = [_codes(one) for one in value] if isinstance(value, list) else _codes(value)
        else:
            left[name] = ERASED
    return left


def _without(value: Any, memory_id: str) -> Any:  # noqa: ANN401 -- JSON in, JSON out
    """The event without the words of one memory: its text, and the key that repeats them."""
    if isinstance(value, list):
        return [_without(one, memory_id) for one in value]
    if not isinstance(value, dict):
        return value
    found = {key: _without(one, memory_id) for key, one in value.items()}
    if memory_id in (found.get(name) for name in ("id", "winner_id", "loser_id", "from_id", "to_id")):
        for name in ("text", "dedup_key"):
            if name in found:
                found[name] = ERASED
        if isinstance(found.get("meta"), dict) and "dedup_key" in found["meta"]:
            found["meta"]["dedup_key"] = ERASED
    return found
