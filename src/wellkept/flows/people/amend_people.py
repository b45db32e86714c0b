"""The verbs about people: aliases, names, relations, merges, splits, questions that wait for an answer, forgetting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from wellkept.errors import InvalidInput, NotAllowed, PersonNotFound, Refused, WellkeptError
from wellkept.flows import views
from wellkept.flows.read import show
from wellkept.flows.read.show import Acquaintance, shown_person
from wellkept.flows.views import PEOPLE_MAX, look_up, may_change
from wellkept.flows.write.transitions import archived, row
from wellkept.policies.people.names import normalise
from wellkept.policies.people.persons import label, seen_by, takes_handle, takes_identity, with_alias, with_name
from wellkept.policies.secrets.detector import has_secret
from wellkept.policies.visibility import View
from wellkept.policies.writing import gate
from wellkept.store.contract import (
    Change,
    Entry,
    Filter,
    KnownTo,
    Listing,
    Op,
    PersonKey,
    Review,
    Rewiring,
    Store,
    UserLink,
)
from wellkept.types import Person, Relationship
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.types import Memory, Viewpoint


RELATION_MAX = 60
PAIR = 2
_DENIED = "privacy_deny_sensitive"
_NOT_VOUCHED = "not_vouched"
_WHO_VOUCHES = "Who is which user, and who has which handle, is told by an operator: do this without naming a user."


@frozen
class Merged:
    """Two people as one; `split` of the merged id takes it back."""

    person: Acquaintance
    merged_id: str


@frozen
class Doubt:
    """Two people who may be one, and why it is asked."""

    one: Acquaintance
    other: Acquaintance
    reason: str


@frozen
class Reviewed:
    """What was answered now, and what still waits."""

    same: Merged | None = None
    different: tuple[Acquaintance, ...] = ()
    waiting: tuple[Doubt, ...] = ()


def among(present: Sequence[str], viewpoint: Viewpoint, engine: Engine) -> Viewpoint:
    """A viewpoint with these people there, each by user id, else by name; a name that fits several is an error."""
    with engine.store.snapshot():
        view = views.view_of(viewpoint, engine, engine.clock())
        found = (views.brought(words, view=view, store=engine.store) for words in present)
        return replace(viewpoint, participants=(*viewpoint.participants, *dict.fromkeys(found)))


def alias(reference: str, name: str, viewpoint: Viewpoint, engine: Engine) -> Acquaintance:
    """Also call somebody so. `not_creator` unless the asker made the person or is it."""
    return _renamed(reference, name, viewpoint, engine, is_name=False)


def rename(reference: str, name: str, viewpoint: Viewpoint, engine: Engine) -> Acquaintance:
    """Give somebody another name; the earlier one stays as an alias."""
    return _renamed(reference, name, viewpoint, engine, is_name=True)


def _renamed(reference: str, name: str, viewpoint: Viewpoint, engine: Engine, *, is_name: bool) -> Acquaintance:
    if not normalise(name):
        raise InvalidInput("A name has at least one letter or digit.", code="empty_name")
    view, store = views.view_of(viewpoint, engine, engine.clock()), engine.store
    with store.transaction():
        person = _known(reference, view, store)
        refused = _refused(name, person, view)
        if refused is None:
            person = (with_name if is_name else with_alias)(person, " ".join(name.split()), by=view.user)
            store.keep(person)
        _note("update", "person_renamed" if is_name else "person_alias", (person.id,), view, store, refused=refused)
    if refused is not None:
        raise refused
    return shown_person(person, view)


def _refused(name: str, person: Person, view: View) -> NotAllowed | Refused | None:
    """Why this asker may not call the person so."""
    if not may_change(person, view):
        return _not_creator(person, view)
    if has_secret(name):
        return Refused(gate.REFUSALS[_DENIED], code=_DENIED)
    if view.user is not None and takes_handle(person, name.strip()):
        return NotAllowed(_WHO_VOUCHES, code=_NOT_VOUCHED)
    return None


def relate(reference: str, relation: str, to: str | None, viewpoint: Viewpoint, engine: Engine) -> Acquaintance:
    """Say what somebody is to the asker, or to a third person; it replaces what the asker said of the two before.

    Without a relation, that is only taken back.
    """
    word = " ".join(relation.split()).casefold()
    if word and (not normalise(word) or len(word) > RELATION_MAX):
        wanted = f"A relation is a word such as sister, of at most {RELATION_MAX} letters."
        raise InvalidInput(wanted, code="no_relation")
    if has_secret(word):
        raise Refused(gate.REFUSALS[_DENIED], code=_DENIED)
    view, store = views.view_of(viewpoint, engine, engine.clock()), engine.store
    with store.transaction():
        person = _known(reference, view, store)
        other = view.person if to is None else _known(to, view, store).id
        kept = tuple(
            one
            for one in person.relationships
            if one.stated_by != view.user
            or not (one.other_person_id == other or (to is None and not one.other_person_id))
        )
        told = (Relationship(relationship=word, stated_by=view.user, other_person_id=other),) if word else ()
        person = replace(person, relationships=(*kept, *told))
        store.keep(person)
        _note("update", "person_related" if word else "person_unrelated", (person.id,), view, store)
    return shown_person(person, view)


def merge(primary: str, secondary: str, viewpoint: Viewpoint, engine: Engine) -> Merged:
    """Two people are one: the first stays, and `split` takes it back."""
    view, store = views.view_of(viewpoint, engine, engine.clock()), engine.store
    with store.transaction():
        kept, gone = _known(primary, view, store), _known(secondary, view, store)
        if _is_asked(kept, gone, view, store):
            # A user stays who they are, and what this asker told is about them from now on.
            kept, gone = (kept, gone) if kept.user_id is not None else (gone, kept)
            other = None
        else:
            other = next((one for one in (kept, gone) if not may_change(one, view)), None)
        refused = None if other is None else _not_creator(other, view)
        if refused is None and view.user is not None and _moves_a_user(kept, gone, store):
            refused = NotAllowed(_WHO_VOUCHES, code=_NOT_VOUCHED)
        pair = (kept.id, gone.id)
        if refused is None:
            kept = views.unite(kept, gone, by=view.user, store=store, now=view.now)
            _answer(pair, "merged", view, store)
        _note("merge", "person_merged", pair, view, store, refused=refused)
    if refused is not None:
        raise refused
    latest, *_ = store.merges(view.tenant, primary=kept.id)
    return Merged(person=shown_person(kept, view), merged_id=latest.secondary.id)


def _is_asked(one: Person, other: Person, view: View, store: Store) -> bool:
    """Whether it waits for this asker's answer who of theirs a user is, and nothing but their own words would move."""
    user, met = (one, other) if one.user_id is not None else (other, one)
    if view.user is None or met.user_id is not None or not may_change(met, view):
        return False
    pair = {one.id, other.id}
    if all({waiting.one, waiting.other} != pair for waiting in store.reviews(view.tenant, view.user)):
        return False
    told = (store.memory(met.tenant, edge.src) for edge in store.edges(met.tenant, met.id, [EdgeKind.ABOUT]))
    mine = (Space.USER, view.user)
    return user.user_id is not None and all(one is None or (one.space, one.owner) == mine for one in told)


