"""Looking again at what was stored: joining, retiring, linking, and never twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import InvalidInput, MemoryNotFound
from wellkept.flows.upkeep.consolidate import consolidate, consolidate_scope
from wellkept.flows.upkeep.schedule import Sweep
from wellkept.judges.english import RulesJudge
from wellkept.judges.llm.notices import Fallback, note
from wellkept.policies.upkeep.consolidation import Consolidation
from wellkept.store.contract import Change, Entry, NewestRows
from wellkept.vocabulary import EdgeKind, Space, State


@pytest.fixture
def outage(store_path, clock, embedder):
    """Texts stored while there was no embedder, then the memory with it."""

    def tell(*texts: str, user: str = "ada") -> wellkept.Memory:
        with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
            for text in texts:
                memory.at(user=user).add(text)
                clock.advance(minutes=1)
        memory = wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder, worker="off")
        memory.upkeep.embed()
        return memory

    return tell


def living(memory, user="ada"):
    return [one.content for one in memory.at(user=user).list(limit=100)]


def test_the_same_in_other_words_becomes_one(outage):
    with outage("Tane bought a green canoe", "Tane purchased a green canoe", "Tane bought a white canoe") as memory:
        report = memory.upkeep.consolidate()
        assert report.merged == 1
        assert sorted(living(memory)) == ["Tane bought a green canoe", "Tane bought a white canoe"]
        kept = next(one for one in memory.at(user="ada").list() if "green" in one.content)
        assert kept.mention_count == 2
        assert "MERGE" in [event.event for event in memory.at(user="ada").history(kept.id).events]


def test_what_contradicts_is_retired_by_the_rules_of_conflict(outage):
    with outage("Tane is afraid of moths", "Tane is not afraid of moths") as memory:
        assert memory.upkeep.consolidate().superseded == 1
        assert living(memory) == ["Tane is not afraid of moths"]


def test_a_pair_is_judged_once_in_two_weeks(outage, clock):
    with outage("Ravi studied law in Porto", "Ravi studied law in Lima", "Ravi studied law in Osaka") as memory:
        first = memory.upkeep.consolidate()
        assert first.pairs > 0
        assert memory.upkeep.consolidate().pairs == 0
        clock.advance(days=15)
        rule = Consolidation(fresh=timedelta(days=30))
        assert consolidate(Sweep("default", memory.engine), rule=rule).pairs == first.pairs


class Unsure(RulesJudge):
    """A model that is not to be had until it is told to be."""

    def __init__(self) -> None:
        super().__init__()
        self.fault = "budget_tenant"
        self.batches = []

    def ahead(self, pairs):
        self.batches.append(len(pairs))
        if self.fault is not None:
            note(Fallback(operation="compare", reason=self.fault))
        return RulesJudge()


def test_a_pair_that_no_model_judged_is_open_still(store_url, clock, embedder):
    texts = [f"Leila lent the {thing} to Noor" for thing in ("canoe", "tent", "sofa", "kettle", "radio")]
    judge = Unsure()
    with wellkept.open(store_url, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        for text in texts:
            memory.at(user="ada").add(text)
    with wellkept.open(store_url, config=Config(), clock=clock, judge=judge, embedder=embedder, worker="off") as memory:
        memory.upkeep.embed()
        judge.batches.clear()
        for fault in ("budget_tenant", "model_unavailable"):
            judge.fault = fault
            assert memory.upkeep.consolidate().pairs == 0
        assert judge.batches == [8, 8], "no second batch is tried while nobody answers"
        judge.fault = "privacy_deny_sensitive"
        assert memory.upkeep.consolidate().pairs == 10, "what no model may be shown is settled by the rules"
        assert memory.upkeep.consolidate().pairs == 0


def test_the_day_s_limit_holds_exactly(outage, clock):
    texts = [f"Leila lent the {thing} to Noor" for thing in ("canoe", "tent", "sofa", "kettle", "radio")]
    with outage(*texts) as memory:
        rule = Consolidation(pairs_a_day=3)
        assert [consolidate(Sweep("default", memory.engine), rule=rule).pairs for _ in range(2)] == [3, 0]
        clock.advance(days=1, seconds=1)
        assert consolidate(Sweep("default", memory.engine), rule=rule).pairs == 3


def test_missing_links_are_added_and_told(outage):
    with outage("Farida cooks ramen for the family", "Farida cooks ceviche for the family") as memory:
        assert memory.upkeep.consolidate().linked == 1
        assert memory.upkeep.consolidate().linked == 0
        rows = [row.entry for row in memory.engine.store.ledger(NewestRows(tenant="default", limit=50))]
        assert [(row.node, row.reason) for row in rows if row.op == "link"] == [("worker", "consolidation")]


def test_other_people_s_memories_are_not_compared(outage):
    with outage("Tane bought a green canoe") as memory:
        memory.at(user="bo").add("Tane purchased a green canoe")
        assert memory.upkeep.consolidate().merged == 0


def test_the_old_and_the_unimportant_rest(outage, clock):
    with outage("Tane bought a green canoe", "Tane purchased a green canoe") as memory:
        clock.advance(days=10)
        assert consolidate_scope(("default", Space.USER, "ada"), Sweep("default", memory.engine)).pool == 0
        rule = replace(Consolidation(), importance_min=0.0)
        assert consolidate_scope(("default", Space.USER, "ada"), Sweep("default", memory.engine), rule=rule).merged == 1


def test_without_an_embedder_nothing_is_judged(memory_without_vectors):
    memory_without_vectors.at(user="ada").add("Tane bought a green canoe")
    report = memory_without_vectors.upkeep.consolidate()
    assert (report.pool, report.pairs) == (1, 0)


def test_what_got_its_vectors_late_is_compared_as_a_write_would_have_been(outage, clock):
    with outage("Tane bought a green canoe", "Tane purchased a green canoe", "Tane bought a white canoe") as memory:
        clock.advance(days=200)
        assert memory.upkeep.consolidate().pairs == 0, "nothing is fresh any more"
        done = memory.upkeep.run(["reconcile"])
        assert [(one.status, one.counts["merged"]) for one in done] == [("ok", 1)]
        assert sorted(living(memory)) == ["Tane bought a green canoe", "Tane bought a white canoe"]
        assert memory.upkeep.run(["reconcile"]) == ()


NOTES = (
    "Project Heron needs a new logo",
    "Project Heron has a budget of its own",
    "Project Heron is liked by the press",
)


@pytest.fixture
def told(memory, clock):
    viewpoint = memory.at(user="ada")
    for text in NOTES:
        viewpoint.add(text)
        clock.advance(minutes=1)
    return viewpoint


def folds(viewpoint):
    return [one for one in viewpoint.list(limit=100) if one.origin == "curated_fold"]


def test_many_notes_on_one_thing_become_one(told, memory):
    report = memory.upkeep.curate()
    (whole,) = folds(told)
    assert (report.folded, report.parts) == (1, 3)
    assert all(text in whole.content for text in NOTES)
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
    for text in NOTES[:2]:
        viewpoint.add(text)
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
    for text in NOTES[:2]:
        ada.add(text)
    assert not [job for job in memory.upkeep.jobs()["pending"] if job.name == "curate"]
    ada.add(NOTES[2])
    (job,) = [job for job in memory.upkeep.jobs()["pending"] if job.name == "curate"]
    assert (job.payload["owner"], job.due_at) == ("ada", clock())
    memory.upkeep.finish([job.about])
    assert any(all(text in fold.content for text in NOTES) for fold in folds(ada))


def test_the_state_of_a_user_says_when_the_curator_was_there(memory, clock):
    ada = memory.at(user="ada", persona="Coach", chat="dm")
    ada.turn("I like tea.").finish("Noted.")
    for text in NOTES:
        ada.add(text)
    memory.upkeep.curate()
    state = ada.state()
    assert state.curator == {"last_run_at": clock().isoformat(), "last_memory_count_at_run": 1}
