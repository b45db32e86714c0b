"""People: persons, users, chats, merges that can be taken back, profiles, and changes that wait for a yes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.errors import DamagedRow
from wellkept.policies.words import name_key
from wellkept.store.contract import Merge, ProfileValue, Proposal, Review, Told
from wellkept.store.core import edge_columns, make_id
from wellkept.store.encoding import canonical, from_json, json_list, micros, moment, word
from wellkept.store.search.views import ViewsPart
from wellkept.types import Alias, Edge, Person, Relationship, as_json
from wellkept.vocabulary import EdgeKind, Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from wellkept.policies.people.profile_fields import State
    from wellkept.policies.visibility import View
    from wellkept.store.driver import Row
    from wellkept.vocabulary import ChatType


class PeoplePart(ViewsPart):
    """See `contract.Store`, sections "People", "Merges" and "Consent"."""

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

    def person(self, tenant: str, person_id: str) -> Person | None:
        """By id, following MERGED_INTO."""
        return self.persons(tenant, [person_id]).get(person_id)

    def persons(self, tenant: str, person_ids: Sequence[str]) -> Mapping[str, Person]:
        """Several, by the ids that were asked for; a merged one is answered with whom it was merged into."""
        found = self._load(tenant, person_ids)
        for _ in range(REDIRECTS_MAX):
            targets = {person.merged_into for person in found.values() if person.merged_into is not None}
            missing = targets - set(found)
            if not missing:
                break
            found |= self._load(tenant, sorted(missing))
        return {wanted: _redirected(wanted, found) for wanted in person_ids if wanted in found}

    def _load(self, tenant: str, person_ids: Sequence[str]) -> dict[str, Person]:
        """Those there are; in a snapshot each is read once."""
        moment = self._moment
        if moment is None:
            return self._read(tenant, person_ids)
        missing = [person_id for person_id in person_ids if (tenant, person_id) not in moment]
        read = self._read(tenant, missing)
        moment.update({(tenant, person_id): read.get(person_id) for person_id in missing})
        found = {person_id: moment[tenant, person_id] for person_id in person_ids}
        return {person_id: person for person_id, person in found.items() if person is not None}

    def _read(self, tenant: str, person_ids: Sequence[str]) -> dict[str, Person]:
        if not person_ids:
            return {}
        persons: list[Row] = []
        aliases: dict[str, list[Alias]] = {}
        relationships: dict[str, list[Relationship]] = {}
        rows = (
            self._db.rows("person_by_id", {"tenant": tenant, "id": person_ids[0]})
            if len(person_ids) == 1
            else self._db.rows("persons_by_id", {"tenant": tenant, "ids": json_list(person_ids)})
        )
        for kind, _, person_id, *told in rows:
            if kind == _PERSON:
                persons.append((person_id, *told))
            elif kind == _ALIAS:
                aliases.setdefault(person_id, []).append(Alias(value=told[0], added_by=told[1]))
            else:
                said = Relationship(relationship=told[0], stated_by=told[1], other_person_id=told[3])
                relationships.setdefault(person_id, []).append(said)
        return {row[0]: _person(tenant, row, aliases.get(row[0], ()), relationships.get(row[0], ())) for row in persons}

    def _in_order(self, tenant: str, rows: Sequence[tuple[str, ...]]) -> tuple[Person, ...]:
        ids = [row[0] for row in rows]
        found = self._load(tenant, ids)
        return tuple(found[person_id] for person_id in ids)

    def person_of(self, tenant: str, user: str, *, is_whole: bool = True) -> Person | None:
        """The person a user is; not whole: perhaps without other names and relationships."""
        row = self._db.one("person_of_user", {"tenant": tenant, "user": user, "is_whole": int(is_whole)})
        if row is None:
            return None
        *columns, has_more = row
        found = _person(tenant, columns)
        return found if found.merged_into is None and not has_more else self.person(tenant, found.id)

    def persons_of(self, tenant: str, users: Sequence[str]) -> Mapping[str, Person]:
        """The persons of those users that have one, in a few reads however many they are."""
        rows = self._db.rows("persons_of_users", {"tenant": tenant, "users": json_list(users)})
        found = self.persons(tenant, [person_id for _, person_id in rows])
        try:
            return {user: found[person_id] for user, person_id in rows}
        except KeyError as error:
            raise DamagedRow("A user") from error

    def save_person(self, person: Person, *, is_new: bool = False) -> None:
        """Insert or replace, aliases and relationships included. The link to a user is made by `link_user`.

        `is_new`: of this id nothing was ever stored.
        """
        key = {"tenant": person.tenant, "id": person.id}
        at = micros(person.created_at)
        names: list[tuple[int, str, str | None]] = [] if person.name is None else [(1, person.name, None)]
        names += [(0, alias.value, alias.added_by) for alias in person.aliases]
        relations = [item for item in person.relationships if item.other_person_id is not None]
        kind = EdgeKind.HAS_RELATIONSHIP
        edges = [
            Edge(kind=kind, src=person.id, dst=item.other_person_id or "", stated_by=item.stated_by)
            for item in relations
        ]
        if person.merged_into is not None:
            edges.append(Edge(kind=EdgeKind.MERGED_INTO, src=person.id, dst=person.merged_into))
        columns = {
            "name": person.name,
            "created_by": person.created_by,
            "created_at": at,
            "merged_into": person.merged_into,
        }
        with self.transaction():
            self._lock_on(person.tenant, "person", person.id)
            for norm in sorted({name_key(value) for _, value, _ in names}):
                self._lock_on(person.tenant, "name", norm)
            self._db.run("person_put", key | columns)
            for name in () if is_new else ("aliases_remove", "relationships_remove", "person_edges_remove"):
                self._db.run(name, key)
            self._db.run_many(
                "alias_add",
                [
                    key
                    | {"norm": name_key(value), "position": position, "is_name": is_name, "value": value}
                    | {"added_by": added_by}
                    for position, (is_name, value, added_by) in enumerate(names)
                ],
            )
            self._db.run_many(
                "relationship_add",
                [key | {"position": number} | vars(item) for number, item in enumerate(person.relationships)],
            )
            self._db.run_many("edge_add", [edge_columns(person.tenant, edge, at) for edge in edges])

    def remove_person(self, tenant: str, person_id: str) -> None:
        """Take out a person and whoever was merged into them; the edges of memories stay."""
        with self.transaction():
            ids = [row[0] for row in self._db.rows("person_redirects", {"tenant": tenant, "id": person_id})]
            key = {"tenant": tenant, "ids": json_list(ids)}
            for name in REMOVALS:
                self._db.run(name, key)
            self._touch_persons(tenant, ids)

    def everybody(self, tenant: str, *, limit: int) -> tuple[Person, ...]:
        """Unmerged persons of a tenant, latest first."""
        return self._in_order(tenant, self._db.rows("everybody", {"tenant": tenant, "limit": limit}))

    def each_person(self, tenant: str) -> Iterator[Person]:
        """Unmerged persons of a tenant in the order of their ids, in bounded memory."""
        last: str | None = ""
        while last is not None:
            where = {"tenant": tenant, "after": last, "limit": PERSONS_PAGE}
            found = self._in_order(tenant, self._db.rows("persons_after", where))
            yield from found
            last = found[-1].id if len(found) == PERSONS_PAGE else None

    def link_user(
        self, tenant: str, user: str, person_id: str, *, username: str | None, display_name: str | None
    ) -> None:
        """This user is that person, and nobody else."""
        names = {"username": username, "display_name": display_name}
        with self.transaction():
            self._lock_on(tenant, "person", person_id)
            self._db.run("user_put", {"tenant": tenant, "user": user, "person": person_id} | names)
            self._db.run("user_edges_remove", {"tenant": tenant, "user": user})
            edge = Edge(kind=EdgeKind.IS_PERSON, src=user, dst=person_id)
            self._db.run("edge_add", edge_columns(tenant, edge, 0))

    def unlink_user(self, tenant: str, user: str) -> None:
        """This user is nobody, until linked again."""
        with self.transaction():
            for name in ("user_edges_remove", "user_remove"):
                self._db.run(name, {"tenant": tenant, "user": user})

    def holding_alias(self, tenant: str, norm: str) -> tuple[Person, ...]:
        """Unmerged persons of the tenant with this normalised name or alias (`words.name_key`)."""
        self._lock_on(tenant, "name", norm)
        return self._in_order(tenant, self._db.rows("holding_alias", {"tenant": tenant, "norm": norm}))

    def known(self, view: View, *, limit: int, is_here: bool = False) -> tuple[Person, ...]:
        """People this viewpoint knows, latest first."""
        rows = self._db.rows("known_here" if is_here else "known", self._parameters(view) | {"limit": limit})
        return self._in_order(view.tenant, rows)

    def related(self, tenant: str, stated_by: str, relationship: str) -> tuple[Person, ...]:
        """Whom this user called their wife, their boss and so on."""
        key = {"tenant": tenant, "stated_by": stated_by, "relationship": relationship}
        return self._in_order(tenant, self._db.rows("related", key))

    def attend(self, tenant: str, chat: str, chat_type: ChatType, person_ids: Sequence[str], *, at: datetime) -> None:
        """These people take part in this chat. Writes nothing when all of it is known."""
        attending = self.attendance(tenant, [chat]).get(chat, frozenset())
        new = sorted(set(person_ids) - attending)
        key = {"tenant": tenant, "chat": chat}
        if not new and self._db.one("chat_type_of", key) == (chat_type,):
            return
        stored = micros(at)
        with self.transaction():
            self._lock_on(tenant, "chat", chat)
            self._db.run("chat_put", key | {"chat_type": chat_type, "at": stored})
            edges = [Edge(kind=EdgeKind.PARTICIPATES_IN, src=person, dst=chat) for person in new]
            self._db.run_many("edge_add", [edge_columns(tenant, edge, stored) for edge in edges])
            self._touch_persons(tenant, new)

    def attendance(self, tenant: str, chats: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """Chat id → persons who took part in it."""
        found: dict[str, set[str]] = {}
        for chat, person in self._db.rows("attending", {"tenant": tenant, "chats": json_list(chats)}) if chats else ():
            found.setdefault(chat, set()).add(person)
        return {chat: frozenset(persons) for chat, persons in found.items()}

    def edges(self, tenant: str, node: str, kinds: Sequence[EdgeKind]) -> tuple[Edge, ...]:
        """Edges from or to a node: those from it first."""
        key = {"tenant": tenant, "node": node, "kinds": json_list([str(kind) for kind in kinds])}
        rows = self._db.rows("edges_from", key) + self._db.rows("edges_to", key)
        return tuple(
            Edge(kind=word(EdgeKind, kind), src=src, dst=dst, strength=strength, stated_by=stated_by)
            for kind, src, dst, strength, stated_by in dict.fromkeys(rows)
        )

    def profile(self, tenant: str, user: str) -> tuple[ProfileValue, ...]:
        """By field, then by time."""
        rows = self._db.rows("profile_of", {"tenant": tenant, "user": user})
        return tuple(
            ProfileValue(field=field, value=value, memory_id=memory_id, at=moment(at))
            for field, value, memory_id, at in rows
        )

    def set_profile(self, tenant: str, user: str, value: ProfileValue, *, adds: bool) -> None:
        """The value of a field; with `adds` beside what is there, else instead of it."""
        key = {"tenant": tenant, "user": user, "field": value.field}
        with self._within():
            if not adds:
                self._db.run("profile_clear", key)
            told = {"value": value.value, "memory_id": value.memory_id, "at": micros(value.at)}
            self._db.run("profile_put", key | told)

    def next_proposal_id(self, tenant: str, user: str) -> str:
        """Deterministic, from a counter of the user."""
        with self._within():
            number = self._count_up(tenant, self._scope_or_new(tenant, Space.USER, user), "proposal")
        return make_id(tenant, str(Space.USER), user, "proposal", number)

    def put_proposal(self, proposal: Proposal) -> None:
        """Insert or replace."""
        decided = proposal.decided_at
        times = {"at": micros(proposal.at), "decided_at": None if decided is None else micros(decided)}
        self._db.run("proposal_put", vars(proposal) | times)

    def proposal(self, tenant: str, proposal_id: str) -> Proposal | None:
        """By exact id."""
        row = self._db.one("proposal_of", {"tenant": tenant, "id": proposal_id})
        return None if row is None else _proposal(row)

    def proposals(self, tenant: str, user: str | None, *, state: State | None, limit: int) -> tuple[Proposal, ...]:
        """Of one user, or of all, oldest first."""
        wanted = {"tenant": tenant, "state": state, "limit": limit}
        if user is None:
            return _proposals(self._db.rows("proposals_of_all", wanted))
        return _proposals(self._db.rows("proposals_of_user", wanted | {"user": user}))

    def overdue_proposals(self, tenant: str, *, before: datetime, limit: int) -> tuple[Proposal, ...]:
        """Pending ones made before that moment or at it, oldest first."""
        wanted = {"tenant": tenant, "before": micros(before), "limit": limit}
        return _proposals(self._db.rows("proposals_overdue", wanted))


def _merge(record: str) -> Merge:
    found: dict[str, Any] = from_json(record)
    lists = {name: tuple(found[name]) for name in ("chats", "shared_chats", "users")}
    told = tuple(Told(**item | {"subjects": tuple(item["subjects"])}) for item in found["told"])
    return Merge(
        tenant=found["tenant"],
        at=moment(found["at"]),
        by=found["by"],
        primary=_person_of_record(found["primary"]),
        secondary=_person_of_record(found["secondary"]),
        told=told,
        related=tuple(_person_of_record(one) for one in found["related"]),
        **lists,
    )


def _record(person: Person) -> dict[str, Any]:
    return {**as_json(person), "created_at": micros(person.created_at)}


def _person_of_record(found: dict[str, Any]) -> Person:
    parts = {
        "created_at": moment(found["created_at"]),
        "aliases": tuple(Alias(**item) for item in found["aliases"]),
        "relationships": tuple(Relationship(**item) for item in found["relationships"]),
    }
    return Person(**found | parts)


REDIRECTS_MAX = 10
_PERSON, _ALIAS = 0, 1
"""What a row of `persons_by_id` tells of; else it is a relationship."""
REMOVALS = (
    "persons_aliases_remove",
    "persons_relationships_remove",
    "persons_edges_remove",
    "persons_users_remove",
    "persons_merges_remove",
    "persons_reviews_remove",
    "persons_remove",
)
"""What goes with a person, those that refer to the person's row first."""