def _moves_a_user(one: Person, other: Person, store: Store) -> bool:
    """Whether a user would become somebody else by it, or get into chats where only the other takes part."""
    user, met = (one, other) if one.user_id is not None else (other, one)
    if user.user_id is None:
        return False
    return takes_identity(user, met) or not _chats(met, store) <= _chats(user, store)


def _chats(person: Person, store: Store) -> frozenset[str]:
    edges = store.edges(person.tenant, person.id, [EdgeKind.PARTICIPATES_IN])
    return frozenset(edge.dst for edge in edges if edge.src == person.id)


def split(reference: str, viewpoint: Viewpoint, engine: Engine) -> tuple[Acquaintance, Acquaintance]:
    """Take back the merge of the person with this id, or the last merge into the person that the words mean."""
    view, store = views.view_of(viewpoint, engine, engine.clock()), engine.store
    with store.transaction():
        person = _known(reference, view, store)
        merges = (*store.merges(view.tenant, secondary=reference), *store.merges(view.tenant, primary=person.id))
        if not merges:
            raise InvalidInput("This person was not merged with anybody.", code="not_merged")
        found = merges[0]
        is_own = view.user in (found.by, found.primary.user_id)
        is_allowed = is_own or (may_change(found.primary, view) and may_change(found.secondary, view))
        refused = None if is_allowed else _not_creator(person, view)
        pair = (found.primary.id, found.secondary.id)
        if refused is None:
            one, other = views.part(found, store=store, now=view.now)
            _answer(pair, "apart", view, store)
        _note("merge", "person_split", pair, view, store, refused=refused)
    if refused is not None:
        raise refused
    return shown_person(one, view), shown_person(other, view)


