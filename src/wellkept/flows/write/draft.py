"""From a claim to a memory that could be stored: place, people, keys and authority, nothing decided yet."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wellkept.errors import Ambiguous, InvalidInput
from wellkept.flows import views
from wellkept.policies import visibility
from wellkept.policies.people import names
from wellkept.policies.people import references as references_policy
from wellkept.policies.people.persons import is_called
from wellkept.policies.people.resolution import Verdict
from wellkept.policies.visibility import Facts
from wellkept.policies.writing import conflict, keys
from wellkept.store.contract import Entry, Filter, KnownTo, Listing
from wellkept.types import Claim, Memory, Viewpoint
from wellkept.values import changed, frozen
from wellkept.vocabulary import Authority, Kind, MemoryType, Sensitivity, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import Statement
    from wellkept.policies.visibility import View
    from wellkept.policies.writing.conflict import Conflict, Rule
    from wellkept.policies.writing.gate import GateOptions
    from wellkept.store.contract import Change, Node, Store
    from wellkept.types import Person, Reference
    from wellkept.vocabulary import Source

STRICTNESS: Mapping[Sensitivity, int] = {Sensitivity.PUBLIC: 0, Sensitivity.PERSONAL: 1, Sensitivity.SENSITIVE: 2}

AUTHORITY_OF: Mapping[Source, Authority] = {
    "user": Authority.USER_ASSERTED,
    "ai": Authority.AI_INFERRED,
    "tool": Authority.TOOL_VERIFIED,
    "system": Authority.SYSTEM_IMPOSED,
}

PET_SLOT = "pet:"
NAMED_READ = 200
"""How many of the latest people and ties are looked at for a name."""
PINNED_IMPORTANCE = 3.0
ROLE_OF: Mapping[Source, str] = {"user": "user", "ai": "assistant", "tool": "tool", "system": "system"}


_OWN_SPACES = frozenset({Space.USER, Space.SESSION})


class Rules:
    """What a write lives by when nothing else is handed in: the installation's gate, the clock, and nobody to tell.

    A governed session hands in its own: its policy, ticks in the place of the clock, and traces.
    """

    is_governed = False

    def store(self, engine: Engine) -> Store:
        """Where to look: everything that was written so far is there."""
        return engine.store

    def apply(self, changes: Sequence[Change], writer: Writer) -> None:
        """Write changes, before anybody looks."""
        writer.engine.store.apply(changes, at=writer.view.now)

    def gate(self, engine: Engine) -> GateOptions:
        """What may be written."""
        return engine.gate

    def place(self, claim: Claim, statement: Statement, viewpoint: Viewpoint) -> tuple[Space, str]:
        """Where a claim goes."""
        return place(viewpoint, shared=is_shared(claim, statement, viewpoint))

    def home(self, viewpoint: Viewpoint) -> tuple[Space, str]:
        """Where the speaker's own facts stand."""
        return Space.USER, viewpoint.user or ""

    def subjects(self, claim: Claim, statement: Statement, writer: Writer) -> tuple[Person, ...]:
        """Who a claim is about."""
        return subjects(claim, statement.about, writer)

    def dated(self, drafted: Memory, _claim: Claim, statement: Statement, writer: Writer) -> Memory:
        """The memory with its time."""
        store, scope = writer.engine.store, (drafted.space, drafted.owner)
        if statement.said_at is not None:
            tick = store.next_number(drafted.tenant, *scope, "tick")
            return changed(drafted, observed_at=statement.said_at, tick=tick)
        at, tick = store.next_moment(drafted.tenant, [scope], now=writer.view.now, is_ticking=True)
        return changed(drafted, observed_at=at, tick=tick)

    def next_id(self, memory: Memory, engine: Engine) -> str:
        """The id of a memory that is about to be stored."""
        return engine.store.next_id(memory.tenant, memory.space, memory.owner, memory.kind)

    def discriminator(self, claim: Claim, memory: Memory, realm: str) -> str:
        """What no two live memories of a scope share. `realm`: whose it is, or where it is kept."""
        return keys.discriminator(claim, memory.fact_key, realm)

    def is_anothers(self, holder: Memory, writer: Writer) -> bool:
        """Whether what holds the key is no concern of the writer's: in a shared space, what they may not see."""
        return not writer.sees(holder)

    def meets(self, old: Memory, new: Memory) -> bool:
        """Whether the two can have to do with each other at all."""
        return is_compatible(old, new)

    def keeps(self, _old: Memory) -> bool:
        """Whether a memory that is found in the way still lives; if not, it is let go."""
        return True

    def settle(self, one: Memory, other: Memory) -> Conflict:
        """Which of two that contradict each other stands."""
        return conflict.settle(one, other)

    def merged(self, old: Memory, new: Memory) -> Mapping[str, Any]:
        """What else becomes of a memory that is said again."""
        return {"subject_person_ids": tuple(dict.fromkeys(old.subject_person_ids + new.subject_person_ids))}

    def denied(self, code: str, _claim: Claim | None, statement: Statement, writer: Writer) -> None:
        """Something was refused: a ledger row with the code, and nothing of the text."""
        viewpoint = writer.viewpoint
        entry = Entry(
            node=writer.node, op="create", status="denied", reason=code, actor=viewpoint.user, thread=viewpoint.thread
        )
        space, owner = place(viewpoint, shared=statement.shared)
        writer.engine.store.record(viewpoint.tenant, space, owner, entry, at=writer.view.now)

    def wrote(self, memory: Memory) -> None:
        """A memory was stored, or is another one now."""

    def superseded(self, old: Memory, by: Memory | None, rule: Rule) -> None:
        """A memory was retired by this rule, or lost to another as it came."""