PERSONS_PAGE = 500


def _person(
    tenant: str, row: Sequence[Any], aliases: Sequence[Alias] = (), relationships: Sequence[Relationship] = ()
) -> Person:
    person_id, name, created_by, created_at, merged_into, user_id = row
    return Person(
        id=person_id,
        tenant=tenant,
        name=name,
        created_by=created_by,
        created_at=moment(created_at),
        aliases=tuple(aliases),
        relationships=tuple(relationships),
        merged_into=merged_into,
        user_id=user_id,
    )


def _redirected(wanted: str, found: Mapping[str, Person]) -> Person:
    """Whom a person was merged into, in the end; a circle ends where it began."""
    person, visited = found[wanted], {wanted}
    while person.merged_into is not None and person.merged_into in found and person.merged_into not in visited:
        visited.add(person.merged_into)
        person = found[person.merged_into]
    return person


def _proposals(rows: Sequence[Row]) -> tuple[Proposal, ...]:
    return tuple(_proposal(row) for row in rows)


def _proposal(row: Row) -> Proposal:
    *same, at, asked_in, decided_at = row
    names = ("id", "tenant", "user_id", "field", "old", "new", "evidence", "message_id", "signals", "state")
    decided = None if decided_at is None else moment(decided_at)
    return Proposal(**dict(zip(names, same, strict=True)), at=moment(at), asked_in=asked_in, decided_at=decided)