def review(same: Sequence[str], different: Sequence[str], viewpoint: Viewpoint, engine: Engine) -> Reviewed:
    """Answer what is given, then show what waits for this asker."""
    for name, pair in (("same", same), ("different", different)):
        if len(pair) not in (0, PAIR):
            raise InvalidInput(f"{name} takes two people.", code="invalid_pair")
    view, store = views.view_of(viewpoint, engine, engine.clock()), engine.store
    merged = merge(same[0], same[1], viewpoint, engine) if same else None
    if different:
        with store.transaction():
            apart = (_known(different[0], view, store).id, _known(different[1], view, store).id)
            _answer(apart, "apart", view, store)
            _note("merge", "person_kept_apart", apart, view, store)
    two = tuple(shown_person(look_up(words, view=view, store=store), view) for words in different)
    with store.snapshot():
        return Reviewed(same=merged, different=two, waiting=questions(view, store) if view.knows_people else ())


def questions(view: View, store: Store) -> tuple[Doubt, ...]:
    """Pairs that wait for this asker's answer, oldest first; only of people the asker knows."""
    if view.user is None:
        return ()
    seen = {person.id: person for person in store.people(KnownTo(view=view, limit=PEOPLE_MAX))}
    return tuple(
        Doubt(
            one=shown_person(seen[waiting.one], view),
            other=shown_person(seen[waiting.other], view),
            reason=waiting.reason,
        )
        for waiting in store.reviews(view.tenant, view.user)
        if waiting.one in seen and waiting.other in seen
    )


def _answer(pair: tuple[str, str], decision: Literal["merged", "apart"], view: View, store: Store) -> None:
    """It is not asked again whether the two are one."""
    if view.user is not None:
        asked = Review(tenant=view.tenant, asker=view.user, one=pair[0], other=pair[1], reason="asked", at=view.now)
        store.keep(replace(asked, decision=decision))


def _known(words: str, view: View, store: Store) -> Person:
    """Whom the words mean, if the asker knows them: a stranger is as one who does not exist."""
    person = look_up(words, view=view, store=store)
    if view.user is not None and all(person.id != one.id for one in store.people(KnownTo(view=view, limit=PEOPLE_MAX))):
        raise PersonNotFound(words)
    return person


def _not_creator(person: Person, view: View) -> NotAllowed:
    name = label(seen_by(person, view.user), asker=view.user)
    return NotAllowed(f"Only {name} or whoever first spoke of {name} to me can change this.", code="not_creator")


def _note(
    op: Op, reason: str, people: Sequence[str], view: View, store: Store, *, refused: WellkeptError | None = None
) -> None:
    """A ledger row on the asker's chain, of what was done or refused."""
    entry = Entry(
        node="admin",
        op=op,
        status="ok" if refused is None else "denied",
        reason=reason if refused is None else refused.code,
        payload={"people": list(people)},
        actor=view.user,
    )
    owner = (Space.USER, view.user) if view.user is not None else (Space.SYSTEM, "system")
    store.record(view.tenant, *owner, entry, at=view.now)


BATCH = 100
STAYING_MAX = 1_000
"""How many memories that stay are counted."""


@frozen
class Forgotten:
    """What became of a person for the asker."""

    person_id: str
    name: str
    archived: int
    kept: int
    """Memories about them that the asker sees and may not change."""
    is_record_deleted: bool = False