OPEN = Rules()


@frozen
class Writer:
    """Who writes, from where, with what: constant over one transaction."""

    viewpoint: Viewpoint
    view: View
    speaker: Person | None
    engine: Engine
    node: Node = "hotpath"
    rules: Rules = OPEN

    @property
    def store(self) -> Store:
        """Where to look."""
        return self.rules.store(self.engine)

    def apply(self, *changes: Change) -> None:
        """Write changes."""
        self.rules.apply(changes, self)

    def sees(self, memory: Memory) -> bool:
        """Whether they may see a memory of the scope; in a personal one everything is the owner's."""
        return memory.space in _OWN_SPACES or self.hears(memory)

    def hears(self, own: Memory) -> bool:
        """Have they heard that word, or may hear it? Only then may it bear on what they are told."""
        chats = [own.learned_in] if own.learned_in is not None else []
        return visibility.is_heard(own, self.view, Facts(attendance=self.store.attendance(own.tenant, chats)))


def is_compatible(old: Memory, new: Memory) -> bool:
    """Subject-specific facts never meet general ones; persona-only and confidential ones keep to themselves."""
    if old.kind is not new.kind or not is_of_realm(old, new):
        return False
    if new.subject_person_ids:
        return bool(set(new.subject_person_ids) & set(old.subject_person_ids))
    return not old.subject_person_ids


def is_of_realm(old: Memory, new: Memory) -> bool:
    """Whether both are for the same persona, and both open or told in confidence in the same place."""
    if old.persona_id != new.persona_id or old.confidential != new.confidential:
        return False
    return not new.confidential or old.learned_in == new.learned_in


def upkeep_writer(tenant: str, space: Space, owner: str, engine: Engine, *, node: Node = "worker") -> Writer:
    """Who writes when upkeep does: nobody in particular, with sight of one scope."""
    is_personal = space is Space.USER
    asker = Viewpoint(tenant=tenant, user=owner if is_personal else None, chat=None if is_personal else owner)
    view = views.view_of(asker, engine, engine.clock())
    return Writer(viewpoint=Viewpoint(tenant=tenant), view=view, speaker=None, engine=engine, node=node)


def place(viewpoint: Viewpoint, *, shared: bool) -> tuple[Space, str]:
    """Personal by default; the chat's when shared, or when nobody in particular is speaking."""
    if viewpoint.chat is not None and (shared or viewpoint.user is None):
        return Space.CHAT, viewpoint.chat
    if viewpoint.user is None:
        raise InvalidInput("A viewpoint needs a user or a chat to remember for.", code="no_owner")
    return Space.USER, viewpoint.user


def is_shared(claim: Claim, statement: Statement, viewpoint: Viewpoint) -> bool:
    """Asked for, or said in a group, by whatever way in, and of the group: whoever listened may be told again.

    What is about a person is the speaker's own memory.
    """
    is_said_there = statement.source == "user" and viewpoint.chat_type == "group" and not statement.about
    is_sensitive = claim.sensitivity is Sensitivity.SENSITIVE
    is_open = not is_sensitive and not claim.confidential and not claim.only_persona
    return statement.shared or ((claim.is_of_us or claim.is_going_on) and is_said_there and is_open)


