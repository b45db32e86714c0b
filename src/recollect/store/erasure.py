"""The right to be forgotten: whose is what, and which rows go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recollect.store.checkpoints import namespace_of
from recollect.store.core import erased_owner
from recollect.store.governed import GovernedPart
from recollect.store.messages import TRANSCRIPT
from recollect.store.portable import PortablePart
from recollect.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_STATEMENTS = (
    "profiles_erase", "proposals_erase", "answers_erase",
    "graph_writes_erase", "graph_steps_erase", "checkpoints_erase",
    "reviews_erase", "merges_erase", "pseudonyms_erase", "tallies_erase", "identities_erase", "users_erase",
)  # fmt: skip
_WITHOUT_WORDS = frozenset({"scope", "counter", "ledger", "policy", "words", "vector", "pair_check"})
"""Lines of an export that hold no sentence of anybody."""


class ErasurePart(GovernedPart, PortablePart):
    """See `base_erasure.Erasure`."""

    def memories_of(self, tenant: str, user: str, *, mentions: bool, after: str, limit: int) -> tuple[str, ...]:
        """Ids, in their order, of what a user owns or stated, and of what is about them if asked."""
        wanted = {"tenant": tenant, "user": user, "mentions": int(mentions), "after": after, "limit": limit}
        return tuple(row[0] for row in self._db.rows("memories_of_user", wanted))

    def texts_of(self, tenant: str, user: str) -> Iterator[str]:
        """Every text that stands in a user's own rows."""
        for line in self.lines(tenant, user):
            if line["_type"] not in _WITHOUT_WORDS:
                yield from _texts(line)
        for (said,) in self._db.rows("message_texts_of_user", {"tenant": tenant, "user": user}):
            yield said

    def erase_rows(self, tenant: str, user: str) -> Mapping[str, int]:
        """Remove what belongs to a user besides memories, messages and conversations."""
        key = {"tenant": tenant, "user": user}
        with self.transaction():
            for (session,) in self._db.rows("sessions_of_actor", key):
                self.erase_traces(tenant, Space.SESSION, session)
            self.erase_traces(tenant, Space.USER, user)
            counts = {
                "jobs": self._erase_jobs(tenant, user),
                "keys": self._erase_keys(tenant, user),
                "graph_items": self._erase_items(tenant, user),
                "graph_threads": self._erase_threads(tenant, user),
            }
            counts |= {name.removesuffix("_erase"): self._db.run(name, key) for name in _STATEMENTS}
            self._erase_names(tenant, user)
        return counts

    def _erase_names(self, tenant: str, user: str) -> None:
        """The user's scopes keep their chains, under a name that tells nobody."""
        for space in (Space.USER, TRANSCRIPT):
            scope = self._scope(tenant, space, user)
            if scope is not None:
                owner = erased_owner(tenant, space, user)
                self._db.run("scope_rename", {"tenant": tenant, "scope": scope, "owner": owner})
                self._numbers.pop((tenant, str(space), user), None)

    def _erase_keys(self, tenant: str, user: str) -> int:
        """Rights to call the server as this user."""
        rows = self._db.rows("key_scopes", {"tenant": tenant})
        mine = [key for key, scopes in rows if f"user:{user}" in json.loads(scopes)]
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
        mine = {thread for thread, metadata in named if user in (thread, json.loads(metadata).get("user_id"))}
        for name in ("thread_writes_remove", "thread_steps_remove"):
            self._db.run_many(name, [{"tenant": tenant, "thread": thread} for thread in sorted(mine)])
        return len(mine)

    def _erase_jobs(self, tenant: str, user: str) -> int:
        """Jobs that work on what is gone; not the one that erases."""
        done = 0
        for name, key, run, payload in self._db.rows("jobs_of_tenant", {"tenant": tenant}):
            if name != "erase" and (key == user or user in _texts(json.loads(payload))):
                done += self._db.run("job_erase", {"tenant": tenant, "name": name, "key": key, "run": run})
        return done

    def persons_by(self, tenant: str, user: str) -> tuple[str, ...]:
        """Persons that a user has made, named or related to somebody."""
        return tuple(row[0] for row in self._db.rows("persons_by_user", {"tenant": tenant, "user": user}))

    def is_spoken_of(self, tenant: str, person_id: str) -> bool:
        """Is any memory about this person, or are they some user?"""
        return self._db.one("spoken_of", {"tenant": tenant, "person": person_id}) is not None

    def still_holds(self, tenant: str, text: str) -> bool:
        """Does somebody's memory or message that is stored have exactly this text?"""
        return self._db.one("same_text", {"tenant": tenant, "text": text}) is not None

    def is_known(self, tenant: str, user: str) -> bool:
        """Does anything that is stored belong to this user?"""
        return next((True for line in self.lines(tenant, user) if line["_type"] != "policy"), False)

    def files(self) -> tuple[Path, ...]:
        """The files of the database that can be looked into."""
        return self._db.driver.files()


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 -- JSON
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
