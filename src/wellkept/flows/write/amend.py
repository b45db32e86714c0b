"""Amend one memory: forget, restore, pin, edit, classify. Each keeps what was, is on the ledger and can be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import NotAllowed, Refused, RestoreRefused, VersionConflict, WellkeptError
from wellkept.flows.read import show
from wellkept.flows.upkeep import lifetime
from wellkept.flows.write import draft, remember
from wellkept.flows.write.transitions import archived, row
from wellkept.policies import words
from wellkept.policies.upkeep.lifecycle import PINNED_MIN
from wellkept.policies.writing import gate, keys
from wellkept.policies.writing.shape import clean
from wellkept.store.contract import Change, Entry, HeldKey
from wellkept.types import Claim, Memory, Outcome
from wellkept.values import frozen
from wellkept.vocabulary import Authority, Kind, OutcomeKind, Sensitivity, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import MemoryRequest
    from wellkept.flows.write.draft import Writer
    from wellkept.policies.visibility import View
    from wellkept.store.contract import Op


_SENTENCES: Mapping[str, str] = {
    "not_owner": "Only the owner of a personal memory may change it.",
    "not_participant": "Only a participant of that chat may change its memories.",
}
UNPINNED_IMPORTANCE = "unpinned_importance"
"""In the meta of a pinned memory: how important it is without the pin."""
_TAKEN = "Another live memory says that already, or fills the same place. Delete that one first, or edit it instead."


@frozen
class _Amendment:
    """What a verb makes of a memory: the memory as it shall be, or an error, or nothing to do."""

    reason: str
    memory: Memory | None = None
    error: WellkeptError | None = None


def forget(request: MemoryRequest, engine: Engine) -> Outcome:
    """Archive a memory as `user_deleted`: no longer recalled, restorable."""

    def decide(memory: Memory, _view: View) -> _Amendment:
        if memory.state is State.ARCHIVED:
            return _Amendment(reason="already_deleted")
        gone = replace(archived(memory, "user_deleted"), version=memory.version)
        return _Amendment(reason="user_deleted", memory=gone)

    return _amend(request, "delete", decide, engine)


def restore(request: MemoryRequest, engine: Engine) -> Outcome:
    """Bring a memory back, unless a live one has taken its place."""

    def decide(memory: Memory, view: View) -> _Amendment:
        if memory.state is State.ACTIVE:
            return _Amendment(reason="already_active")
        live = _in_its_place(memory, engine)
        if live is not None:
            return _Amendment(reason="restore_conflict", error=RestoreRefused(memory.id, live.id))
        return _Amendment(reason="restored", memory=_alive_again(memory, view, engine))

    text = show.find_memory(request, engine)[0].content
    return _amend(request, "restore", decide, engine, text=text)


def pin(request: MemoryRequest, engine: Engine, *, pinned: bool) -> Outcome:
    """Pinned memories are foundation: importance at least 3, never evicted."""
    reason = "pinned" if pinned else "unpinned"

    def decide(memory: Memory, _view: View) -> _Amendment:
        if memory.pinned == pinned:
            return _Amendment(reason=reason)
        # Unpinned it is as important as before, where that is known: what was seeded was never anything else.
        meta = dict(memory.meta)
        before = float(meta.pop(UNPINNED_IMPORTANCE, memory.importance))
        weight = max(memory.importance, PINNED_MIN) if pinned else before
        meta |= {UNPINNED_IMPORTANCE: memory.importance} if pinned else {}
        return _Amendment(reason=reason, memory=replace(memory, pinned=pinned, importance=weight, meta=meta))

    return _amend(request, "update", decide, engine)


def edit(request: MemoryRequest, content: str, engine: Engine, *, if_version: int | None = None) -> Outcome:
    """Another text for the same memory; the old one stays as a version. Refused when it is another version by now."""
    decision = gate.admit_text(content)
    text = clean(content) if decision.verdict == "pass" else ""
    refused = decision.reason if decision.verdict == "refuse" else "" if text else "empty_content"
    claim = remember.as_given(text, request.viewpoint, engine) if text else Claim(content="")

    def decide(memory: Memory, view: View) -> _Amendment:
        code = refused or refusal(memory, claim, engine)
        if code:
            return _Amendment(reason=code, error=Refused(gate.REFUSALS[code], code=code))
        if if_version not in (None, memory.version):
            return _Amendment(reason="version_conflict", error=VersionConflict(memory.id))
        if text == memory.content:
            return _Amendment(reason="same_text")
        amended = reworded(memory, claim, view, engine)
        holder = engine.store.memory(memory.tenant, HeldKey.of(amended)) if amended.state is State.ACTIVE else None
        if holder is not None and holder.id != memory.id:
            return _Amendment(reason="edit_conflict", error=Refused(_TAKEN, code="edit_conflict"))
        return _Amendment(reason="edited", memory=amended)

    return _amend(request, "update", decide, engine, text=text or None)


def classify(request: MemoryRequest, sensitivity: Sensitivity, engine: Engine) -> Outcome:
    """Say who may hear a memory: its owner's word stands above what was read from the text."""

    def decide(memory: Memory, _view: View) -> _Amendment:
        if memory.sensitivity is sensitivity:
            return _Amendment(reason="same_privacy")
        return _Amendment(reason="privacy_changed", memory=replace(memory, sensitivity=sensitivity))

    return _amend(request, "update", decide, engine)