def subjects(claim: Claim, about: Sequence[str], writer: Writer) -> tuple[Person, ...]:
    """Who the claim is about, created where they are new. The speaker alone gives nobody: that is a self-fact."""
    is_confided = claim.only_persona or claim.confidential
    for reference in claim.introduces:
        _people(reference, writer, is_confided=is_confided)
    if about:
        found = [person for text in about for person in _told(text, writer, is_confided=is_confided)]
    else:
        found = [one for reference in claim.subjects for one in _people(reference, writer, is_confided=is_confided)]
    unique = tuple({person.id: person for person in found}.values())
    if writer.speaker is not None and [person.id for person in unique] == [writer.speaker.id]:
        return ()
    return unique


def of_no_animal(claim: Claim, writer: Writer) -> Claim:
    """The claim without subjects and slot where it tells of an animal alone: that is nobody, with no tastes."""
    if not claim.subjects or not all(_is_pet(reference, writer) for reference in claim.subjects):
        return claim
    return replace(claim, subjects=(), slot=None, value=None, is_about_nobody=True, portable=False)


def _is_pet(reference: Reference, writer: Writer) -> bool:
    """Whether the name is that of an animal of the speaker's, of which nobody else has heard by that name."""
    if reference.name is None or reference.relation is not None or reference.handle is not None:
        return False
    store, view = writer.engine.store, writer.view
    ties = store.seen(view, Listing(filter=Filter(types=frozenset({MemoryType.RELATIONSHIP})), limit=NAMED_READ))
    called = keys.normalised(reference.name)
    if not any((tie.fact_key or "").startswith(PET_SLOT) and tie.value == called for tie in ties):
        return False
    return not any(is_called(person, reference.name) for person in store.people(KnownTo(view=view, limit=NAMED_READ)))


def _told(text: str, writer: Writer, *, is_confided: bool) -> tuple[Person, ...]:
    """Whom a caller names: anybody by id, else by the words of the speaker."""
    person = writer.engine.store.person(writer.view.tenant, text)
    if person is not None:
        return (person,)
    return _people(references_policy.parse(text), writer, is_confided=is_confided)


def _people(reference: Reference, writer: Writer, *, is_confided: bool) -> tuple[Person, ...]:
    """The one who is meant; for "my kids" all who are known, or nobody."""
    resolved = views.resolve(
        writer.engine.entities.reference(reference),
        speaker=writer.viewpoint.user,
        view=writer.view,
        store=writer.engine.store,
        now=writer.view.now,
        is_confided=is_confided,
    )
    if resolved.verdict is Verdict.SEVERAL:
        return tuple(writer.engine.store.persons(writer.view.tenant, resolved.candidates).values())
    if resolved.person is None:
        raise Ambiguous(reference.text, resolved.candidates)
    return (resolved.person,)


def memory(claim: Claim, statement: Statement, about: Sequence[Person], writer: Writer) -> Memory:
    """The memory this claim would become. Its id is taken only when it is stored."""
    viewpoint, now = writer.viewpoint, writer.view.now
    space, owner = writer.rules.place(claim, statement, viewpoint)
    is_ours = claim.is_of_us and space is Space.CHAT and not statement.about
    subject_ids = () if is_ours else _subject_ids(claim, statement, about, writer)
    key = _fact_key(claim, space, subject_ids, writer)
    of = keys.domain(claim.entity_refs, is_about_others=bool(about))
    persona = viewpoint.persona if claim.only_persona else None
    realm = f"{persona or ''}|{viewpoint.chat or ''}" if persona or claim.confidential else ""
    drafted = Memory(
        id="",
        tenant=viewpoint.tenant,
        content=claim.content,
        quote=claim.quote,
        language=claim.language,
        type=claim.type,
        kind=claim.kind,
        event_type=claim.event_type,
        category=claim.category or keys.category(claim.type, of),
        tags=claim.tags,
        steps=claim.steps,
        space=space,
        owner=owner,
        persona_id=persona,
        subject_person_ids=subject_ids,
        entity_refs=refs(claim, about),
        entity_label=claim.entity_label or next((one.name for one in besides(about, writer.speaker)), None),
        subtype=claim.subtype,
        memory_key=keys.memory_key(of, claim.subtype, primary(claim, besides(about, writer.speaker))),
        fact_key=key,
        discriminator="",
        value=keys.normalised(claim.value) if claim.value is not None else None,
        sensitivity=claim.sensitivity,
        portable=claim.portable,
        confidential=claim.confidential,
        importance=max(claim.importance, PINNED_IMPORTANCE) if statement.is_pinned else claim.importance,
        pinned=statement.is_pinned,
        confidence=claim.confidence,
        is_correction=claim.is_correction,
        created_at=now,
        observed_at=now,
        updated_at=now,
        event_at=claim.event_at,
        expires_at=claim.expires_at,
        valid_from=claim.valid_from or min(statement.said_at or now, now),
        meta={"suspect_instruction": True} if claim.is_suspect else {},
    )
    drafted = writer.rules.dated(_with_provenance(drafted, claim, statement, writer), claim, statement, writer)
    return changed(drafted, discriminator=writer.rules.discriminator(claim, drafted, realm))


