"""Answers as JSON: what a verb gives, in the names of the contract, the same on every surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from wellkept.policies.writing.gate import REFUSALS
from wellkept.types import Memory, Recall, as_json
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.flows.people.amend_people import Merged, Reviewed
    from wellkept.flows.read.context import Context
    from wellkept.flows.read.recall import Answered, Bullet
    from wellkept.flows.read.show import Acquaintance, History, RecallWhy, Shown
    from wellkept.flows.sessions.chat import Reply
    from wellkept.flows.sessions.turn import Turned as Turn
    from wellkept.flows.upkeep.doctor import Diagnosis
    from wellkept.flows.write.observe import Observed
    from wellkept.types import Hit, Outcome

JSON = Any
"""Whatever JSON can hold."""

INTERNAL = frozenset({"discriminator", "value", "learned_in_type", "is_correction"})
"""Fields of a memory by which writes are decided; no caller needs them."""

SENTENCES: Mapping[str, str] = {
    **REFUSALS,
    "ambiguous": "It is not clear who is meant; name one person by id.",
    "invalid_fact": "A fact needs `content`, a text, and has no unknown keys.",
    "invalid_subjects": "The subjects must be a list of names.",
    "invalid_expiry": "A memory expires after more than 0 and at most 36,500 days.",
    "conflict_first_person": "They said otherwise of themself; this is kept on record and not recalled.",
}


@frozen
class Recalled:
    """A recall, with its reasons where they were asked for."""

    found: Recall
    why: RecallWhy | None = None


def sentence(reason: str | None) -> str:
    """Why a write was denied, in a sentence."""
    reason = reason or "denied"
    if reason.startswith("conflict_") and reason not in SENTENCES:
        rule = reason.removeprefix("conflict_")
        return f"What is known already outweighs it ({rule}); it is kept on record and not recalled."
    return SENTENCES.get(reason, f"It was not stored: {reason}.")


def outcome(value: Outcome) -> JSON:
    """What became of a write; further facts of the same text are in `others`, if there were any."""
    names = ("outcome", "id", "reason", "replaced")
    answer = {name: getattr(value, name) for name in names}
    return answer | ({"others": [outcome(other) for other in value.others]} if value.others else {})


def outcomes(value: Outcome | Sequence[Outcome]) -> JSON:
    """One outcome of one text, a list of a batch."""
    return [outcome(one) for one in value] if isinstance(value, (tuple, list)) else outcome(value)  # type: ignore[arg-type]  # an outcome, or several


def observed(value: Observed) -> JSON:
    """Ids of the messages that were new, and what was learned, when it was waited for."""
    return {"messages": list(value.ids), "outcomes": [outcome(one) for one in value.outcomes]}


def record(value: Shown) -> JSON:
    """A memory with the names of the contract; `about` and `said_by` are names for the asker."""
    told = {"about": list(value.about), "said_by": value.said_by, "is_expired": value.is_expired}
    return _memory(value.memory) | told


def _memory(memory: Memory) -> dict[str, JSON]:
    named = {item.name: as_json(getattr(memory, item.name)) for item in fields(memory) if item.name not in INTERNAL}
    return named | {
        "owner_user_id": memory.owner_user_id,
        "chat_id": memory.chat_id,
        "trust": memory.trust.value,
        "ends_at": as_json(memory.dies_at),
    }


def listing(value: Sequence[Shown]) -> JSON:
    """A bare array of records."""
    return [record(one) for one in value]


def recall(value: Recalled) -> JSON:
    """Verdict and hits; delta, notices and reasons only when there are any."""
    found = value.found
    answer: dict[str, JSON] = {"verdict": found.verdict, "hits": [hit(one) for one in found]}
    if found.delta:
        answer["delta"] = list(found.delta)
    if found.cards:
        answer["cards"] = as_json(found.cards)
    if found.notices:
        answer["notices"] = list(found.notices)
    if value.why is not None:
        answer["why"] = plain_json(value.why)
    return answer


def query(value: Answered) -> JSON:
    """A bare array of bullets; asked from a thread, with what changed for it."""
    bullets = [_bullet(one) for one in value]
    return bullets if value.thread is None else {"delta": list(value.delta), "bullets": bullets}


def turn(value: Turn) -> JSON:
    """The context, and what the message did."""
    return {
        "context": context(value.context),
        "session": as_json(value.session),
        "state": as_json(value.state),
        "todos": as_json(value.todos),
        "message_id": value.message_id,
    }


def _bullet(value: Bullet) -> JSON:
    told: dict[str, JSON] = {"id": value.id, "category": value.category, "text": value.text}
    if value.related:
        told["related"] = list(value.related)
    found = value.hit
    if found is None:
        return told
    more = {"score": found.score, "why": list(found.why), "about": list(found.about), "said_by": found.stated_by}
    return told | more | ({"metadata": _memory(found.memory)} if found.memory is not None else {})


def hit(value: Hit) -> JSON:
    """One hit; `quote` and `message_ids` only where it represents a message."""
    left_out = {"memory", "message"} | (set() if value.message_ids else {"quote", "message_ids"})
    answer = {item.name: as_json(getattr(value, item.name)) for item in fields(value) if item.name not in left_out}
    memory = value.memory
    if memory is not None:
        answer |= {"type": memory.type.value, "trust": memory.trust.value, "created_at": as_json(memory.created_at)}
    if value.message is not None:
        message = value.message
        answer |= {"role": message.role, "chat_id": message.chat_id, "session_id": message.session_id}
    return answer


def history(value: History) -> JSON:
    """The memory, what was done to it (newest first) and every text it had (oldest first)."""
    return {
        "memory": _memory(value.memory),
        "events": as_json(value.events),
        "versions": as_json(value.versions),
    }


def context(value: Context) -> JSON:
    """The block, and its sections by name."""
    return {
        "text": str(value),
        "verdict": value.verdict,
        "tokens": value.tokens,
        "sections": as_json(value.sections),
        "memory_ids": list(value.memory_ids),
    }


def reply(value: Reply) -> JSON:
    """What was said back, and what it did or rests on."""
    return {
        "reply": value.text,
        "outcomes": [outcome(one) for one in value.outcomes],
        "memory_ids": list(value.memory_ids),
    }


def people(value: Sequence[Acquaintance]) -> JSON:
    """A bare array of people."""
    return [_person(one) for one in value]


def person(value: Acquaintance) -> JSON:
    """One person with their memories, and who was made one with them."""
    return _person(value) | {"memories": listing(value.memories), "merged": as_json(value.merged)}


def acquaintance(value: Acquaintance) -> JSON:
    """One person without memories."""
    return _person(value)


def merged(value: Merged) -> JSON:
    """Who stayed, and the id by which a split takes it back."""
    return _person(value.person) | {"merged": value.merged_id}


def reviewed(value: Reviewed) -> JSON:
    """What was answered, if anything was, and what waits."""
    return {
        "same": None if value.same is None else merged(value.same),
        "different": [_person(one) for one in value.different],
        "waiting": [
            {"one": _person(doubt.one), "other": _person(doubt.other), "reason": doubt.reason}
            for doubt in value.waiting
        ],
    }


def _person(value: Acquaintance) -> dict[str, JSON]:
    known = {"id": value.id, "name": value.name, "relation": value.relation, "aliases": list(value.aliases)}
    return known | {"relations": [{"relation": one.relation, "to": one.to} for one in value.ties]}


def archived(value: Mapping[str, int]) -> JSON:
    """How many were archived, in all and by reason."""
    return {"archived": sum(value.values()), "reasons": dict(value)}


def diagnosis(found: Diagnosis) -> JSON:
    """What is wrong, and whether all of it was put right."""
    return {**as_json(found), "is_well": found.is_well}


def plain_json(value: object) -> JSON:
    """Any value as it is; what was not asked for is left out."""
    answer = as_json(value)
    return {name: item for name, item in answer.items() if item is not None} if isinstance(answer, dict) else answer
