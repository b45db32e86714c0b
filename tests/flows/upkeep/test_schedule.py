"""Token budgets last over restarts, and no two processes spend the same tokens."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

from wellkept.flows.upkeep.schedule import StoreMeter
from wellkept.judges.llm.meter import Account
from wellkept.policies.upkeep.pace import TokenLimits, TokensSpent
from wellkept.store.opening import open_store

DAY = datetime(2026, 3, 2, tzinfo=UTC).date()
ALICE = Account(tenant="t", user="alice", day=DAY)


def test_what_is_spent_is_known_after_a_restart(store_path):
    store = open_store(str(store_path))
    meter = StoreMeter(store)
    assert meter.reserve(ALICE, 600, TokenLimits(user_day=1_000)).verdict == "pass"
    meter.settle(ALICE, reserved=600, used=500)
    store.close()
    again = open_store(str(store_path))
    meter = StoreMeter(again)
    assert meter.spent(ALICE) == TokensSpent(user=500, tenant=500)
    assert meter.reserve(ALICE, 501, TokenLimits(user_day=1_000)).reason == "budget_user"
    nobody = Account(tenant="t", user=None, day=DAY)
    assert meter.reserve(nobody, 501, TokenLimits(tenant_day=1_000)).reason == "budget_tenant"
    assert meter.spent(ALICE) == TokensSpent(user=500, tenant=500), "a refusal takes nothing"
    again.close()


def test_two_callers_never_get_the_last_of_a_budget(store_path):
    store = open_store(str(store_path))
    verdicts = []

    def ask() -> None:
        verdicts.append(StoreMeter(store).reserve(ALICE, 100, TokenLimits(user_day=500)).verdict)

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts.count("pass") == 5
    store.close()
