"""The right to be forgotten: whose is what, and which rows go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wellkept.store.contract import Fingerprint
from wellkept.store.core import erased_owner
from wellkept.store.encoding import from_json, json_list, word
from wellkept.store.parts.governed import GovernedPart
from wellkept.store.parts.messages import TRANSCRIPT
from wellkept.store.parts.serving import namespace_of
from wellkept.store.portable import PortablePart
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

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


class ErasurePart(GovernedPart, PortablePart):
    """See `contract.Store`, section "Erasure"."""

    def memories_of(self, tenant: str, user: str, *, mentions: bool, after: str, limit: int) -> tuple[str, ...]:
        """Ids, in their order, of what a user owns or stated, and of what is about them if asked."""
        wanted = {"tenant": tenant, "user": user, "mentions": int(mentions), "after": after, "limit": limit}
        return tuple(row[0] for row in self._db.rows("memories_of_user", wanted))

    def texts_of(self, tenant: str, user: str) -> Iterator[str]:
        """Every text that stands in a user's own rows."""
        for line in self.lines(tenant, user):
            if line["_type"] not in _READ_APART:
                yield from _texts(line)
        yield from self._said(tenant, user, is_user=True)

    def replies_to(self, tenant: str, user: str) -> Iterator[str]:
        """What was said to a user."""
        return self._said(tenant, user, is_user=False)

    def _said(self, tenant: str, user: str, *, is_user: bool) -> Iterator[str]:
        rows = self._db.rows("message_texts_of_user", {"tenant": tenant, "user": user})
        return (text for role, text in rows if (role == "user") == is_user)

    def add_fingerprints(self, tenant: str, key: str, prints: Iterable[Fingerprint]) -> None:
        """Note what an erasure removes."""
        rows = [
            {
                "tenant": tenant, "key": key, "digest": one.digest, "tag": one.tag, "length": one.length,
                "way": one.way, "is_reply": int(one.is_reply),
            }
            for one in prints
        ]  # fmt: skip
        with self._within():
            self._db.run_many("fingerprint_add", rows)

    def fingerprints(self, tenant: str, key: str) -> tuple[Fingerprint, ...]:
        """What was noted."""
        return tuple(
            Fingerprint(digest=digest, tag=tag, length=length, way=way, is_reply=bool(is_reply))
            for digest, tag, length, way, is_reply in self._db.rows("fingerprints_of", {"tenant": tenant, "key": key})
        )

    def remove_fingerprints(self, tenant: str, key: str) -> None:
        """It is proved."""
        self._db.run("fingerprints_remove", {"tenant": tenant, "key": key})

    def erase_rows(self, tenant: str, user: str) -> Mapping[str, int]:
        """Remove what belongs to a user besides memories, messages and conversations."""
        key = {"tenant": tenant, "user": user}
        with self.transaction():
            places = self._db.rows("places_of_actor", key)
            for space, owner in ((Space.USER, user), *((word(Space, space), owner) for space, owner, _ in places)):
                self.erase_traces(tenant, space, owner)
            counts = {
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
            self._numbers.pop((tenant, str(space), owner), None)

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

    def persons_by(self, tenant: str, user: str) -> tuple[str, ...]:
        """Persons that a user has made, named or related to somebody."""
        return tuple(row[0] for row in self._db.rows("persons_by_user", {"tenant": tenant, "user": user}))

    def is_spoken_of(self, tenant: str, person_id: str) -> bool:
        """Is any memory about this person, or are they some user?"""
        return self._db.one("spoken_of", {"tenant": tenant, "person": person_id}) is not None

    def still_holds(self, tenant: str, text: str, *, replies: bool = False) -> bool:
        """Does this text stand in a memory, in somebody's own words or in a reply that rests on a memory?"""
        return self._db.one("same_text", {"tenant": tenant, "text": text, "replies": int(replies)}) is not None

    def remove_resting(
        self, tenant: str, memory_ids: Sequence[str], *, mentions: bool, speakers: Collection[str]
    ) -> tuple[str, ...]:
        """Remove replies that tell these memories again, whoever was told; the texts of what was removed."""
        rows = self._db.rows("messages_resting", {"tenant": tenant, "ids": json_list(memory_ids)})
        gone = [row for row in rows if mentions or row[2] != "user" or (row[3] or "").casefold() in speakers]
        with self._within():
            self._remove_places(tenant, [(scope, num) for scope, num, *_ in gone])
        return tuple(text for *_, text in gone)

    def remove_retold(self, tenant: str, is_retold: Callable[[str, str], bool], *, mentions: bool) -> Mapping[str, int]:
        """Remove what was made for others and tells again: replies that rest on no memory, summaries, kept answers."""
        counts = {"replies": self._remove_retold_messages(tenant, is_retold, mentions=mentions)}
        for kind, (read, remove, names) in _MADE.items():
            rows = [row for row in self._db.rows(read, {"tenant": tenant}) if is_retold("assistant", _plain(row[-1]))]
            with self._within():
                for row in rows:
                    self._db.run(remove, {"tenant": tenant, **dict(zip(names, row[:-1], strict=True))})
            counts[kind] = len(rows)
        return {kind: number for kind, number in counts.items() if number}

    def _remove_retold_messages(self, tenant: str, is_retold: Callable[[str, str], bool], *, mentions: bool) -> int:
        done, key = 0, {"tenant": tenant, "mentions": int(mentions), "scope": 0, "num": 0, "limit": BATCH}
        while rows := self._db.rows("messages_that_may_retell", key):
            gone = [(scope, num) for scope, num, role, text in rows if is_retold(role, text)]
            with self._within():
                self._remove_places(tenant, gone)
            done, key = done + len(gone), key | {"scope": rows[-1][0], "num": rows[-1][1]}
        return done

    def is_known(self, tenant: str, user: str) -> bool:
        """Does anything that is stored belong to this user?"""
        return next((True for line in self.lines(tenant, user) if line["_type"] != "policy"), False)

    def files(self) -> tuple[Path, ...]:
        """The files of the database that can be looked into."""
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
