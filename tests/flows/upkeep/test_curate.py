"""Equal texts once, many notes on one thing as one, and the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wellkept.errors import InvalidInput, MemoryNotFound
from wellkept.store.contract import Change, Entry
from wellkept.vocabulary import EdgeKind, State

NOTES = (
    "Project Heron needs a new logo",
    "Project Heron has a budget of its own",
    "Project Heron is liked by the press",
)


@pytest.fixture
def told(memory, clock):
    viewpoint = memory.at(user="ada")
    for note in NOTES:
        viewpoint.add(note)
        clock.advance(minutes=1)
    return viewpoint


def folds(viewpoint):
    return [one for one in viewpoint.list(limit=100) if one.origin == "curated_fold"]


def test_many_notes_on_one_thing_become_one(told, memory):
    report = memory.upkeep.curate()
    (whole,) = folds(told)
    assert (report.folded, report.parts) == (1, 3)
    assert all(note in whole.content for note in NOTES)
    assert (whole.importance, whole.pinned) == (2.0, False)
    assert told.recall("Does the press like Heron?").hits[0].id == whole.id
    assert memory.upkeep.curate().folded == 0


def test_unfolding_gives_the_originals_back_with_their_edges(told, memory):
    store = memory.engine.store
    before = {one.id: one.content for one in told.list(limit=100)}
    ties = store.edges("default", sorted(before), (EdgeKind.RELATED_TO,))
    memory.upkeep.curate()
    (whole,) = folds(told)
    assert set(memory.upkeep.unfold(whole.id)) == set(before)
    assert {one.id: one.content for one in told.list(limit=100)} == before
    assert store.edges("default", sorted(before), (EdgeKind.RELATED_TO,)) == ties
    assert store.memory("default", whole.id).state is State.ARCHIVED
    assert told.recall("new logo").hits[0].text == NOTES[0]


def test_what_says_the_same_is_kept_once(memory, clock):
    memory.at(user="ada").add(NOTES[0])
    (first,) = memory.at(user="ada").list()
    clock.advance(minutes=1)
    store, now = memory.engine.store, clock()
    again = [
        replace(
            first,
            id=store.next_id("default", first.space, first.owner, first.kind),
            content=content,
            discriminator=content,
            expires_at=expires,
        )
        for content, expires in (
            (f"{first.content.upper()}!", None),
            (first.content, now),
            ("Not the same", None),
        )
    ]
    changes = [Change(memory=one, entry=Entry(op="create", memory_id=one.id), is_new=True) for one in again]
    store.apply(changes, at=now)
    assert memory.upkeep.curate().deduped == 1
    gone = store.memory("default", again[0].id)
    assert (gone.state, gone.archive_reason, gone.superseded_by) == (State.ARCHIVED, "dedupe", first.id)
    assert all(store.memory("default", one.id).state is State.ACTIVE for one in again[1:])


def test_pinned_ones_are_left_alone(told, memory):
    for one in told.list(limit=100):
        told.pin(one.id)
    assert memory.upkeep.curate().folded == 0


def test_two_notes_are_not_folded(memory):
    viewpoint = memory.at(user="ada")
    for note in NOTES[:2]:
        viewpoint.add(note)
    assert memory.upkeep.curate().folded == 0


def test_what_others_may_see_is_not_mixed_with_what_they_may_not(memory):
    viewpoint = memory.at(user="ada")
    viewpoint.add(NOTES[0])
    viewpoint.add(NOTES[1], sensitivity="sensitive")
    viewpoint.add(NOTES[2])
    assert memory.upkeep.curate().folded == 0


def test_only_a_fold_can_be_unfolded(told, memory):
    with pytest.raises(InvalidInput, match="no fold"):
        memory.upkeep.unfold(told.list()[0].id)
    with pytest.raises(MemoryNotFound):
        memory.upkeep.unfold("m_none")


def test_twenty_five_new_memories_call_the_curator(memory, clock):
    ada, ben = memory.at(user="ada"), memory.at(user="ben")
    ben.add("Project Otter needs a new logo")
    for number in range(22):
        ada.add(f"Ada owns a stamp from the year {1900 + number}")
    for note in NOTES[:2]:
        ada.add(note)
    assert not [job for job in memory.upkeep.jobs()["pending"] if job.name == "curate"]
    ada.add(NOTES[2])
    (job,) = [job for job in memory.upkeep.jobs()["pending"] if job.name == "curate"]
    assert (job.payload["owner"], job.due_at) == ("ada", clock())
    memory.upkeep.finish([job.about])
    assert any(all(note in fold.content for note in NOTES) for fold in folds(ada))


def test_the_state_of_a_user_says_when_the_curator_was_there(memory, clock):
    ada = memory.at(user="ada", persona="Coach", chat="dm")
    ada.turn("I like tea.").finish("Noted.")
    for note in NOTES:
        ada.add(note)
    memory.upkeep.curate()
    state = ada.state()
    assert state.curator == {"last_run_at": clock().isoformat(), "last_memory_count_at_run": 1}
