"""Trace events: what a governed session did, as JSON-ready dicts that hold no clock and no secret."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wellkept.policies.secrets.detector import REDACTED, cut, find_secrets, has_secret, mask, redact
from wellkept.policies.writing.keys import signs
from wellkept.values import frozen, once
from wellkept.vocabulary import Kind

if TYPE_CHECKING:
    from wellkept.policies.governance.phases import Diff, Phase
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.writing.conflict import Rule
    from wellkept.types import Decision, Memory
    from wellkept.vocabulary import Space

Event = dict[str, Any]

_FIRST = ("memory_recall", "memory_border_check", "memory_write")

META_KEYS = (
    "event_type", "importance_reason", "recall_reason", "space", "owner", "summary_of", "dedup_key", "score", "key",
    "source_turn_ids", "authority", "authority_reason", "promoted_from", "promotion_reason", "policy_tags",
    "expires_at", "phase_id", "phase_name", "phase_started_at", "phase_reason",
)  # fmt: skip
_STORED = (
    "importance_reason", "summary_of", "source_turn_ids", "promoted_from", "promotion_reason", "policy_tags",
    "expires_at",
)  # fmt: skip

_POLICIES = ("policy_snapshot", "policy")
_WORDED = frozenset({"query", "text", "dedup_key", "key", "phase_name"})
"""Fields that hold what somebody said, or what was made of it."""

SEGMENT_MAX = 80
SUMMARY_MAX = 240
SUMMARY_OPENING = "Earlier: "
SUMMARY_JOINER = " | "
_JOINER_LENGTH = len(SUMMARY_JOINER)
_SUMMARY_ROOM = SUMMARY_MAX - len(SUMMARY_OPENING) + _JOINER_LENGTH
"""Of segments that are each followed by the joiner; after the last one there is none."""
_ECHO_MIN = 4
"""Characters of a secret value that are looked for in other fields; less would hit ordinary words."""


def _shown(memory: Memory) -> str:
    """Its text as far as a trace shows it. A summary is made of texts that carry no secret."""
    is_hidden = "summary_of" not in memory.meta and has_secret(memory.content)
    return REDACTED if is_hidden else cut(memory.content)


def place(kind: str) -> int:
    """Where an event stands in its call: recall, border checks, write, then what was decided, in the order it was."""
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)


def dedup_key(memory: Memory) -> str:
    """Event type and normalised text, or the slot that the fact fills; a hash where the text is not shown whole.

    A slot that takes many values makes no two statements rivals: there the text is the key.
    """
    return _key(memory, is_shown=redact(memory.content) == memory.content)


def _key(memory: Memory, *, is_shown: bool) -> str:
    if memory.fact_key is not None and not memory.meta.get("is_many", False):
        return f"fact:{memory.fact_key}"
    return f"{memory.event_type}:{signs(memory.content)}" if is_shown else hashed_key(memory)


def hashed_key(memory: Memory) -> str:
    """The key of a text that is not shown whole. Secrets are masked before hashing: nothing of them can be guessed."""
    key = f"{memory.event_type}:{signs(mask(memory.content))}"
    return f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"


def item(memory: Memory, phase: Phase | None, *, hidden: bool = False) -> dict[str, Any]:
    """A memory as traces show it. `hidden`: its text is not shown."""
    told = {} if phase is None or phase.id != memory.phase_id else phase.as_json()
    return _item(_told(memory, hidden=hidden), told)


def recalled(memory: Memory, phase: Mapping[str, Any], **found: object) -> dict[str, Any]:
    """The same with what recall found. `phase`: the memory's, as traces show it; nothing where it is not known."""
    return _item(once(memory, "_told", _told), {**phase, **found})


