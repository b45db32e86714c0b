"""What can be wrong with a stored memory by itself, and the memory as it should be."""

from __future__ import annotations

import pytest

from tests.policies.make import memory
from wellkept.policies.upkeep import diagnosis
from wellkept.policies.upkeep.diagnosis import Known
from wellkept.vocabulary import Space, State

NOBODY = Known(persons={})


def test_a_sound_memory_has_no_fault():
    sound = memory(content="Ada likes green tea", subject_person_ids=("p1",), stated_by="p1")
    known = Known(persons={"p1": "p1"}, speaker="p1")
    checks = (diagnosis.normalize, diagnosis.provenance, diagnosis.self_facts, diagnosis.subjects)
    checks += (diagnosis.attribution, diagnosis.quality, diagnosis.entities)
    assert [check.__name__ for check in checks if check(sound, known) is not None] == []


def test_texts_are_normalised():
    mend = diagnosis.normalize(memory(content="Ada  likes\u200b tea"), NOBODY)
    assert mend is not None
    assert (mend.code, mend.memory.content) == ("not_normal", "Ada likes tea")


def test_what_was_extracted_from_nothing_is_archived():
    extracted = memory(origin="shadow_extraction", quote=None, source_message_id=None)
    mend = diagnosis.provenance(extracted, NOBODY)
    assert mend is not None
    assert (mend.memory.state, mend.memory.archive_reason) == (State.ARCHIVED, "missing_provenance")
    assert diagnosis.provenance(memory(origin="shadow_extraction", quote="I like tea"), NOBODY) is None


def test_what_somebody_says_of_nobody_else_is_about_themself():
    mend = diagnosis.self_facts(memory(stated_by="p1", subject_person_ids=()), NOBODY)
    assert mend is not None
    assert mend.memory.subject_person_ids == ("p1",)
    assert diagnosis.self_facts(memory(stated_by="p1", subject_person_ids=(), space=Space.CHAT), NOBODY) is None
    assert diagnosis.self_facts(memory(stated_by="p1", subject_person_ids=(), portable=False), NOBODY) is None


def test_subjects_that_are_gone_or_merged_are_put_right():
    mend = diagnosis.subjects(
        memory(subject_person_ids=("old", "gone", "new")), Known(persons={"old": "new", "new": "new"})
    )
    assert mend is not None
    assert mend.memory.subject_person_ids == ("new",)


def test_a_lost_speaker_is_the_user():
    mend = diagnosis.attribution(memory(stated_by="gone"), Known(persons={}, speaker="p1"))
    assert mend is not None
    assert mend.memory.stated_by == "p1"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("ok thanks", "quality_low_signal"),
        ("Ada's city is [unknown city]", "quality_placeholder"),
        ("Tea?", "quality_format"),
    ],
)
def test_scraps_that_were_extracted_are_archived(content, reason):
    scrap = memory(content=content, origin="shadow_extraction")
    mend = diagnosis.quality(scrap, NOBODY)
    assert mend is not None
    assert mend.memory.archive_reason == reason
    assert diagnosis.quality(memory(content=content, origin="explicit"), NOBODY) is None


def test_refs_that_are_none_are_dropped():
    refs = ("person:ada", "planet:mars", "org:Acme Corp", "person:ada", "place:")
    mend = diagnosis.entities(memory(entity_refs=refs), NOBODY)
    assert mend is not None
    assert mend.memory.entity_refs == ("person:ada", "org:acme_corp")
