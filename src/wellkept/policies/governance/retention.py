"""When a governed item has lived long enough: by the ticks of its space, never by a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from wellkept.types import Decision

if TYPE_CHECKING:
    from wellkept.policies.governance.policy import Policy, Retention
    from wellkept.types import Memory

ForgetReason = Literal["ttl_expired", "decay"]
KEEP = Decision(verdict="keep", reason="kept_by:retention_rule")
STAYS = Decision(verdict="keep", reason="never")


def rule_for(memory: Memory, policy: Policy) -> Retention:
    """The rule of the policy that this item lives by."""
    return policy.retention[memory.kind][memory.event_type]


def expires_at(rule: Retention, created_at: int) -> int | None:
    """The tick at which an item written now is gone, for rules that say so beforehand."""
    return created_at + rule.ttl_ticks if rule.rule == "ttl" and rule.ttl_ticks is not None else None


def retain(memory: Memory, policy: Policy, *, tick: int) -> Decision:
    """Keep or forget at this tick of the item's space; `reason` is what a `memory_forget` says.

    An item's own `expires_at` was set when it was written and outlives a change of the policy.
    """
    rule = rule_for(memory, policy)
    if memory.tick is None or rule.ttl_ticks is None or rule.rule == "never":
        return STAYS
    if rule.rule == "ttl":
        end = memory.meta.get("expires_at", memory.tick + rule.ttl_ticks)
        return Decision(verdict="forget", reason="ttl_expired") if tick >= end else KEEP
    return Decision(verdict="forget", reason="decay") if tick - memory.tick > rule.ttl_ticks else KEEP
