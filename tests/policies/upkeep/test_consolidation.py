"""Folding: duplicates, and what many small statements say together."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from tests.policies.make import NOON, memory
from wellkept.policies.upkeep.consolidation import TEXT_MAX, Folding, authority, duplicates, folds
from wellkept.vocabulary import Authority, MemoryType


def note(number: int, text: str, **fields):
    base = {"id": f"m_{number}", "content": text, "entity_refs": ("project:heron",), "fact_key": None}
    return replace(memory(), **base | {"created_at": NOON + timedelta(minutes=number)} | fields)


def test_the_first_of_two_equal_texts_stays_unless_the_other_is_fixed():
    first, again = note(1, "Heron needs a logo."), note(2, "heron needs a  logo")
    assert duplicates([first, again]) == ((first.id, again.id),)
    pinned = replace(again, pinned=True)
    assert duplicates([first, pinned]) == ((pinned.id, first.id),)
    assert duplicates([replace(first, pinned=True), pinned]) == ()
    assert duplicates([first, replace(again, confidential=True)]) == ()


def test_at_most_five_folds_a_run_and_each_says_all_of_its_parts():
    notes = [
        note(number, f"Thing {number} of {place}", entity_refs=(f"project:{place}",))
        for place in "abcdefg"
        for number in range(3)
    ]
    found = folds(notes, rule=Folding())
    assert len(found) == 5
    assert all(part.content in fold.text for fold in found for part in fold.parts)


def test_a_fold_is_never_longer_than_a_memory_may_be():
    notes = [note(number, f"{number} " + "word " * 15) for number in range(9)]
    (fold,) = folds(notes, rule=Folding())
    assert len(fold.text) <= TEXT_MAX
    assert 3 <= len(fold.parts) < 9


def test_slots_and_what_will_pass_stay_alone():
    notes = [note(number, f"Note {number}") for number in range(3)]
    assert folds([*notes[:2], replace(notes[2], fact_key="city")], rule=Folding()) == ()
    assert folds([*notes[:2], replace(notes[2], type=MemoryType.TASK)], rule=Folding()) == ()
    assert len(folds(notes, rule=Folding())) == 1


def test_a_fold_is_worth_its_weakest_part():
    parts = [note(1, "a", authority=Authority.TOOL_VERIFIED), note(2, "b", authority=Authority.AI_INFERRED)]
    assert authority(parts) is Authority.AI_INFERRED
