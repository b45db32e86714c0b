"""Another text for a memory: read like every text that comes in, so that an edit is no way around the gate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows.write import draft
from wellkept.policies.writing import gate, keys
from wellkept.types import Claim
from wellkept.vocabulary import Authority, Kind, Sensitivity, Space

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility.memories import View
    from wellkept.types import Memory


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
