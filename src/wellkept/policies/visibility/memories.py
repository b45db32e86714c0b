"""Who may see which memory: the one rule, as a pure function. `store/sql/visible.sql` says the same in SQL."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from wellkept.types import Decision, Memory
from wellkept.values import frozen
from wellkept.vocabulary import ChatType, Kind, Sensitivity, Space, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PrivacyMode = Literal["default", "seed", "strict"]
Reach = Literal["everybody", "subjects", "nobody"]

LONG_TERM: frozenset[Kind] = frozenset({Kind.SEMANTIC, Kind.EPISODIC, Kind.PROFILE, Kind.INSIGHT})
"""What conversational recall may return: never turns, never procedures."""


@frozen
class View:
    """A viewpoint with everything the visibility rule needs resolved to ids."""

    tenant: str
    now: datetime
    user: str | None = None
    person: str | None = None
    """The asker's person id."""
    chat: str | None = None
    chat_type: ChatType = "private"
    present: frozenset[str] = frozenset()
    """Person ids of everybody in the chat, the asker among them."""
    partners: frozenset[str] = frozenset()
    """The other humans of a private chat, or the asker if alone with the assistant."""
    persona: str | None = None
    spaces: tuple[tuple[Space, str], ...] = ()
    """Spaces in scope, in read order, with their owners."""
    kinds: frozenset[Kind] = LONG_TERM
    categories: frozenset[str] | None = None
    """The allowlist of a named agent; None lets all through."""
    mode: PrivacyMode = "default"
    fail_open: bool = True
    as_of: datetime | None = None
    include_expired: bool = False

    @property
    def knows_people(self) -> bool:
        """Whether it may be told whom the asker knows, and as what: an allowlist names that too."""
        return self.categories is None or "relationships" in self.categories


