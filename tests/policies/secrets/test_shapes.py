"""Stems: found wherever they stand, and looked for by every rule that waits for one."""

from __future__ import annotations

import pytest

from wellkept.policies.secrets import codes, keys, numbers, phrases, seeds
from wellkept.policies.secrets.shapes import Said, stems_in

RULES = (codes, keys, numbers, phrases, seeds)


@pytest.mark.parametrize("rules", RULES)
def test_every_stem_that_a_rule_waits_for_is_found(rules: object) -> None:
    sets = [value for name, value in vars(rules).items() if name.endswith("_STEMS") and isinstance(value, frozenset)]
    assert sets
    for stem in frozenset().union(*sets):
        assert stem in stems_in(f"xx{stem}yy")
    assert stems_in("a bird sang") == frozenset()


def test_digits_are_counted_in_every_script() -> None:
    assert Said(text="7 and ٤٢", low="7 and ٤٢").digits == 3
    assert Said(text="none", low="none").digits == 0
