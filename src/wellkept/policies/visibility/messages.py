"""Who may read which message, and which spans of it. `store/sql/messages.sql` says the same in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.patterns import deferred
from wellkept.policies.visibility.memories import Facts, View, admitted, is_alive, is_heard, is_wanted
from wellkept.types import Decision
from wellkept.vocabulary import MemoryType, Sensitivity, State

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from wellkept.types import Memory, Message

_OVER = frozenset({"expired", "ephemeral_decay"})
_ENDING = frozenset(
    {
        MemoryType.EVENT,
        MemoryType.PREFERENCE,
        MemoryType.KNOWLEDGE,
        MemoryType.IDENTITY,
        MemoryType.RELATIONSHIP,
    }
)
"""Of these only what has a day or ends by its nature is ever over: a wish for next month or an age, not a taste."""
_STALE_REASONS = _OVER | {"superseded"}
_SPACES = deferred(r"\s+")
_LONE = deferred(r"^[\s,;:.!?…\-–—]+")


def _hidden(reason: str) -> Decision:
    return Decision(verdict="hidden", reason=reason)


def readable(message: Message, view: View, audience: Collection[str]) -> Decision:
    """Shown or hidden, with the rule that decided. `audience` are the people who heard it, merged ones as they are now.

    In a group its own messages. In private what the asker said in private to the same persona, and what was said in
    groups; both only as far as everybody who listens now was there.
    """
    if message.tenant != view.tenant:
        return _hidden("other_tenant")
    if view.categories is not None:
        return _hidden("category")
    said_at = message.at or message.arrived_at
    if view.as_of is not None and said_at is not None and said_at > view.as_of:
        return _hidden("not_yet_said")
    if message.confidential and message.chat_id != view.chat:
        return _hidden("confidential")
    if view.chat_type == "group":
        is_here = message.chat_type == "group" and message.chat_id == view.chat
        return Decision(verdict="shown", reason="said_here") if is_here else _hidden("other_chat")
    return _in_private(message, view, audience)


def _in_private(message: Message, view: View, audience: Collection[str]) -> Decision:
    if not view.present <= frozenset(audience):
        return _hidden("not_heard_by_all")
    if message.chat_type == "group":
        return Decision(verdict="shown", reason="heard_in_group") if view.person is not None else _hidden("other_chat")
    if message.user_id != view.user or (view.user is None and message.chat_id != view.chat):
        return _hidden("other_user")
    if message.persona_id != view.persona:
        return _hidden("persona")
    return Decision(verdict="shown", reason="own_private")


def is_stale(memory: Memory, view: View) -> bool:
    """Replaced by another statement, or over by time."""
    if memory.state is State.SUPERSEDED or memory.archive_reason in _STALE_REASONS:
        return True
    return memory.state is State.ACTIVE and memory.dies_at is not None and memory.dies_at <= view.now


def stands(memory: Memory | None, view: View, facts: Facts, *, include_stale: bool) -> bool:
    """May a span be shown that this memory rests on? None: the memory was removed."""
    if memory is None or not is_wanted(memory, view):
        return False
    if admitted(memory, view, facts).verdict != "shown" and not _was_heard(memory, view):
        return False
    is_overridden = any(is_heard(better, view, facts) for better in facts.overriding)
    if not is_overridden and (is_alive(memory, view) or _has_happened(memory, view)):
        return True
    return include_stale and is_stale(memory, view)


def _was_heard(memory: Memory, view: View) -> bool:
    """Learned from what was said in this group; or in another one, and neither sensitive nor confided.

    Whoever was there may be told again what was said, even where the memory made from it is somebody else's.
    """
    if memory.learned_in_type != "group" or memory.persona_id not in (None, view.persona):
        return False
    if view.chat_type == "group":
        return memory.learned_in == view.chat
    return not memory.confidential and memory.sensitivity is not Sensitivity.SENSITIVE


def _has_happened(memory: Memory, view: View) -> bool:
    """Whether it tells of an event, a plan or a state that was overheard and is over: it is asked for all the same."""
    is_over = memory.state is State.ACTIVE and memory.dies_at is not None and memory.dies_at <= view.now
    is_over = is_over or (memory.state is State.ARCHIVED and memory.archive_reason in _OVER)
    is_event = memory.type in _ENDING or (memory.type is MemoryType.CONTEXT and memory.event_at is not None)
    return is_over and is_event and memory.origin == "shadow_extraction"


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with some spans left out, tidied where they were.

    >>> without("I live in Oslo. I like tea.", [(0, 15)])
    'I like tea.'
    """
    left, last = [], 0
    for start, stop in sorted(spans):
        left.append(text[last : max(start, last)])
        last = max(last, stop)
    left.append(text[last:])
    return _tidied(part for part in left if part.strip())


def _tidied(parts: Iterable[str]) -> str:
    """One line; punctuation that has lost its sentence goes with it."""
    kept = (_LONE.sub("", _SPACES.sub(" ", part)).strip() for part in parts)
    return " … ".join(part for part in kept if part)