def _with_provenance(drafted: Memory, claim: Claim, statement: Statement, writer: Writer) -> Memory:
    """Who said it, where, by which way in, and what that word is worth."""
    viewpoint = writer.viewpoint
    said_by = writer.speaker if statement.source == "user" else None
    return replace(
        drafted,
        agent_id=viewpoint.agent,
        run_id=viewpoint.run,
        actor_id=viewpoint.user,
        role=ROLE_OF[statement.source],
        stated_by=said_by.id if said_by is not None else None,
        learned_in=viewpoint.chat,
        learned_in_type=viewpoint.chat_type if viewpoint.chat is not None else None,
        source=statement.source,
        origin=statement.origin,
        source_username=viewpoint.username,
        source_display_name=viewpoint.display_name,
        source_session_id=viewpoint.session,
        source_message_id=claim.evidence.message_id or (statement.message.id if statement.message else None),
        authority=Authority.AI_INFERRED
        if claim.is_suspect
        else AUTHORITY_OF.get(statement.source, Authority.AI_INFERRED),
        authority_reason="suspect_instruction" if claim.is_suspect else f"source:{statement.source}",
    )


def _subject_ids(claim: Claim, statement: Statement, about: Sequence[Person], writer: Writer) -> tuple[str, ...]:
    """The speaker is the subject of what they say of nobody else, except of a relationship of the owner's own."""
    speaker = writer.speaker
    if writer.rules.is_governed and not about:
        # What a user or a tool says of nobody in particular is about the user; a turn is about whom its facts are.
        return () if speaker is None or claim.kind is Kind.SHORT_TERM else (speaker.id,)
    if not about and claim.is_about_nobody:
        return ()
    if not about and speaker is not None and statement.source == "user":
        is_own = speaker.id == writer.view.person
        return () if is_own and claim.type is MemoryType.RELATIONSHIP else (speaker.id,)
    return tuple(person.id for person in about)


def _fact_key(claim: Claim, space: Space, subject_ids: Sequence[str], writer: Writer) -> str | None:
    slot = f"{keys.ENDED}{claim.slot}" if claim.slot and claim.polarity == "retract" else claim.slot
    return keys.fact_key(
        slot,
        # In a session the bare slot is the user's own, as in the user's space: one key all the way up.
        space=Space.USER if space is Space.SESSION else space,
        person_id=subject_ids[0] if subject_ids else None,
        owner_person_id=writer.view.person,
    )


def with_id(incoming: Memory, writer: Writer) -> Memory:
    """The same memory with the next id of its scope and kind, unless it has one."""
    return incoming if incoming.id else changed(incoming, id=writer.rules.next_id(incoming, writer.engine))


def refs(claim: Claim, about: Sequence[Person]) -> tuple[str, ...]:
    """The claim's refs, with the people resolved: a ref names the person we know, not the words used this time."""
    if not about:
        return tuple(dict.fromkeys(claim.entity_refs))[:5]
    known = [f"person:{slug}" for person in about if person.name and (slug := names.slug(person.name))]
    others = [ref for ref in claim.entity_refs if not ref.startswith("person:")]
    ordered = others + known if others and others[0].startswith("project:") else known + others
    return tuple(dict.fromkeys(ordered))[:5]


def besides(about: Sequence[Person], speaker: Person | None) -> Sequence[Person]:
    """Whom it is mainly about: "John is my cofounder" is about John, though it is about the speaker, too."""
    return [person for person in about if speaker is None or person.id != speaker.id] or about


def primary(claim: Claim, about: Sequence[Person]) -> str:
    """The bare slug of what the claim is mainly about."""
    if claim.entity_refs and claim.entity_refs[0].startswith("project:"):
        return claim.entity_refs[0].split(":", 1)[1]
    if about:
        first = about[0]
        relation = next((item.relationship for item in first.relationships), first.id)
        return names.slug(first.name or relation) or first.id
    return "self"
