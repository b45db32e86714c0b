"""Changing people by hand: aliases, names, merges and splits, and the questions that wait for an answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from recollect.errors import InvalidInput, NotAllowed, PersonNotFound
from recollect.flows import merging
from recollect.flows.people import PEOPLE_MAX, look_up
from recollect.policies.names import normalise
from recollect.policies.people import label, seen_by, with_alias, with_name
from recollect.policies.visibility import View
from recollect.store.base import Entry, Op, Review, Store
from recollect.types import Person
from recollect.vocabulary import Space

Answer = Literal["merged", "apart"]


@dataclass(frozen=True, kw_only=True)
class Question:
    """Two people who may be one, as the asker sees them."""

    one: Person
    other: Person
    reason: str


def add_alias(words: str, alias: str, *, view: View, store: Store, now: datetime) -> Person:
    """Also call a person so. `not_creator` unless the asker made the person or is it."""
    return _renamed(words, alias, view=view, store=store, now=now, is_name=False)


def rename(words: str, name: str, *, view: View, store: Store, now: datetime) -> Person:
    """Give a person another name; the earlier one stays as an alias."""
    return _renamed(words, name, view=view, store=store, now=now, is_name=True)


def _renamed(words: str, name: str, *, view: View, store: Store, now: datetime, is_name: bool) -> Person:
    if not normalise(name):
        raise InvalidInput("A name has at least one letter or digit.", code="empty_name")
    with store.transaction():
        person = _known(words, view, store)
        is_allowed = _may_change(person, view)
        reason = "person_renamed" if is_name else "person_alias"
        if is_allowed:
            person = (with_name if is_name else with_alias)(person, " ".join(name.split()), by=view.user)
            store.save_person(person)
        _note(view, store, now, op="update", reason=reason if is_allowed else None, people=(person.id,))
    if not is_allowed:
        raise _refusal(person, view)
    return seen_by(person, view.user)


def merge(primary: str, secondary: str, *, view: View, store: Store, now: datetime) -> Person:
    """Two people are one: the first stays, and `split` takes it back."""
    with store.transaction():
        kept, gone = _known(primary, view, store), _known(secondary, view, store)
        refused = next((one for one in (kept, gone) if not _may_change(one, view)), None)
        if refused is None:
            kept = merging.unite(kept, gone, by=view.user, store=store, now=now)
            _answer((kept.id, gone.id), "merged", view=view, store=store, now=now)
        reason = "person_merged" if refused is None else None
        _note(view, store, now, op="merge", reason=reason, people=(kept.id, gone.id))
    if refused is not None:
        raise _refusal(refused, view)
    return seen_by(kept, view.user)


def split(words: str, *, view: View, store: Store, now: datetime) -> tuple[Person, Person]:
    """Take back the merge of the person with this id, or the last merge into the person that the words mean."""
    with store.transaction():
        person = _known(words, view, store)
        found = store.merge_of(view.tenant, words) or next(iter(store.merged_with(view.tenant, person.id)), None)
        if found is None:
            raise InvalidInput("This person was not merged with anybody.", code="not_merged")
        is_allowed = _may_change(found.primary, view) and _may_change(found.secondary, view)
        if is_allowed:
            both = merging.part(found, store=store, now=now)
            _answer((found.primary.id, found.secondary.id), "apart", view=view, store=store, now=now)
        people = (found.primary.id, found.secondary.id)
        _note(view, store, now, op="merge", reason="person_split" if is_allowed else None, people=people)
    if not is_allowed:
        raise _refusal(person, view)
    return seen_by(both[0], view.user), seen_by(both[1], view.user)


def questions(view: View, store: Store) -> tuple[Question, ...]:
    """Pairs that wait for this asker's answer, oldest first; only of people the asker knows."""
    if view.user is None:
        return ()
    known = {person.id: seen_by(person, view.user) for person in store.known(view, limit=PEOPLE_MAX)}
    return tuple(
        Question(one=known[waiting.one], other=known[waiting.other], reason=waiting.reason)
        for waiting in store.reviews(view.tenant, view.user)
        if waiting.one in known and waiting.other in known
    )


def keep_apart(one: str, other: str, *, view: View, store: Store, now: datetime) -> None:
    """Two people are two; it is not asked again. The answer "one" is a `merge`."""
    with store.transaction():
        pair = (_known(one, view, store).id, _known(other, view, store).id)
        _answer(pair, "apart", view=view, store=store, now=now)


def _answer(pair: tuple[str, str], decision: Answer, *, view: View, store: Store, now: datetime) -> None:
    if view.user is not None:
        store.put_review(
            Review(
                tenant=view.tenant,
                asker=view.user,
                one=pair[0],
                other=pair[1],
                reason="asked",
                at=now,
                decision=decision,
            )
        )


def _known(words: str, view: View, store: Store) -> Person:
    """Whom the words mean, if the asker knows them: a stranger is as one who does not exist."""
    person = look_up(words, view=view, store=store)
    if view.user is not None and all(person.id != known.id for known in store.known(view, limit=PEOPLE_MAX)):
        raise PersonNotFound(words)
    return person


def _may_change(person: Person, view: View) -> bool:
    """The creator or the person; work without a user is the system's own."""
    return view.user is None or view.user in (person.created_by, person.user_id)


def _refusal(person: Person, view: View) -> NotAllowed:
    name = label(seen_by(person, view.user), asker=view.user)
    return NotAllowed(f"Only {name} or whoever first spoke of {name} to me can change this.", code="not_creator")


def _note(view: View, store: Store, now: datetime, *, op: Op, reason: str | None, people: tuple[str, ...]) -> None:
    """A ledger row on the asker's chain; without a reason the change was refused."""
    entry = Entry(
        node="admin",
        op=op,
        status="ok" if reason is not None else "denied",
        reason=reason or "not_creator",
        payload={"people": list(people)},
        actor=view.user,
    )
    owner = (Space.USER, view.user) if view.user is not None else (Space.SYSTEM, "system")
    store.record(view.tenant, *owner, entry, at=now)