@frozen
class Facts:
    """What the rule must know beyond the memory and the view."""

    attendance: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Chat id → person ids that took part in it."""
    overriding: tuple[Memory, ...] = ()
    """First-person statements that supersede this memory for those who may hear them."""


_judged_by = attrgetter(
    "tenant", "kind", "category", "space", "owner", "persona_id", "confidential", "learned_in", "learned_in_type",
    "sensitivity", "portable", "subject_person_ids", "stated_by",
)  # fmt: skip
"""All of a memory that `admitted` looks at."""


def _shown(reason: str) -> Decision:
    return Decision(verdict="shown", reason=reason)


def _hidden(reason: str) -> Decision:
    return Decision(verdict="hidden", reason=reason)


def visible(memory: Memory, view: View, facts: Facts) -> Decision:
    """Shown or hidden, with the rule that decided. The order of the rules is the order of the reasons."""
    decision = _seen(memory, view, facts)
    if decision.verdict == "shown" and any(is_heard(better, view, facts) for better in facts.overriding):
        return _hidden("first_person_override")
    return decision


def shown(memories: Iterable[Memory], view: View, facts: Facts) -> list[Memory]:
    """Those of many that are shown; no word stands above any of them. Of those that are alike one is judged for all."""
    living = [memory for memory in memories if is_alive(memory, view)]
    looks = [*map(_judged_by, living)]
    alike = dict(zip(looks, living, strict=True))
    admits = {look: admitted(memory, view, facts).verdict == "shown" for look, memory in alike.items()}
    return [memory for memory, look in zip(living, looks, strict=True) if admits[look]]


def is_heard(own: Memory, view: View, facts: Facts) -> bool:
    """May this word of the person concerned bear on what the view is told?

    Said by the asker, seen, or said openly in a group that the asker takes part in.
    """
    if own.tenant != view.tenant or not is_alive(own, view):
        return False
    if view.person is not None and own.stated_by == view.person:
        return True
    return _said_before(own, view, facts) or _seen(own, view, facts).verdict == "shown"


def _said_before(own: Memory, view: View, facts: Facts) -> bool:
    is_open = own.sensitivity in (None, Sensitivity.PUBLIC) and not own.confidential and own.persona_id is None
    if own.learned_in is None or own.learned_in_type != "group" or not is_open:
        return False
    return view.person in facts.attendance.get(own.learned_in, frozenset())


def _seen(memory: Memory, view: View, facts: Facts) -> Decision:
    if memory.tenant != view.tenant:
        return _hidden("other_tenant")
    if not is_alive(memory, view):
        return _hidden("not_live")
    return admitted(memory, view, facts)


def admitted(memory: Memory, view: View, facts: Facts) -> Decision:
    """The rule but for life and time: what it would be if the memory were live."""
    if memory.tenant != view.tenant:
        return _hidden("other_tenant")
    if not is_wanted(memory, view):
        return _hidden("kind" if memory.kind not in view.kinds else "category")
    if (memory.space, memory.owner) in view.spaces:
        return _in_scope(memory, view, facts)
    return _across(memory, view, facts)


def is_wanted(memory: Memory, view: View) -> bool:
    """The right kind, and in the allowlist where there is one."""
    return memory.kind in view.kinds and (view.categories is None or memory.category in view.categories)


def is_alive(memory: Memory, view: View) -> bool:
    moment = view.as_of or view.now
    if memory.dies_at is not None and memory.dies_at <= moment and not view.include_expired:
        return False
    if view.as_of is None:
        is_over = memory.state is State.ARCHIVED and memory.archive_reason in ("expired", "ephemeral_decay")
        return memory.state is State.ACTIVE or (view.include_expired and is_over)
    was_live = memory.state in (State.ACTIVE, State.SUPERSEDED) or memory.archive_reason == "superseded"
    since = memory.valid_from or memory.observed_at
    return was_live and since <= view.as_of and (memory.valid_to is None or view.as_of < memory.valid_to)


def _in_scope(memory: Memory, view: View, facts: Facts) -> Decision:
    if memory.persona_id is not None and memory.persona_id != view.persona:
        return _hidden("persona")
    if memory.confidential and memory.learned_in != view.chat:
        return _hidden("confidential")
    if view.mode == "strict":
        strict = _disclosure(memory, view)
        if strict.verdict == "hidden":
            return strict
    return _by_chat(memory, view, facts)


def _by_chat(memory: Memory, view: View, facts: Facts) -> Decision:
    return _in_group(memory, view) if view.chat_type == "group" else _in_private(memory, view, facts)


def _in_group(memory: Memory, view: View) -> Decision:
    subjects = frozenset(memory.subject_person_ids)
    is_said_here = memory.space is Space.CHAT or (memory.learned_in is not None and memory.learned_in == view.chat)
    if not subjects and is_said_here and view.mode != "seed":
        return _shown("said_here")
    match memory.sensitivity or Sensitivity.PUBLIC:
        case Sensitivity.PUBLIC:
            return _shown("public")
        case Sensitivity.PERSONAL:
            return _shown("subject_present") if subjects & view.present else _hidden("subject_absent")
        case Sensitivity.SENSITIVE:
            if view.mode == "seed":
                return _shown("subject_present") if subjects & view.present else _hidden("subject_absent")
            if memory.learned_in_type != "group":
                return _hidden("sensitive_told_in_private")
            return _shown("subject_present") if subjects and subjects <= view.present else _hidden("subject_absent")


def _in_private(memory: Memory, view: View, facts: Facts) -> Decision:
    subjects = frozenset(memory.subject_person_ids)
    if not subjects:
        return _shown("no_subject")
    if view.person in subjects:
        return _shown("about_asker")
    if memory.learned_in is None and view.fail_open:
        return _shown("no_place_known")
    if not view.partners:
        # Nobody in particular is listening: what was said in this chat may be heard in it, no more.
        is_here = memory.learned_in is not None and memory.learned_in == view.chat
        return _shown("said_here") if is_here else _hidden("third_party")
    attended = facts.attendance.get(memory.learned_in, frozenset()) if memory.learned_in is not None else frozenset()
    if all(partner in subjects or partner == memory.stated_by or partner in attended for partner in view.partners):
        return _shown("known_to_partner")
    return _hidden("third_party")


def _across(memory: Memory, view: View, facts: Facts) -> Decision:
    if memory.space not in (Space.USER, Space.CHAT) or not frozenset(memory.subject_person_ids) & view.present:
        return _hidden("other_scope")
    if not memory.portable:
        return _hidden("not_portable")
    if memory.confidential:
        return _hidden("confidential")
    if memory.persona_id is not None:
        return _hidden("persona")
    disclosed = _disclosure(memory, view)
    if disclosed.verdict == "shown" and view.mode == "strict":
        return _by_chat(memory, view, facts)
    return disclosed


def reach(memory: Memory) -> Reach:
    """How far a memory may be told beyond its scope at most, whoever asks: no view out of scope is shown more.

    To everybody whom its subjects are with; to a subject (and the owner) alone; or never. The store keeps it beside the
    subjects, so that what can never be shown is not even looked at.
    """
    is_bound = not memory.portable or memory.confidential or memory.persona_id is not None
    if is_bound or memory.space not in (Space.USER, Space.CHAT):
        return "nobody"
    return "everybody" if (memory.sensitivity or Sensitivity.PUBLIC) is Sensitivity.PUBLIC else "subjects"


def _disclosure(memory: Memory, view: View) -> Decision:
    """The cross-context table: public to all, personal to the subject or owner, sensitive in private with the subject.

    In private with the subject: everybody who listens is a subject, and every subject listens.
    """
    subjects = frozenset(memory.subject_person_ids)
    is_owner = memory.space is Space.USER and memory.owner == view.user
    match memory.sensitivity or Sensitivity.PUBLIC:
        case Sensitivity.PUBLIC:
            return _shown("public")
        case Sensitivity.PERSONAL:
            return _shown("to_subject_or_owner") if is_owner or view.person in subjects else _hidden("personal")
        case Sensitivity.SENSITIVE:
            with_subject = view.chat_type == "private" and view.person in subjects and subjects == view.present
            return _shown("private_with_subject") if with_subject else _hidden("sensitive")
