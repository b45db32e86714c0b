"""Insights: once a day a model may say what a person's last days show. Without a model nothing is concluded."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from wellkept.flows.requests import Statement
from wellkept.flows.upkeep import upkeep_writer
from wellkept.flows.write import draft, reconcile
from wellkept.judges.llm.insights import ACTIVITIES_MAX, CONVERSATION_CHARACTERS_MAX, FACTS_MAX, Activity
from wellkept.judges.llm.notices import collect
from wellkept.policies.text import words
from wellkept.policies.writing import gate
from wellkept.store.contract import Page
from wellkept.types import Claim, Viewpoint
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.upkeep.duty import Duty
    from wellkept.flows.write.draft import Writer
    from wellkept.types import Memory, Message

REST = timedelta(hours=24)
RECENT = timedelta(days=7)
MESSAGES_MAX = 20
ACTIVITY = frozenset({"activity", "recent_activity", "event", "tasks"})


@runtime_checkable
class Insightful(Protocol):
    """A judge that can conclude something: a model."""

    def insights(self, activity: Activity) -> tuple[Claim, ...]:
        """One to three claims of kind insight, or none."""


def job(duty: Duty) -> Mapping[str, int] | None:
    """For every user with something new; without a model the job says so and ends."""
    engine, tenant = duty.engine, duty.tenant
    if not isinstance(engine.judge, Insightful):
        duty.finish(status="skipped", reason="no_model")
        return None
    stored = 0
    for space, owner in engine.store.places(tenant):
        if space is Space.USER:
            stored += insights_of(tenant, owner, duty)
    return {"insights": stored}


def insights_of(tenant: str, user: str, duty: Duty) -> int:
    """How many insights about this user were stored."""
    engine = duty.engine
    writer = upkeep_writer.of_place(tenant, Space.USER, user, engine)
    now = writer.view.now
    living = engine.store.living(tenant, Space.USER, user, now=now, more_than=0)
    if any(one.kind is Kind.INSIGHT and now - one.created_at < REST for one in living):
        return 0
    activity = _activity(user, living, writer)
    judge = engine.judge
    if activity is None or not isinstance(judge, Insightful):
        return 0
    with collect():
        claims = judge.insights(activity)
    vectors = engine.vectors([claim.content for claim in claims])
    with duty.transaction():
        for number, claim in enumerate(claims):
            _store(claim, user, writer, None if vectors is None else vectors[number : number + 1])
    return len(claims)


def _activity(user: str, living: Sequence[Memory], writer: Writer) -> Activity | None:
    """What lately happened; None when nothing did. Procedures and confidences are never input."""
    now = writer.view.now
    fresh = [
        one
        for one in sorted(living, key=lambda one: one.observed_at, reverse=True)
        if now - one.observed_at <= RECENT
        and one.kind in (Kind.SEMANTIC, Kind.EPISODIC)
        and not one.confidential
        and one.persona_id is None
    ]
    did = [one.content for one in fresh if one.category in ACTIVITY or one.kind is Kind.EPISODIC]
    facts = [one.content for one in fresh if one.category not in ACTIVITY and one.kind is Kind.SEMANTIC]
    if not did and not facts:
        return None
    person = writer.engine.store.person_of(writer.view.tenant, user)
    return Activity(
        person=person.name if person is not None else None,
        activities=tuple(did[:ACTIVITIES_MAX]),
        facts=tuple(facts[:FACTS_MAX]),
        conversation=_conversation(writer),
        tenant=writer.view.tenant,
        user=user,
    )


def _conversation(writer: Writer) -> str:
    """The end of what was lately said with this user alone; nothing that was said in confidence."""
    page = Page(since=writer.view.now - RECENT, limit=MESSAGES_MAX)
    heard = writer.engine.store.heard(writer.view, page)
    told = "\n".join(f"{message.role}: {message.content}" for message in heard if _is_between_us(message))
    return told[-CONVERSATION_CHARACTERS_MAX:]


def _is_between_us(message: Message) -> bool:
    return message.chat_type == "private" and message.persona_id is None and not message.confidential


def _store(claim: Claim, user: str, writer: Writer, vectors: NDArray[np.float32] | None) -> None:
    """Through the gate and the rules of conflict, like everything else; worth what an inference is worth."""
    owner = Viewpoint(tenant=writer.view.tenant, user=user)
    person = writer.engine.store.person_of(owner.tenant, user)
    inferring = draft.Writer(viewpoint=owner, view=writer.view, speaker=None, engine=writer.engine, node="worker")
    statement = Statement(text=claim.content, source="ai", origin="theory_of_mind")
    if gate.admit(gate.Attempt(claim=claim, space=Space.USER, source="ai"), writer.engine.gate).verdict == "refuse":
        return
    memory = draft.memory(claim, statement, (person,) if person is not None else (), inferring)
    terms = words.term_counts(memory.content)
    incoming = reconcile.Incoming(memory=memory, claim=claim, terms=terms, vectors=vectors)
    reconcile.reconcile(incoming, inferring)