def _amend(
    request: MemoryRequest,
    op: Op,
    decide: Callable[[Memory, View], _Amendment],
    engine: Engine,
    *,
    text: str | None = None,
) -> Outcome:
    """Find, check whose it is, decide and store in one transaction. `text`: what the index must hold afterwards."""
    vectors = engine.vectors([text]) if text is not None else None
    with engine.store.transaction():
        memory, view = show.find_memory(request, engine)
        code = show.refusal_to_change(memory, view, engine)
        amendment = (
            _Amendment(reason=code, error=NotAllowed(_SENTENCES[code], code=code)) if code else decide(memory, view)
        )
        entry = row(op, memory, amendment.reason, actor=view.user, persona=view.persona)
        if amendment.error is not None:
            denied = replace(entry, status="denied")
            engine.store.record(memory.tenant, memory.space, memory.owner, denied, at=view.now)
        elif amendment.memory is not None:
            change = _change(amendment.memory, entry, view, vectors, engine)
            engine.store.apply([change if text is not None else replace(change, terms=None)], at=view.now)
            if text is not None and vectors is None:
                engine.embed_later(memory.tenant, now=view.now)
            if op == "restore":
                lifetime.make_room(memory, engine, now=view.now)
    if amendment.error is not None:
        raise amendment.error
    outcome: OutcomeKind = "duplicate" if amendment.memory is None else "updated"
    return Outcome(outcome=outcome, id=memory.id, reason=amendment.reason)


def _change(memory: Memory, entry: Entry, view: View, vectors: NDArray[np.float32] | None, engine: Engine) -> Change:
    amended = replace(memory, version=memory.version + 1, updated_at=view.now)
    return Change(
        memory=amended,
        entry=replace(entry, version=amended.version),
        is_text_changed=entry.reason in ("edited", "restored"),
        terms=words.term_counts(f"{amended.content} {amended.quote or ''}"),
        vectors=vectors,
        model=engine.model,
    )


def restored(memory: Memory, entry: Entry, writer: Writer, vectors: NDArray[np.float32] | None) -> Change:
    """The change that brings a memory back, for those who have decided that it may come."""
    return _change(_alive_again(memory, writer.view, writer.engine), entry, writer.view, vectors, writer.engine)


