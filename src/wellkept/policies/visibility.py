"""Who may see which memory, message and category, as pure functions.

`store/sql/visible.sql` and `store/sql/messages.sql` say the same in SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from wellkept.errors import ConfigError, InvalidInput, NotAllowed
from wellkept.patterns import deferred
from wellkept.types import Decision, Memory
from wellkept.values import frozen
from wellkept.vocabulary import ChatType, Kind, MemoryType, Sensitivity, Space, State

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from wellkept.types import Memory, Message


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
    if may_be_overheard(memory, view):
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
    return _hidden("third_party" if may_be_overheard(memory, view) else "overheard")


def may_be_overheard(memory: Memory, view: View) -> bool:
    """Whether the asker's own may be told in a private chat although somebody else listens: as in a group.

    Alone, everything may. In front of others, what is public, and what is personal about somebody; the rest only where
    each of them knows it already.
    """
    if view.partners == view.present or view.mode == "seed":
        return True
    match memory.sensitivity or Sensitivity.PUBLIC:
        case Sensitivity.PUBLIC:
            return True
        case Sensitivity.PERSONAL:
            return bool(memory.subject_person_ids)
        case Sensitivity.SENSITIVE:
            return False


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


# --- Messages, and which spans of them.


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
    return _message_in_private(message, view, audience)


def _message_in_private(message: Message, view: View, audience: Collection[str]) -> Decision:
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


def span_stands(memory: Memory | None, view: View, facts: Facts, *, include_stale: bool) -> bool:
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


def without_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with some spans left out, tidied where they were.

    >>> without_spans("I live in Oslo. I like tea.", [(0, 15)])
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


# --- Categories: how each stands in the context, and which agent may read which.


Mode = Literal["all", "rag"]

PROCEDURAL = "procedural"
DEFAULT_AGENT = "default"
"""The allowlist of agents that have none of their own, where one is configured."""
_NAME = deferred(r"[^\W\d_][\w-]{0,63}")


@frozen
class Category:
    """A heading. `all`: every visible memory of it stands in the context; `rag`: only what was found."""

    name: str
    context: Mode = "rag"
    rag_length: int | None = None
    """Only the newest so many are looked through; None: all."""


def _named(*names: str) -> dict[str, Category]:
    return {name: Category(name=name) for name in names}


BUILT_IN: Mapping[str, Category] = {
    "profile": Category(name="profile", context="all"),
    "event": Category(name="event", rag_length=30),
    "activity": Category(name="activity", rag_length=50),
    **_named("preferences", "goals", "interests", "history", "tone", "style", "constraints", "knowledge"),
    **_named("relationships", "relationship_dynamic", "tasks", "projects", "recent_activity", PROCEDURAL),
}

ALLOWLISTS: Mapping[str, frozenset[str]] = {
    "supervisor": frozenset(
        {
            "profile", "goals", "preferences", "event", "activity", "relationships", "tasks", "relationship_dynamic",
            "knowledge", "projects", "recent_activity",
        }
    ),
    "planner": frozenset({"goals", "tasks", "projects", PROCEDURAL}),
    "stylist": frozenset({"preferences", "tone", "style"}),
    "researcher": frozenset({"knowledge", "interests", "history"}),
    "executor": frozenset({"tasks", "recent_activity", "constraints", PROCEDURAL}),
}  # fmt: skip


@frozen
class Categories:
    """The categories configuration."""

    known: Mapping[str, Category] = field(default_factory=lambda: BUILT_IN)
    allowlists: Mapping[str, frozenset[str]] = field(default_factory=lambda: ALLOWLISTS)

    def of_agent(self, agent: str | None) -> frozenset[str] | None:
        """What an agent may read: None without an agent (all but procedures), nothing for one that is not known."""
        if agent is None:
            return None
        return self.allowlists.get(agent, self.allowlists.get(DEFAULT_AGENT, frozenset()))

    def granted(self, agent: str | None, requested: frozenset[str]) -> frozenset[str] | None:
        """What of the requested an agent may read, which is all of it or an error that names the rest."""
        self.check(requested)
        allowed = self.of_agent(agent)
        if agent is None and PROCEDURAL in requested:
            raise NotAllowed("Procedures are read by agents only: name the agent.", code="category_not_allowed")
        if allowed is None or not requested:
            return requested or allowed
        refused = sorted(requested - allowed)
        if refused:
            raise NotAllowed(f"Agent {agent!r} may not read {', '.join(refused)}.", code="category_not_allowed")
        return requested

    def check(self, names: frozenset[str]) -> None:
        """Refuse names that are no category."""
        unknown = sorted(names - self.known.keys())
        if unknown:
            raise InvalidInput(
                f"Unknown category {', '.join(map(repr, unknown))}. Known: {', '.join(sorted(self.known))}.",
                code="invalid_category",
            )

    def whole(self) -> frozenset[str]:
        """Categories of which every visible memory stands in the context."""
        return frozenset(name for name, one in self.known.items() if one.context == "all")


def configured_categories(categories: Mapping[str, Any], allowlists: Mapping[str, Any], origin: str) -> Categories:
    """The built-in categories with what a configuration changes; what it says wrong is an error that names it."""
    known = dict(BUILT_IN)
    for table, entries in categories.items():
        if table not in ("system", "custom"):
            raise ConfigError(f"Unknown key categories.{table} in {origin}. Known: custom, system.")
        if not isinstance(entries, (list, tuple)):
            raise ConfigError(f"categories.{table} in {origin} is not a list.")
        names = set()
        for entry in entries:
            one = _category(entry, f"categories.{table} in {origin}")
            if one.name in names:
                raise ConfigError(f"categories.{table} in {origin} names {one.name!r} twice.")
            names.add(one.name)
            known[one.name] = one
    lists = {agent: _allowlist(agent, names, known, origin) for agent, names in allowlists.items()}
    return Categories(known=known, allowlists={**ALLOWLISTS, **lists})


def _category(entry: object, where: str) -> Category:
    given = {"name": entry} if isinstance(entry, str) else entry
    if not isinstance(given, Mapping):
        raise ConfigError(f"{where}: {entry!r} is no category; give a name, or name, context and rag_length.")
    unknown = sorted(set(given) - {"name", "context", "rag_length"}, key=str)
    if unknown:
        raise ConfigError(f"{where}: unknown key {unknown[0]!r}. Known: context, name, rag_length.")
    name, context, length = given.get("name"), given.get("context", "rag"), given.get("rag_length")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise ConfigError(f"{where}: {name!r} is no name of a category.")
    if context not in ("all", "rag"):
        raise ConfigError(f"{where}: context of {name} is {context!r}, not all or rag.")
    is_length = length is None or (isinstance(length, int) and not isinstance(length, bool) and length > 0)
    if not is_length or (context == "all" and length is not None):
        raise ConfigError(f"{where}: rag_length of {name} is {length!r}, not a number from 1 of a rag category.")
    return Category(name=name, context=context, rag_length=length)


def _allowlist(agent: str, names: object, known: Mapping[str, Category], origin: str) -> frozenset[str]:
    given = [name.strip() for name in names.split(",") if name.strip()] if isinstance(names, str) else names
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        raise ConfigError(f"allowlists.{agent} in {origin} is not a list of categories.")
    unknown = sorted(set(given) - known.keys())
    if unknown:
        raise ConfigError(f"allowlists.{agent} in {origin}: unknown category {unknown[0]!r}.")
    return frozenset(given)