def forget_person(
    reference: str,
    viewpoint: Viewpoint,
    engine: Engine,
    *,
    delete_record: bool = False,
    progress: Callable[[int], None] = lambda _done: None,
) -> Forgotten:
    """Archive everything about a person that the asker may change, in batches; run again it goes on where it ended.

    `delete_record` also takes the person out. A refusal of that comes first and changes nothing.
    """
    store = engine.store
    with store.transaction():
        view = views.view_of(viewpoint, engine, engine.clock())
        person = _known(reference, view, store)
        about = Listing(filter=Filter(about=frozenset([person.id])), limit=STAYING_MAX)
        staying = [one for one in store.seen(view, about) if not _may_change(one, view, engine)]
        refused = _refusal(person, is_needed=bool(staying), view=view, engine=engine) if delete_record else None
        if refused is not None:
            _note("delete", "", (person.id,), view, store, refused=refused)
        told = _told(person, view, engine, EdgeKind.ABOUT)
    if refused is not None:
        raise refused
    archived = 0
    for start in range(0, len(told), BATCH):
        archived += _archive(told[start : start + BATCH], person, view, engine)
        progress(archived)
    if delete_record:
        _take_out(person, view, engine)
    return Forgotten(
        person_id=person.id,
        name=label(seen_by(person, view.user), asker=view.user),
        archived=archived,
        kept=len(staying),
        is_record_deleted=delete_record,
    )


def _is_kept(memory: Memory) -> bool:
    """Recalled now, or to be asked for as of an earlier day."""
    return memory.state is not State.ARCHIVED or memory.archive_reason == "superseded"


def _may_change(memory: Memory, view: View, engine: Engine) -> bool:
    is_system = view.user is None and view.chat is None
    return is_system or show.refusal_to_change(memory, view, engine) is None


def _told(person: Person, view: View, engine: Engine, kind: EdgeKind) -> list[str]:
    """Ids of the memories about (or by) a person that the asker may change."""
    edges = engine.store.edges(view.tenant, person.id, [kind])
    found = (engine.store.memory(view.tenant, edge.src) for edge in edges)
    return [one.id for one in found if one is not None and _is_kept(one) and _may_change(one, view, engine)]


def _refusal(person: Person, *, is_needed: bool, view: View, engine: Engine) -> NotAllowed | None:
    """Why the record may not go, by what the asker sees alone: nobody learns here what others keep to themselves.

    `is_needed`: memories about the person stay.
    """
    is_own = view.user in ((person.created_by,) if person.user_id is None else (person.user_id,))
    if view.user is not None and not is_own:
        return _not_creator(person, view)
    about = set(_told(person, view, engine, EdgeKind.ABOUT))
    if is_needed or set(_told(person, view, engine, EdgeKind.STATED_BY)) - about:
        name = label(seen_by(person, view.user), asker=view.user)
        return NotAllowed(
            f"Memories that stay are about {name} or told by {name}; the record can go when they are gone.",
            code="person_in_use",
        )
    return None


def _archive(memory_ids: Sequence[str], person: Person, view: View, engine: Engine) -> int:
    with engine.store.transaction():
        found = (engine.store.memory(view.tenant, memory_id) for memory_id in memory_ids)
        gone = [
            replace(archived(memory, "forgotten", now=view.now), purge_at=None)
            for memory in found
            if memory is not None and _is_kept(memory) and person.id in memory.subject_person_ids
        ]
        entries = [row("delete", one, "forgotten", actor=view.user) for one in gone]
        changes = [Change(memory=one, entry=entry) for one, entry in zip(gone, entries, strict=True)]
        engine.store.apply(changes, at=view.now)
    return len(gone)


def _take_out(person: Person, view: View, engine: Engine) -> None:
    """The record goes; where somebody else still needs it, only the asker's part of it goes."""
    store = engine.store
    with store.transaction():
        _note("delete", "person_removed", (person.id,), view, store)
        left = replace(
            person,
            created_by=None,
            aliases=tuple(one for one in person.aliases if one.added_by != view.user),
            relationships=tuple(one for one in person.relationships if one.stated_by != view.user),
        )
        edges = store.edges(view.tenant, person.id, [EdgeKind.ABOUT, EdgeKind.STATED_BY])
        memories = (store.memory(view.tenant, edge.src) for edge in edges)
        is_told = any(memory is not None and _is_kept(memory) for memory in memories)
        is_known = any(one.added_by for one in left.aliases) or any(one.stated_by for one in left.relationships)
        if not (is_told or is_known):
            store.drop(PersonKey(tenant=view.tenant, person_id=person.id))
            return
        store.keep(left)
        if person.user_id is not None:
            chats = store.edges(view.tenant, person.id, [EdgeKind.PARTICIPATES_IN])
            store.keep(UserLink(tenant=view.tenant, user=person.user_id, person_id=None))
            store.keep(Rewiring(tenant=view.tenant, drop=tuple(chats), at=view.now))
