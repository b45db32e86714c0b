"""The right to be forgotten: whose is what, and which rows go."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from wellkept.store.contract import (
    Fingerprint,
    Fingerprints,
    KnownUser,
    Removed,
    Resting,
    Retold,
    SpokenOf,
    TextHeld,
    TextQuery,
)
from wellkept.store.core import erased_owner
from wellkept.store.encoding import columns, from_json, json_list, record_of, word
from wellkept.store.parts.governed import GovernedPart
from wellkept.store.parts.messages import TRANSCRIPT, MessagesPart
from wellkept.store.parts.serving import namespace_of
from wellkept.store.parts.sessions import SessionsPart
from wellkept.store.portable import PortablePart
from wellkept.vocabulary import Space

_STATEMENTS = (
    "profiles_erase", "proposals_erase", "answers_erase",
    "graph_writes_erase", "graph_steps_erase", "checkpoints_erase",
    "reviews_erase", "merges_erase", "pseudonyms_erase", "tallies_erase", "identities_erase", "users_erase",
)  # fmt: skip
_MADE = {
    "rolling_summaries": ("rolling_that_may_retell", "rolling_remove", ("owner", "persona", "version")),
    "session_summaries": ("session_summaries_that_may_retell", "session_summary_remove", ("session_id",)),
    "spines": ("spines_that_may_retell", "spine_remove", ("owner", "version")),
    "answers": ("answers_that_may_retell", "answer_remove", ("caller", "idempotency_key")),
}
"""What is made of memories and messages for somebody: how it is read, how one is removed, and its key."""
BATCH = 1_000
_READ_APART = frozenset({"scope", "counter", "ledger", "policy", "words", "vector", "pair_check", "message"})
"""Lines of an export that hold no sentence of anybody, and messages: who said what matters there."""


class ErasurePart(GovernedPart, MessagesPart, SessionsPart, PortablePart):
    """See `contract.Store`, section "Erasure"."""

    def texts(self, wanted: TextQuery) -> Iterator[str]:
        tenant, user = wanted.tenant, wanted.user or ""
        if wanted.kind in ("own", "replies"):
            for line in self.lines(tenant, user) if wanted.kind == "own" else ():
                if line["_type"] not in _READ_APART:
                    yield from _texts(line)
            rows = self._db.rows("message_texts_of_user", {"tenant": tenant, "user": user})
            yield from (text for role, text in rows if (role == "user") == (wanted.kind == "own"))
            return
        scope = self._scope(tenant, Space.USER, user) if wanted.user is not None else None
        if scope is None:
            return
        key = {"tenant": tenant, "scope": scope, "chat": wanted.chat, "limit": wanted.limit}
        rows = self._db.rows("retired_words" if wanted.kind == "retired" else "confidences", key)
        yield from (text for row in rows for text in row if text)

    def _keep_fingerprints(self, noted: Fingerprints) -> None:
        key = {"tenant": noted.tenant, "key": noted.key}
        self._db.run_many("fingerprint_add", [columns(one) | key for one in noted.prints])

    def fingerprints(self, tenant: str, key: str) -> tuple[Fingerprint, ...]:
        rows = self._db.rows("fingerprints_of", {"tenant": tenant, "key": key})
        return tuple(record_of(Fingerprint, row) for row in rows)

    def erase(self, tenant: str, user: str) -> Mapping[str, int]:
        key = {"tenant": tenant, "user": user}
        with self.transaction():
            counts = {"messages": self._remove_messages(tenant, user), **self._erase_conversations(tenant, user)}
            places = self._db.rows("places_of_actor", key)
            for space, owner in ((Space.USER, user), *((word(Space, space), owner) for space, owner, _ in places)):
                self._erase_traces(tenant, space, owner)
            counts |= {
                "jobs": self._erase_jobs(tenant, user),
                "keys": self._erase_keys(tenant, user),
                "graph_items": self._erase_items(tenant, user),
                "graph_threads": self._erase_threads(tenant, user),
            }
            counts |= {name.removesuffix("_erase"): self._db.run(name, key) for name in _STATEMENTS}
            self._erase_name(tenant, Space.USER, user)
            self._erase_name(tenant, TRANSCRIPT, user)
            for space, owner, is_empty in places:
                if is_empty:  # else it still belongs to whoever it is about
                    self._erase_name(tenant, space, owner)
        return counts

    def _erase_name(self, tenant: str, space: str, owner: str) -> None:
        """A scope keeps its chain, under a name that tells nobody."""
        scope = self._scope(tenant, space, owner)
        if scope is not None:
            erased = erased_owner(tenant, space, owner)
            self._db.run("scope_rename", {"tenant": tenant, "scope": scope, "owner": erased})
            for known in (self._numbers, self._local.numbers):
                known.pop((tenant, str(space), owner), None)

    def _erase_keys(self, tenant: str, user: str) -> int:
        """Rights to call the server as this user."""
        rows = self._db.rows("key_scopes", {"tenant": tenant})
        mine = [key for key, scopes in rows if f"user:{user}" in from_json(scopes)]
        return sum(self._db.run("key_erase", {"tenant": tenant, "id": key}) for key in mine)

    def _erase_items(self, tenant: str, user: str) -> int:
        """Items of graphs that stand under the user's name."""
        names = [
            name for (name,) in self._db.rows("graph_namespaces", {"tenant": tenant}) if user in namespace_of(name)
        ]
        return sum(self._db.run("graph_items_erase", {"tenant": tenant, "namespace": name}) for name in names)

    def _erase_threads(self, tenant: str, user: str) -> int:
        """Threads of graphs that were run for the user, as their steps say."""
        named = self._db.rows("graph_steps_of_users", {"tenant": tenant})
        mine = {thread for thread, metadata in named if user in (thread, from_json(metadata).get("user_id"))}
        for name in ("thread_writes_remove", "thread_steps_remove"):
            self._db.run_many(name, [{"tenant": tenant, "thread": thread} for thread in sorted(mine)])
        return len(mine)

    def _erase_jobs(self, tenant: str, user: str) -> int:
        """Jobs that work on what is gone; not the one that erases."""
        done = 0
        for name, key, run, payload in self._db.rows("jobs_of_tenant", {"tenant": tenant}):
            if name != "erase" and (key == user or user in _texts(from_json(payload))):
                done += self._db.run("job_erase", {"tenant": tenant, "name": name, "key": key, "run": run})
        return done

    def _remove_made(self, tenant: str, told: Retold) -> Mapping[str, int]:
        """Replies that rest on no memory, summaries, kept answers."""
        counts = {"replies": self._remove_retold_messages(tenant, told.is_retold, mentions=told.mentions)}
        for kind, (read, remove, names) in _MADE.items():
            rows = [
                row for row in self._db.rows(read, {"tenant": tenant}) if told.is_retold("assistant", _plain(row[-1]))
            ]
            with self._within():
                for row in rows:
                    self._db.run(remove, {"tenant": tenant, **dict(zip(names, row[:-1], strict=True))})
            counts[kind] = len(rows)
        return {kind: number for kind, number in counts.items() if number}

    def remove_retold(self, tenant: str, what: Resting | Retold) -> Removed:
        if isinstance(what, Retold):
            return Removed(counts=self._remove_made(tenant, what))
        rows = self._db.rows("messages_resting", {"tenant": tenant, "ids": json_list(what.memory_ids)})
        gone = [row for row in rows if what.mentions or row[2] != "user" or (row[3] or "").casefold() in what.speakers]
        with self._within():
            self._remove_places(tenant, [(scope, num) for scope, num, *_ in gone])
        return Removed(counts={"replies": len(gone)}, texts=tuple(text for *_, text in gone))

    def _remove_retold_messages(self, tenant: str, is_retold: Callable[[str, str], bool], *, mentions: bool) -> int:
        done, key = 0, {"tenant": tenant, "mentions": int(mentions), "scope": 0, "num": 0, "limit": BATCH}
        while rows := self._db.rows("messages_that_may_retell", key):
            gone = [(scope, num) for scope, num, role, text in rows if is_retold(role, text)]
            with self._within():
                self._remove_places(tenant, gone)
            done, key = done + len(gone), key | {"scope": rows[-1][0], "num": rows[-1][1]}
        return done

    def _is_known(self, who: KnownUser) -> bool:
        return next((True for line in self.lines(who.tenant, who.user) if line["_type"] != "policy"), False)

    _HANDLES: ClassVar = {
        ("keep", Fingerprints): _keep_fingerprints,
        ("drop", Fingerprints): "fingerprints_remove",
        ("has", SpokenOf): "spoken_of",
        ("has", TextHeld): "same_text",
        ("has", KnownUser): _is_known,
    }

    def files(self) -> tuple[Path, ...]:
        return self._db.driver.files()


def _plain(text: str) -> str:
    """The texts inside a text that may be JSON."""
    try:
        return "\n".join(_texts(json.loads(text)))
    except ValueError:
        return text


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 -- JSON
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
