"""Seal: where every chain of a tenant ends goes into the tenant's own chain, so that no end can be cut off unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellkept.flows.upkeep.duty import Duty

BATCH = 500
"""Chains that are sealed in one transaction: writers wait no longer than that."""


def job(duty: Duty) -> Mapping[str, int]:
    """Once over the chains that have grown; how many were sealed."""
    store, after, sealed = duty.engine.store, 0, 0
    while True:
        with duty.transaction():
            scopes = store.seal_heads(duty.tenant, after=after, limit=BATCH, at=duty.engine.clock())
        sealed += len(scopes)
        duty.progress(sealed)
        if len(scopes) < BATCH:
            return {"sealed": sealed} if sealed else {}
        after = scopes[-1]