def _alive_again(memory: Memory, view: View, engine: Engine) -> Memory:
    is_over = memory.dies_at is not None and memory.dies_at <= view.now
    place = (memory.space, memory.owner)
    return replace(
        memory,
        state=State.ACTIVE,
        archive_reason=None,
        superseded_at=None,
        superseded_by=None,
        valid_to=None,
        purge_at=None,
        # Whoever brings it back wants it: time starts anew.
        last_accessed_at=view.now,
        # A memory brought back by hand must not be dead on arrival.
        expires_at=None if is_over else memory.expires_at,
        observed_at=engine.store.next_moment(memory.tenant, [place], now=view.now)[0]
        if is_over
        else memory.observed_at,
    )


def _in_its_place(memory: Memory, engine: Engine) -> Memory | None:
    """The live memory that holds its key, or that came of superseding it."""
    store = engine.store
    holder = store.memory(memory.tenant, HeldKey.of(memory))
    seen: set[str] = set()
    successor = memory.superseded_by
    while holder is None and successor is not None and successor not in seen:
        seen.add(successor)
        following = store.memory(memory.tenant, successor)
        if following is None:
            break
        holder = following if following.state is State.ACTIVE else None
        successor = following.superseded_by
    return holder


def refusal(memory: Memory, claim: Claim, engine: Engine) -> str | None:
    """Why the gate does not let this text in, if so. Where the memory stands was decided when it was written."""
    attempt = gate.Attempt(claim=claim, space=Space.USER, source=memory.source)
    decision = gate.admit(attempt, engine.gate)
    return decision.reason if decision.verdict == "refuse" else None


def reworded(memory: Memory, claim: Claim, view: View, engine: Engine) -> Memory:
    """The memory with the text of the claim: never less private than it was, and under the key of what it says now."""
    was = memory.sensitivity or Sensitivity.PUBLIC
    told = replace(
        memory,
        content=claim.content,
        quote=None,
        language=claim.language,
        sensitivity=max((was, claim.sensitivity), key=draft.STRICTNESS.__getitem__),
        confidential=memory.confidential or claim.confidential,
        portable=memory.portable and claim.portable,
    )
    if claim.is_suspect:
        told = replace(
            told,
            authority=Authority.AI_INFERRED,
            authority_reason="suspect_instruction",
            meta={**memory.meta, "suspect_instruction": True},
        )
    # What a governed session or another channel keeps has keys of its own.
    is_plain = memory.kind is Kind.SEMANTIC and "importance_reason" not in memory.meta
    return _keyed(told, claim, view, engine) if is_plain else told


def _keyed(told: Memory, claim: Claim, view: View, engine: Engine) -> Memory:
    if claim.slot is None and told.fact_key is not None and (kept := _in_its_slot(told)) is not None:
        return kept
    claim = engine.entities.claim(claim)
    others = [person_id for person_id in told.subject_person_ids if person_id != view.person]
    about = tuple(engine.store.persons(told.tenant, others).values())
    key = keys.fact_key(
        claim.slot,
        space=told.space,
        person_id=told.subject_person_ids[0] if told.subject_person_ids else None,
        owner_person_id=view.person,
    )
    of = keys.domain(claim.entity_refs, is_about_others=bool(about))
    return replace(
        told,
        entity_refs=draft.refs(claim, about),
        memory_key=keys.memory_key(of, claim.subtype, draft.primary(claim, about)),
        subtype=claim.subtype,
        fact_key=key,
        discriminator=keys.discriminator(claim, key, keys.realm(told)),
        value=None if claim.value is None else keys.normalised(claim.value),
    )


def _in_its_slot(told: Memory) -> Memory | None:
    """A slot that the new words do not name is still meant where its value stands in them, or it has only one."""
    said = keys.normalised(told.content)
    if told.value is not None and f" {told.value} " in f" {said} ":
        return told
    alone = keys.discriminator(Claim(content=told.content, cardinality="one"), told.fact_key, keys.realm(told))
    return replace(told, value=said) if told.discriminator == alone else None
