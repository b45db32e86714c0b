"""People: persons, users, chats, merges that can be taken back, profiles, and changes that wait for a yes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from wellkept.errors import DamagedRow
from wellkept.policies.words import name_key
from wellkept.store.contract import (
    Attendance,
    KnownTo,
    Merge,
    NewPerson,
    PeopleQuery,
    PersonKey,
    ProfileChange,
    ProfileValue,
    Proposal,
    ProposalQuery,
    Review,
    Rewiring,
    Told,
    UserLink,
)
from wellkept.store.core import edge_columns
from wellkept.store.encoding import Row, canonical, columns, from_json, json_list, micros, moment, record_of
from wellkept.store.search.views import ViewsPart
from wellkept.types import Alias, Edge, Person, Relationship, as_json
from wellkept.vocabulary import EdgeKind


class PeoplePart(ViewsPart):
    """See `contract.Store`, sections "People", "Merges" and "Consent"."""

    def _rewire(self, wiring: Rewiring) -> None:
        at = micros(wiring.at)
        self._db.run_many("edge_remove", [edge_columns(wiring.tenant, edge, at) for edge in wiring.drop])
        self._db.run_many("edge_add", [edge_columns(wiring.tenant, edge, at) for edge in wiring.add])
        self._touch_persons(wiring.tenant, {edge.src for edge in (*wiring.add, *wiring.drop)})

    def _keep_merge(self, merge: Merge) -> None:
        people = {side: _record(getattr(merge, side)) for side in ("primary", "secondary")}
        record = as_json(merge) | people | {"at": micros(merge.at), "related": [_record(one) for one in merge.related]}
        key = {"tenant": merge.tenant, "secondary": merge.secondary.id, "primary": merge.primary.id}
        self._db.run("merge_put", key | {"at": micros(merge.at), "record": canonical(record)})

    def _drop_merge(self, merge: Merge) -> int:
        return self._db.run("merge_remove", {"tenant": merge.tenant, "secondary": merge.secondary.id})

    def merges(self, tenant: str, *, secondary: str | None = None, primary: str | None = None) -> tuple[Merge, ...]:
        key = {"tenant": tenant, "secondary": secondary, "primary": primary}
        rows = self._db.rows("merges_into" if secondary is None else "merge_of", key)
        return tuple(_merge(row[0]) for row in rows)

    def _keep_review(self, review: Review) -> None:
        one, other = sorted((review.one, review.other))
        self._db.run("review_put", columns(review) | {"one": one, "other": other})

    def reviews(self, tenant: str, asker: str) -> tuple[Review, ...]:
        rows = self._db.rows("reviews_open", {"tenant": tenant, "asker": asker})
        return tuple(record_of(Review, row, tenant=tenant, asker=asker) for row in rows)

    def person(
        self, tenant: str, person_id: str | None = None, *, user: str | None = None, is_whole: bool = True
    ) -> Person | None:
        if user is None:
            return self.persons(tenant, [person_id or ""]).get(person_id or "")
        row = self._db.one("person_of_user", {"tenant": tenant, "user": user, "is_whole": int(is_whole)})
        if row is None:
            return None
        *columns, has_more = row
        found = _person(tenant, columns)
        return found if found.merged_into is None and not has_more else self.person(tenant, found.id)

    def persons(
        self, tenant: str, person_ids: Sequence[str] = (), *, users: Sequence[str] = ()
    ) -> Mapping[str, Person]:
        if users:
            return self._persons_of(tenant, users)
        found = self._load(tenant, person_ids)
        for _ in range(REDIRECTS_MAX):
            targets = {person.merged_into for person in found.values() if person.merged_into is not None}
            missing = targets - set(found)
            if not missing:
                break
            found |= self._load(tenant, sorted(missing))
        return {wanted: _redirected(wanted, found) for wanted in person_ids if wanted in found}

    def _persons_of(self, tenant: str, users: Sequence[str]) -> Mapping[str, Person]:
        """The persons of those users that have one, in a few reads however many they are."""
        rows = self._db.rows("persons_of_users", {"tenant": tenant, "users": json_list(users)})
        found = self.persons(tenant, [person_id for _, person_id in rows])
        try:
            return {user: found[person_id] for user, person_id in rows}
        except KeyError as error:
            raise DamagedRow("A user") from error

    def _load(self, tenant: str, person_ids: Sequence[str]) -> dict[str, Person]:
        """Those there are; in a snapshot each is read once."""
        moment = self._local.moment
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

    def _keep_new_person(self, new: NewPerson) -> None:
        self._keep_person(new.person, is_new=True)

    def _keep_person(self, person: Person, *, is_new: bool = False) -> None:
        """Insert or replace, aliases and relationships included. The link to a user is made by `link_user`."""
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

    def _drop_person(self, who: PersonKey) -> int:
        ids = [row[0] for row in self._db.rows("person_redirects", {"tenant": who.tenant, "id": who.person_id})]
        for name in REMOVALS:
            self._db.run(name, {"tenant": who.tenant, "ids": json_list(ids)})
        self._touch_persons(who.tenant, ids)
        return len(ids)

    def people(self, wanted: PeopleQuery | KnownTo) -> tuple[Person, ...]:
        if isinstance(wanted, KnownTo):
            parameters = self._parameters(wanted.view) | {"limit": wanted.limit}
            rows = self._db.rows("known_here" if wanted.is_here else "known", parameters)
            return self._in_order(wanted.view.tenant, rows)
        key = {"tenant": wanted.tenant, "limit": wanted.limit}
        if wanted.name is not None:
            self._lock_on(wanted.tenant, "name", wanted.name)
            return self._in_order(wanted.tenant, self._db.rows("holding_alias", key | {"norm": wanted.name}))
        if wanted.related_to is not None:
            user, relationship = wanted.related_to
            rows = self._db.rows("related", key | {"stated_by": user, "relationship": relationship})
        elif wanted.made_by is not None:
            rows = self._db.rows("persons_by_user", key | {"user": wanted.made_by})
        elif wanted.after is not None:
            rows = self._db.rows("persons_after", key | {"after": wanted.after})
        else:
            rows = self._db.rows("everybody", key)
        return self._in_order(wanted.tenant, rows)

    def _link_user(self, link: UserLink) -> None:
        key = {"tenant": link.tenant, "user": link.user}
        if link.person_id is None:
            for name in ("user_edges_remove", "user_remove"):
                self._db.run(name, key)
            return
        self._lock_on(link.tenant, "person", link.person_id)
        self._db.run("user_put", vars(link) | {"person": link.person_id})
        if not link.is_first:
            self._db.run("user_edges_remove", key)
        edge = Edge(kind=EdgeKind.IS_PERSON, src=link.user, dst=link.person_id)
        self._db.run("edge_add", edge_columns(link.tenant, edge, 0))

    def _attend(self, at: Attendance) -> None:
        attending = self.attendance(at.tenant, [at.chat]).get(at.chat, frozenset())
        new = sorted(set(at.person_ids) - attending)
        key = {"tenant": at.tenant, "chat": at.chat}
        if not new and self._db.one("chat_type_of", key) == (at.chat_type,):
            return
        stored = micros(at.at)
        with self._within():
            self._lock_on(at.tenant, "chat", at.chat)
            self._db.run("chat_put", key | {"chat_type": at.chat_type, "at": stored})
            edges = [Edge(kind=EdgeKind.PARTICIPATES_IN, src=person, dst=at.chat) for person in new]
            self._db.run_many("edge_add", [edge_columns(at.tenant, edge, stored) for edge in edges])
            self._touch_persons(at.tenant, new)

    def attendance(self, tenant: str, chats: Sequence[str]) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for chat, person in self._db.rows("attending", {"tenant": tenant, "chats": json_list(chats)}) if chats else ():
            found.setdefault(chat, set()).add(person)
        return {chat: frozenset(persons) for chat, persons in found.items()}

    def edges(self, tenant: str, node: str | Sequence[str], kinds: Sequence[EdgeKind]) -> tuple[Edge, ...]:
        if not isinstance(node, str):
            return self._ties(tenant, node) if node else ()
        key = {"tenant": tenant, "node": node, "kinds": json_list([str(kind) for kind in kinds])}
        rows = self._db.rows("edges_from", key) + self._db.rows("edges_to", key)
        return tuple(record_of(Edge, row) for row in dict.fromkeys(rows))

    def _ties(self, tenant: str, memory_ids: Sequence[str]) -> tuple[Edge, ...]:
        found = self._db.rows("ties", {"tenant": tenant, "ids": json_list(memory_ids)})
        if not {memory_id for one, other, _ in found for memory_id in (one, other)} <= {*memory_ids}:
            raise DamagedRow("An edge")  # an index that does not say what its table says
        return tuple(Edge(kind=EdgeKind.RELATED_TO, src=one, dst=other, strength=value) for one, other, value in found)

    def profile(self, tenant: str, user: str) -> tuple[ProfileValue, ...]:
        rows = self._db.rows("profile_of", {"tenant": tenant, "user": user})
        return tuple(record_of(ProfileValue, row) for row in rows)

    def _change_profile(self, change: ProfileChange) -> None:
        row = columns(change.value) | {"tenant": change.tenant, "user": change.user}
        if not change.adds:
            self._db.run("profile_clear", row)
        self._db.run("profile_put", row)

    def proposals(self, wanted: ProposalQuery) -> tuple[Proposal, ...]:
        name = "proposals_of_all"
        if wanted.id is not None:
            name = "proposal_of"
        elif wanted.until is not None:
            name = "proposals_overdue"
        elif wanted.user is not None:
            name = "proposals_of_user"
        return tuple(record_of(Proposal, row) for row in self._db.rows(name, columns(wanted)))

    _HANDLES: ClassVar = {
        ("keep", Rewiring): _rewire,
        ("keep", Person): _keep_person,
        ("keep", NewPerson): _keep_new_person,
        ("drop", PersonKey): _drop_person,
        ("keep", UserLink): _link_user,
        ("keep", Attendance): _attend,
        ("keep", Merge): _keep_merge,
        ("drop", Merge): _drop_merge,
        ("keep", Review): _keep_review,
        ("keep", ProfileChange): _change_profile,
        ("keep", Proposal): "proposal_put",
    }


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


def _person(
    tenant: str, row: Sequence[Any], aliases: Sequence[Alias] = (), relationships: Sequence[Relationship] = ()
) -> Person:
    return record_of(Person, row, tenant=tenant, aliases=tuple(aliases), relationships=tuple(relationships))


def _redirected(wanted: str, found: Mapping[str, Person]) -> Person:
    """Whom a person was merged into, in the end; a circle ends where it began."""
    person, visited = found[wanted], {wanted}
    while person.merged_into is not None and person.merged_into in found and person.merged_into not in visited:
        visited.add(person.merged_into)
        person = found[person.merged_into]
    return person
