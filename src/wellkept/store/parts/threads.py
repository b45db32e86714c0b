"""Threads: changes are numbered in the transaction that makes them, and each reader is told of each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from wellkept.policies.context import event_of
from wellkept.policies.visibility import View
from wellkept.store.contract import ACTIVE_FOR, Change, Changes, Entry, Reader, Taking, ThreadChange
from wellkept.store.encoding import canonical, from_json, micros, moment
from wellkept.store.parts.ledger import LedgerPart
from wellkept.store.search.views import ViewsPart
from wellkept.vocabulary import Kind, Sensitivity, Space

STILL_ACTIVE = timedelta(hours=1)
IDLE_FOR = timedelta(days=180)
"""How long a thread counts as spoken in without being noted again."""

Noted = tuple[str, str, Mapping[str, Any]]
"""Memory id, event, and what is left to say when the memory is gone."""


class ThreadsPart(LedgerPart, ViewsPart):
    """See `contract.Store`, section "Threads"; and what `apply` and `purge` note for the threads concerned."""

    def _log_changes(self, changes: Sequence[Change], at: datetime) -> None:
        noted: dict[tuple[str, str, str | None, str | None, str | None, bool], list[Noted]] = {}
        for change in changes:
            memory, entry = change.memory, change.entry
            event = event_of(memory, entry.op, change.edges)
            user = memory.owner if memory.space is Space.USER else entry.actor
            if event is None or user is None:
                continue
            shared = entry.thread if memory.space is Space.CHAT else None
            persona = memory.persona_id or entry.persona
            meta = {"category": memory.category, "importance": memory.importance}
            if memory.persona_id is not None:
                meta["persona"] = memory.persona_id
            if memory.confidential or memory.sensitivity not in (None, Sensitivity.PUBLIC):
                meta["closed"] = True
            key = (memory.tenant, user, persona, entry.thread, shared, event == "soft_deleted")
            noted.setdefault(key, []).append((memory.id, event, meta))
        for (tenant, user, persona, thread, shared, is_forgotten), notes in noted.items():
            if thread is not None:
                key_of = {"tenant": tenant, "user": user, "thread": thread, "persona": persona, "at": micros(at)}
                self._db.run("thread_join", key_of)
            # What is forgotten was idle for long: so may be the thread that is to hear of it.
            since = {"since": micros(at - IDLE_FOR)} if is_forgotten else {}
            self._note(tenant, {"user": user, "persona": persona, "shared": shared, **since}, notes, at)

    def _note(self, tenant: str, concerned: Mapping[str, Any], notes: Sequence[Noted], at: datetime) -> None:
        where = {"tenant": tenant, "since": micros(at - ACTIVE_FOR), **concerned}
        for user, thread in self._db.rows("threads_concerned", where):
            key = {"tenant": tenant, "user": user, "thread": thread}
            row = self._db.one("thread_advance", key | {"count": len(notes)})
            assert row is not None, "a thread that was just read is there"
            last, turn = row
            self._db.run_many(
                "change_add",
                [
                    key
                    | {"rev": last - len(notes) + number, "turn": turn, "at": micros(at)}
                    | {"memory_id": memory_id, "event": event, "meta": canonical(dict(meta))}
                    for number, (memory_id, event, meta) in enumerate(notes, start=1)
                ],
            )

    def _log_purge(self, tenant: str, memory_id: str, entry: Entry, at: datetime) -> None:
        row = self._db.one("purged_memory", {"tenant": tenant, "id": memory_id})
        if row is None:
            return
        space, owner, kind, category, persona, confidential, sensitivity, importance = row
        if space != Space.USER or kind == Kind.SHORT_TERM:
            return
        meta: dict[str, Any] = {"category": category, "importance": importance}
        if persona is not None:
            meta["persona"] = persona
        if confidential or sensitivity not in (None, Sensitivity.PUBLIC):
            meta["closed"] = True
        # What is removed was idle for long, as what is forgotten: so may be the thread that is to hear of it.
        since = micros(at - IDLE_FOR)
        concerned = {"user": owner, "persona": persona or entry.persona, "shared": None, "since": since}
        self._note(tenant, concerned, [(memory_id, "deleted", meta)], at)

    def changes(self, view: View, reader: Reader, *, taken: Taking | None = None) -> Changes:
        if taken is None:
            return self._untold_to(view, reader)
        if not self._db.driver.is_writing and self._has_nothing(reader, taken.at):
            return Changes(since=self._mark(reader)[1])
        with self._within():
            self._db.run("thread_join", _key(reader) | {"persona": reader.persona, "at": micros(taken.at)})
            row = self._db.one("thread_turn", _key(reader))
            assert row is not None, "a thread that was just joined is there"
            self._db.run("changes_trim", _key(reader) | {"turn": row[0] - taken.keep_turns})
            told = self._untold_to(view, reader)
            thread = self._db.one("thread_of", _key(reader))
            assert thread is not None, "a thread that was just joined is there"
            given = told.since + len(told.changes)
            self._db.run("reader_put", _key(reader) | {"rev": thread[0], "given": given})
        return told

    def _untold_to(self, view: View, reader: Reader) -> Changes:
        after, given = self._mark(reader)
        where = self._parameters(view) | {"reader": reader.user, "thread": reader.thread, "after": after}
        found = (_change(row, view) for row in self._db.rows("changes_since", where))
        return Changes(since=given, changes=tuple(one for one in found if one is not None))

    def _mark(self, reader: Reader) -> tuple[int, int]:
        row = self._db.one("reader_of", _key(reader))
        return (0, 0) if row is None else (row[0], row[1])

    def _has_nothing(self, reader: Reader, at: datetime) -> bool:
        """Nothing changed, and the thread is known to be spoken in: then a turn writes nothing."""
        row = self._db.one("thread_of", _key(reader))
        return row is not None and row[0] == self._mark(reader)[0] and at - moment(row[2]) < STILL_ACTIVE


def _key(reader: Reader) -> dict[str, Any]:
    return {"tenant": reader.tenant, "user": reader.user, "thread": reader.thread, "agent": reader.agent or ""}


def _change(row: Sequence[Any], view: View) -> ThreadChange | None:
    rev, event, memory_id, said, sight = row
    meta = from_json(said)
    if sight == 0 or (sight is None and not _was_open(meta, view)):
        return None
    return ThreadChange(
        rev=rev,
        event=event,
        memory_id=memory_id,
        category=meta["category"],
        importance=meta["importance"],
        is_live=sight == 2,  # noqa: PLR2004 -- as `changes_since` says it
    )


def _was_open(meta: Mapping[str, Any], view: View) -> bool:
    """Whether a memory that is gone for good was one that this view saw; in doubt it was not."""
    is_read = view.categories is None or meta["category"] in view.categories
    is_for_persona = meta.get("persona") in (None, view.persona)
    return is_read and is_for_persona and not meta.get("closed", False)