def _told(memory: Memory, *, hidden: bool = False) -> dict[str, Any]:
    """What an item says of a memory whenever it is shown."""
    text, stored, weight = REDACTED if hidden else _shown(memory), memory.meta, memory.importance
    meta: dict[str, Any] = {
        "event_type": str(memory.event_type),
        "space": str(memory.space),
        "owner": memory.owner,
        "authority": str(memory.authority),
        "authority_reason": memory.authority_reason,
        "phase_id": memory.phase_id,
        **{key: stored[key] for key in _STORED if key in stored},
    }
    if memory.kind is not Kind.SHORT_TERM:
        is_shown = text == memory.content
        meta["dedup_key"] = hashed_key(memory) if text == REDACTED else _key(memory, is_shown=is_shown)
    if memory.kind is Kind.PROFILE:
        meta["key"] = memory.fact_key
    return {
        "id": memory.id,
        "kind": str(memory.kind),
        "text": text,
        "source": memory.source,
        "created_at": memory.tick or 0,
        "importance": int(weight) if float(weight).is_integer() else weight,
        "scope": "session",
        "meta": meta,
    }


def _item(told: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """An item for whoever may change it: its lists are its own. `more`: what goes into its `meta`."""
    meta = {**told["meta"], **more}
    return {
        **told,
        "meta": {
            key: [*meta[key]] if type(meta[key]) is list else meta[key]
            for key in META_KEYS
            if key in meta and meta[key] is not None
        },
    }


def handed_out(events: Iterable[Mapping[str, Any]], snapshot: Mapping[str, Any]) -> list[Event]:
    """Events for a caller, who may change them: nothing of them is held elsewhere but for this snapshot's inner parts.

    `snapshot`: of the policy; each event has its own, in the place of the one that all share.
    """
    given = [dict(event) for event in events]
    for event in given:
        for name in _POLICIES:
            if name in event:
                event[name] = dict(snapshot)
    return given


def deterministic_hash(recalled: Sequence[Mapping[str, Any]]) -> str:
    """Of `kind:id` of the recalled items in their order.

    >>> deterministic_hash([])[:8]
    'e3b0c442'
    """
    return hashlib.sha256("|".join([f"{one['kind']}:{one['id']}" for one in recalled]).encode()).hexdigest()


@frozen
class Segment:
    """A turn that left the window, as a summary tells it."""

    turn: Memory
    text: str


def segments(turns: Iterable[Memory]) -> list[Segment]:
    """Turns as a summary tells them. What a trace would not show is in no summary."""
    return [
        Segment(turn=turn, text=_shortened(f"{turn.source}: {' '.join(turn.content.split())}", SEGMENT_MAX))
        for turn in turns
        if not has_secret(turn.content)
    ]


def summary(told: Sequence[Segment]) -> tuple[str, tuple[Segment, ...]]:
    """The text that stands for turns that left the window, and which of them stand in it: the latest that fit."""
    first, room = len(told), _SUMMARY_ROOM
    while first > 0:
        room -= len(told[first - 1].text) + _JOINER_LENGTH
        if room < 0:
            break
        first -= 1
    kept = told[first:]
    return SUMMARY_OPENING + SUMMARY_JOINER.join([one.text for one in kept]), tuple(kept)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 3].rstrip()}..."


