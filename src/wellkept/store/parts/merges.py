"""Merges of persons that can be taken back, and the questions whether two are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.store.contract import Merge, Review, Told
from wellkept.store.core import Core, edge_columns
from wellkept.store.encoding import canonical, from_json, micros, moment
from wellkept.types import Alias, Person, Relationship, as_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.types import Edge


class MergesPart(Core):
    """See `contract.Store`, section "Merges"."""

    def rewire(self, tenant: str, *, add: Sequence[Edge], drop: Sequence[Edge], at: datetime) -> None:
        """Add and drop edges that follow from no row."""
        with self.transaction():
            self._db.run_many("edge_remove", [edge_columns(tenant, edge, micros(at)) for edge in drop])
            self._db.run_many("edge_add", [edge_columns(tenant, edge, micros(at)) for edge in add])
            self._touch_persons(tenant, {edge.src for edge in (*add, *drop)})

    def keep_merge(self, merge: Merge) -> None:
        """Remember how to take a merge back."""
        people = {side: _record(getattr(merge, side)) for side in ("primary", "secondary")}
        record = as_json(merge) | people | {"at": micros(merge.at), "related": [_record(one) for one in merge.related]}
        key = {"tenant": merge.tenant, "secondary": merge.secondary.id, "primary": merge.primary.id}
        self._db.run("merge_put", key | {"at": micros(merge.at), "record": canonical(record)})

    def merge_of(self, tenant: str, secondary_id: str) -> Merge | None:
        """The merge by which a person went into another."""
        row = self._db.one("merge_of", {"tenant": tenant, "secondary": secondary_id})
        return None if row is None else _merge(row[0])

    def merged_with(self, tenant: str, primary_id: str) -> tuple[Merge, ...]:
        """Merges into this person, newest first."""
        rows = self._db.rows("merges_into", {"tenant": tenant, "primary": primary_id})
        return tuple(_merge(row[0]) for row in rows)

    def drop_merge(self, tenant: str, secondary_id: str) -> None:
        """A merge that was taken back."""
        self._db.run("merge_remove", {"tenant": tenant, "secondary": secondary_id})

    def put_review(self, review: Review) -> None:
        """Ask, or note the answer."""
        one, other = sorted((review.one, review.other))
        self._db.run("review_put", vars(review) | {"one": one, "other": other, "at": micros(review.at)})

    def reviews(self, tenant: str, asker: str) -> tuple[Review, ...]:
        """What this user has not answered, oldest first."""
        rows = self._db.rows("reviews_open", {"tenant": tenant, "asker": asker})
        return tuple(
            Review(tenant=tenant, asker=asker, one=one, other=other, reason=reason, at=moment(at))
            for one, other, reason, at in rows
        )


def _merge(record: str) -> Merge:
    found: dict[str, Any] = from_json(record)
    lists = {name: tuple(found[name]) for name in ("chats", "shared_chats", "users")}
    told = tuple(Told(**item | {"subjects": tuple(item["subjects"])}) for item in found["told"])
    return Merge(
        tenant=found["tenant"],
        at=moment(found["at"]),
        by=found["by"],
        primary=_person(found["primary"]),
        secondary=_person(found["secondary"]),
        told=told,
        related=tuple(_person(one) for one in found["related"]),
        **lists,
    )


def _record(person: Person) -> dict[str, Any]:
    return {**as_json(person), "created_at": micros(person.created_at)}


def _person(found: dict[str, Any]) -> Person:
    parts = {
        "created_at": moment(found["created_at"]),
        "aliases": tuple(Alias(**item) for item in found["aliases"]),
        "relationships": tuple(Relationship(**item) for item in found["relationships"]),
    }
    return Person(**found | parts)
