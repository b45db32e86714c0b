"""Short forms of the server's benches, each with the control that must fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[3] / "bench"


@pytest.fixture
def benches(monkeypatch, settings):
    """The benches, imported as they import each other."""
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.delenv("WELLKEPT_DB")
    for name in ("serving", "hostile", "contract", "intruder"):
        sys.modules.pop(name, None)
    import contract
    import hostile

    return hostile, contract


def test_hostile_requests_do_not_bring_it_down(benches):
    hostile, _ = benches
    report = hostile.storm(150, 7)
    assert report.is_good, report
    assert sum(report.answers.values()) == 150
    assert {"400", "413", "422"} <= set(report.answers)


def test_a_server_that_trusts_its_callers_is_found_out(benches):
    hostile, _ = benches
    report = hostile.storm(60, 7, is_broken=True)
    assert report.failed > 0, report


@pytest.mark.usefixtures("benches")
def test_an_intruder_reaches_nothing():
    import intruder

    found, answers = intruder.attack(300, 7)
    assert found == []
    assert answers["200"] > 60, "most of what is sent must get as far as an answer to be an attack at all"


@pytest.mark.usefixtures("benches")
def test_an_intruder_with_keys_that_are_not_bound_is_let_in():
    import intruder

    assert intruder.attack(1_000, 1, is_unbound=True)[0]


def test_it_keeps_to_its_description(benches):
    _, contract = benches
    is_good, said = contract.check(examples=1, only="^(add|forget)$")
    assert is_good, said
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in said, said


def test_a_wrong_description_is_noticed(benches):
    _, contract = benches
    is_good, said = contract.check("examples", 1, is_wrong=True, only="^recall$")
    assert not is_good
    assert "integer" in said


def test_what_it_describes_it_understands(benches):
    _, contract = benches
    is_good, said = contract.check("examples,coverage,fuzzing", 2, is_positive=True, only="^(recall|list|query)$")
    assert is_good, said


def test_a_number_that_is_described_too_wide_is_noticed(benches):
    _, contract = benches
    is_good, said = contract.check("coverage", 1, is_positive=True, is_wrong=True, only="^recall$")
    assert not is_good
    assert "refused as invalid_limit" in said
