"""The verbs about people as a viewpoint asks for them: change somebody, then show what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.flows import views
from wellkept.flows.people import amend_people, identity
from wellkept.flows.read.show import Acquaintance, shown_person
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility import View
    from wellkept.types import Viewpoint

PAIR = 2


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
        found = (identity.brought(words, view=view, store=engine.store) for words in present)
        return replace(viewpoint, participants=(*viewpoint.participants, *dict.fromkeys(found)))


def alias(reference: str, name: str, viewpoint: Viewpoint, engine: Engine) -> Acquaintance:
    """Also call somebody so."""
    view = views.view_of(viewpoint, engine, engine.clock())
    changed = amend_people.add_alias(reference, name, view=view, store=engine.store)
    return shown_person(changed, view)


def rename(reference: str, name: str, viewpoint: Viewpoint, engine: Engine) -> Acquaintance:
    """Give somebody another name."""
    view = views.view_of(viewpoint, engine, engine.clock())
    changed = amend_people.rename(reference, name, view=view, store=engine.store)
    return shown_person(changed, view)


def relate(reference: str, relation: str, to: str | None, viewpoint: Viewpoint, engine: Engine) -> Acquaintance:
    """Say what somebody is to the asker, or to a third person; without a relation, take back what was said."""
    view = views.view_of(viewpoint, engine, engine.clock())
    if relation.strip():
        changed = amend_people.relate(reference, relation, to=to, view=view, store=engine.store)
    else:
        changed = amend_people.unrelate(reference, to=to, view=view, store=engine.store)
    return shown_person(changed, view)


def merge(primary: str, secondary: str, viewpoint: Viewpoint, engine: Engine) -> Merged:
    """Two people are one."""
    return _merged(primary, secondary, views.view_of(viewpoint, engine, engine.clock()), engine)


def _merged(primary: str, secondary: str, view: View, engine: Engine) -> Merged:
    whole = amend_people.merge(primary, secondary, view=view, store=engine.store)
    latest, *_ = engine.store.merges(view.tenant, primary=whole.id)
    return Merged(person=shown_person(whole, view), merged_id=latest.secondary.id)


def split(reference: str, viewpoint: Viewpoint, engine: Engine) -> tuple[Acquaintance, Acquaintance]:
    """Take a merge back."""
    view = views.view_of(viewpoint, engine, engine.clock())
    one, other = amend_people.split(reference, view=view, store=engine.store)
    return shown_person(one, view), shown_person(other, view)


def review(same: Sequence[str], different: Sequence[str], viewpoint: Viewpoint, engine: Engine) -> Reviewed:
    """Answer what is given, then show what waits for this asker."""
    for name, pair in (("same", same), ("different", different)):
        if len(pair) not in (0, PAIR):
            raise InvalidInput(f"{name} takes two people.", code="invalid_pair")
    view = views.view_of(viewpoint, engine, engine.clock())
    merged = _merged(same[0], same[1], view, engine) if same else None
    apart = _kept_apart(different[0], different[1], view, engine) if different else ()
    with engine.store.snapshot():
        waiting = amend_people.questions(view, engine.store) if view.knows_people else ()
    doubts = (
        Doubt(one=shown_person(one.one, view), other=shown_person(one.other, view), reason=one.reason)
        for one in waiting
    )
    return Reviewed(same=merged, different=apart, waiting=tuple(doubts))


def _kept_apart(one: str, other: str, view: View, engine: Engine) -> tuple[Acquaintance, ...]:
    amend_people.keep_apart(one, other, view=view, store=engine.store)
    return tuple(shown_person(identity.look_up(words, view=view, store=engine.store), view) for words in (one, other))
