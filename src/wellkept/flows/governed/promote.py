"""Promotion: an item of the session becomes one of a wider space, where it has to stand against what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.flows.governed.counts import TICK
from wellkept.flows.governed.run import LIVE_MAX
from wellkept.flows.governed.settle import discriminator, leave, settle
from wellkept.policies.governance import borders, retention
from wellkept.policies.governance.policy import PROFILE_SLOTS
from wellkept.types import Claim
from wellkept.values import changed
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from wellkept.flows.governed.run import Run
    from wellkept.policies.governance.borders import Ask
    from wellkept.types import Memory


def promote(run: Run, item: Memory, ask: Ask) -> None:
    """Move an item to the space that was asked for, or say why not. If it loses there, it stays here."""
    source = _source(run, item, ask.space)
    run.border("promote", source.space, ask.space, borders.may_cross(source.space, ask.space, run.policy))
    decision = borders.may_promote(source, ask.space, run.policy)
    if decision.verdict == "refuse":
        run.note("promote", source.space, status="denied", reason=decision.reason)
        run.tell(run.session.tracer.promotion_denied(source, ask.space, decision.reason))
        return
    wider = _drafted(run, source, ask)
    settled = settle(run, wider, Claim(content=wider.content, quote=wider.quote, value=wider.value))
    if not settled.is_kept or settled.stored is None:
        return
    run.tell(run.session.tracer.promoted(source, settled.stored, ask.reason))
    leave(run, [source], op="promote", archive_reason="promoted")
    run.tell(run.session.tracer.deleted(source, "promoted"))


def meant(run: Run) -> list[Memory]:
    """What "remember this for me" means when nothing else is said: the facts of the user's last turn."""
    user = run.session.place.user
    said = (turn.id for turn in reversed(run.window.turns) if turn.source == "user" and turn.actor_id == user)
    last = next(said, None)
    if last is None:
        return []
    live = run.standing.live(*run.scope(Space.SESSION), (Kind.SEMANTIC, Kind.PROFILE), limit=LIVE_MAX)
    return [memory for memory in live if last in memory.meta.get("source_turn_ids", ())]


def _source(run: Run, item: Memory, to_space: Space) -> Memory:
    """What the user's own space holds already may go on to the project from there."""
    if to_space is not Space.PROJECT or borders.may_promote(item, to_space, run.policy).verdict == "pass":
        return item
    key = discriminator(item, item.fact_key, tick=item.tick or 0, dedupes=run.policy.dedupe_enabled)
    twin = run.standing.holder(*run.scope(Space.USER), item.memory_key, key)
    # Who holds the slot there may say something else of it.
    is_same = twin is not None and twin.value == item.value
    if twin is None or not is_same or borders.may_promote(twin, to_space, run.policy).verdict != "pass":
        return item
    return twin


def _drafted(run: Run, source: Memory, ask: Ask) -> Memory:
    """The item as it would stand in the wider space, with a tick and a phase of that space."""
    phase_id = run.phase_for_write(ask.space)
    _, space, owner = run.scope(ask.space)
    tick = run.counts.next(space, TICK)
    kept = {name: source.meta[name] for name in ("source_turn_ids", "policy_tags", "is_many") if name in source.meta}
    meta = {
        "importance_reason": list(source.meta.get("importance_reason", ())),
        **kept,
        "promoted_from": source.id,
        "promotion_reason": ask.reason,
    }
    end = retention.expires_at(retention.rule_for(source, run.policy), tick)
    if end is not None:
        meta["expires_at"] = end
    key = _fact_key(source, space)
    return changed(
        source,
        id="",
        version=1,
        space=space,
        owner=owner,
        origin="promotion",
        fact_key=key,
        discriminator=discriminator(source, key, tick=tick, dedupes=run.policy.dedupe_enabled),
        created_at=run.now,
        updated_at=run.now,
        mention_count=1,
        tick=tick,
        phase_id=phase_id,
        meta=meta,
    )


def _fact_key(source: Memory, space: Space) -> str | None:
    """Where several people write, a slot of a person is led by whose it is; what a tool names is nobody's."""
    key = source.fact_key
    if key is None or space is Space.USER or key.startswith("p_") or not source.subject_person_ids:
        return key
    first = key.split(":", 1)[0]
    is_shared = first == "project" or (source.source == "tool" and first not in PROFILE_SLOTS)
    return key if is_shared else f"{source.subject_person_ids[0]}:{key}"