@frozen
class Tracer:
    """Makes the events of one session."""

    ai_profile: str
    session: str
    policy: Policy

    def _event(self, kind: str, **fields: Any) -> Event:  # noqa: ANN401 -- JSON is what it holds
        return {"type": kind, "ai_profile": self.ai_profile, "session": self.session, **fields}

    def _judged(self, kind: str, **fields: Any) -> Event:  # noqa: ANN401 -- JSON is what it holds
        fields["policy_snapshot"] = self.policy.snapshot
        return {"type": kind, "ai_profile": self.ai_profile, "session": self.session, **fields}

    def recall(
        self,
        query: str,
        recalled: Sequence[Mapping[str, Any]],
        *,
        consulted: Sequence[Space],
        phase: Phase | None,
    ) -> Event:
        """`memory_recall`. `query`: as far as it may be shown."""
        places = [(one["meta"]["space"], one["meta"].get("phase_id")) for one in recalled]
        counts, phases = dict.fromkeys(map(str, consulted), 0), dict[str, dict[str, int]]()
        for space, phase_id in dict.fromkeys(places):
            number = places.count((space, phase_id))
            counts[space] += number
            if phase_id is not None:
                phases.setdefault(space, {})[phase_id] = number
        return self._event(
            "memory_recall",
            query=query,
            recalled=list(recalled),
            policy=self.policy.snapshot,
            deterministic_hash=deterministic_hash(recalled),
            spaces_consulted=[str(space) for space in consulted],
            recall_counts=counts,
            current_phase=None if phase is None else phase.as_json(),
            phase_counts=phases,
        )

    def write(self, written: Sequence[Mapping[str, Any]]) -> Event:
        """`memory_write`."""
        return self._event("memory_write", written=list(written), reason="interaction_recorded")

    def denied(self, attempted: Mapping[str, Any], reason: str) -> Event:
        """`memory_denied`."""
        return self._judged("memory_denied", attempted=dict(attempted), reason=reason)

    def conflict(self, winner: Memory, loser: Memory, rule: Rule) -> Event:
        """`memory_conflict`."""
        return self._event(
            "memory_conflict", winner_id=winner.id, loser_id=loser.id, rule=rule, dedup_key=dedup_key(winner)
        )

    def forget(self, memory: Memory, reason: str) -> Event:
        """`memory_forget`."""
        return self._judged("memory_forget", memory_id=memory.id, reason=reason)

    def deleted(self, memory: Memory, reason: str) -> Event:
        """`memory_deleted`."""
        return self._judged(
            "memory_deleted",
            space=str(memory.space),
            owner=memory.owner,
            phase_id=memory.phase_id,
            memory_id=memory.id,
            reason=reason,
        )

    def border(self, action: str, from_space: Space, to_space: Space | None, decision: Decision) -> Event:
        """`memory_border_check`."""
        to = {} if to_space is None else {"to_space": str(to_space)}
        return self._judged(
            "memory_border_check",
            action=action,
            from_space=str(from_space),
            **to,
            allowed=decision.verdict == "pass",
            reason=decision.reason,
        )

    def promoted(self, source: Memory, stored: Memory, reason: str) -> Event:
        """`memory_promoted`."""
        return self._judged(
            "memory_promoted",
            from_space=str(source.space),
            to_space=str(stored.space),
            from_id=source.id,
            to_id=stored.id,
            authority_used=str(source.authority),
            reason=reason,
        )

    def promotion_denied(self, source: Memory, to_space: Space, reason: str) -> Event:
        """`memory_promotion_denied`."""
        return self._judged(
            "memory_promotion_denied",
            from_space=str(source.space),
            to_space=str(to_space),
            memory_id=source.id,
            allowed=False,
            reason=reason,
        )

    def phase_started(self, phase: Phase) -> Event:
        """`memory_phase_started`."""
        return self._judged(
            "memory_phase_started",
            space=phase.space.value,
            owner=phase.owner,
            reason=phase.reason,
            phase_id=phase.id,
            phase_name=phase.name,
            phase_started_at=phase.started_at,
        )

    def phase_diff(self, before: Phase, after: Phase, found: Diff) -> Event:
        """`memory_phase_diff`."""
        return self._event(
            "memory_phase_diff",
            space=after.space.value,
            owner=after.owner,
            from_phase_id=before.id,
            to_phase_id=after.id,
            added_count=len(found.added),
            deleted_count=len(found.deleted),
            replaced_count=len(found.replaced),
            top_changes=[dict(change) for change in found.top_changes],
            summary_lines=found.summary_lines,
        )


def secret_values(texts: Iterable[str]) -> frozenset[str]:
    """The secrets that stand in these texts, long enough to be looked for elsewhere."""
    carrying = [text for text in texts if has_secret(text)]
    found = (text[span.start : span.end].strip() for text in carrying for span in find_secrets(text))
    return frozenset(value for value in found if len(value) >= _ECHO_MIN)


def scrubbed(value: Any, secrets: frozenset[str]) -> Any:  # noqa: ANN401 -- JSON in, JSON out
    """The same without these values in its words, however capitalised: no field carries what another one redacts.

    Ids, codes, hashes and the policy stay as they are: a password may be a word that is a code, too.
    """
    if not secrets:
        return value
    if isinstance(value, str):
        return re.sub("|".join(map(re.escape, sorted(secrets, key=len)[::-1])), REDACTED, value, flags=re.IGNORECASE)
    if isinstance(value, dict):
        return {
            key: scrubbed(one, secrets) if key in _WORDED or isinstance(one, (dict, list)) else one
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [scrubbed(one, secrets) if isinstance(one, (dict, list)) else one for one in value]
    return value
