"""One planted fault of every kind: each is found, previewed, put right and found no more."""

from __future__ import annotations

import itertools
import tracemalloc

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import InvalidInput
from wellkept.flows.requests import RememberRequest, Statement
from wellkept.flows.write.remember import remember
from wellkept.store.contract import NewestRows
from wellkept.store.encoding import SUMMED
from wellkept.testing.world import World
from wellkept.vocabulary import DOCTOR_CHECKS


@pytest.fixture
def memory(store_path, clock, embedder):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder, worker="off") as opened:
        yield opened


AT_IT = "(scope, num) = (SELECT scope, num FROM memories WHERE id = :id)"


def run(memory, statement: str, **values: object) -> None:
    """Behind the store's back; the checksums are those of the rows as they are then."""
    driver = memory.engine.store._db.driver
    driver.run(statement, values)
    for table in SUMMED:
        driver.run(f"UPDATE {table} SET checksum = NULL", {})  # noqa: S608 -- our own words
    memory.engine.store.repair("default", "rows")


def overheard(memory, text: str) -> str:
    place = memory.at(user="ines", chat="dm").place
    request = RememberRequest(viewpoint=place, statements=(Statement(text=text, origin="shadow_extraction"),))
    (outcome,) = remember(request, memory.engine)
    return outcome.id


def told(memory, text: str = "I collect old maps of Lisbon") -> str:
    return memory.at(user="ines", chat="dm").remember(text).id


def no_vector(memory):
    found = told(memory)
    run(memory, "DELETE FROM vectors WHERE num = (SELECT num FROM memories WHERE id = :id)", id=found)
    run(memory, "UPDATE memories SET embedded_model = '' WHERE id = :id", id=found)


def lost_vector(memory):
    run(memory, "DELETE FROM vectors WHERE num = (SELECT num FROM memories WHERE id = :id)", id=told(memory))


def say(memory, found: str, text: str) -> None:
    """Another text behind the store's back, with its words in the index."""
    run(memory, f"UPDATE versions SET content = :text WHERE {AT_IT}", id=found, text=text)  # noqa: S608 -- our own words
    memory.engine.store.repair("default", "wrong_words")


def loose_text(memory):
    say(memory, told(memory), "Two  spaces\u200b here")


def from_nowhere(memory):
    found = overheard(memory, "I collect old maps of Lisbon")
    run(memory, f"UPDATE versions SET quote = NULL WHERE {AT_IT}", id=found)  # noqa: S608 -- our own words
    run(memory, "UPDATE memories SET source_message_id = NULL WHERE id = :id", id=found)
    memory.engine.store.repair("default", "wrong_words")


def about_nobody(memory):
    run(memory, "UPDATE memories SET subject_person_ids = '[]', subject_count = 0 WHERE id = :id", id=told(memory))


def about_the_dead(memory):
    run(memory, "UPDATE memories SET subject_person_ids = '[\"p_gone\"]' WHERE id = :id", id=told(memory))


def said_by_the_dead(memory):
    run(memory, "UPDATE memories SET stated_by = 'p_gone' WHERE id = :id", id=told(memory))


def strange_name(memory):
    told(memory, "My cousin Marek lives in Brno")
    run(memory, "UPDATE persons SET name = :name WHERE name = 'Marek'", name="Ma\x07rek  ")


def mere_knowledge(memory):
    run(memory, "UPDATE memories SET type = 'knowledge' WHERE id = :id", id=overheard(memory, "I prefer tea to coffee"))


def small_talk(memory):
    say(memory, overheard(memory, "I collect old maps of Lisbon"), "ok thanks")


def twice(memory):
    first = told(memory)
    say(memory, told(memory, "I keep bees on the roof"), memory.engine.store.memory("default", first).content)


def two_values(memory):
    first, second = told(memory, "My favorite color is blue"), told(memory, "My favorite season is autumn")
    copied = (
        "UPDATE memories SET (fact_key, discriminator, memory_key) = "
        "(SELECT fact_key, discriminator, 'profile|person|self|other' FROM memories WHERE id = :first) WHERE id = :id"
    )
    run(memory, copied, first=first, id=second)


def bad_refs(memory):
    refs = '["person:Ana Maria","planet:mars","person:ana_maria"]'
    run(memory, "UPDATE memories SET entity_refs = :refs WHERE id = :id", refs=refs, id=told(memory))


def wrong_words(memory):
    run(memory, "DELETE FROM postings WHERE num = (SELECT num FROM memories WHERE id = :id)", id=told(memory))


def tampered(memory):
    told(memory)
    run(memory, "UPDATE ledger SET reason = 'forged' WHERE op = 'create'")


def orphaned(memory):
    ghost = (
        "INSERT INTO postings (tenant, scope, term, num, tf) "
        "SELECT tenant, scope, 'ghost', 999, 1 FROM memories WHERE id = :id"
    )
    run(memory, ghost, id=told(memory))


PLANTED = {
    "embed-missing": no_vector,
    "normalize": loose_text,
    "provenance": from_nowhere,
    "self-facts": about_nobody,
    "subjects": about_the_dead,
    "attribution": said_by_the_dead,
    "names": strange_name,
    "reclassify": mere_knowledge,
    "quality": small_talk,
    "duplicates": twice,
    "contradictions": two_values,
    "entities": bad_refs,
    "index": wrong_words,
    "ledger": tampered,
    "integrity": orphaned,
}


def test_a_fault_of_every_kind_is_planted():
    assert set(PLANTED) == set(DOCTOR_CHECKS)


def test_a_sound_store_is_well(memory):
    told(memory)
    told(memory, "My cousin Marek lives in Brno")
    overheard(memory, "I moved to Porto with my sister Ana")
    memory.at(user="ines", chat="dm").observe([{"role": "user", "content": "I bake bread on Sundays."}], wait=True)
    memory.governed(session="s1", user="ines").record(user="I prefer tea")
    memory.upkeep.embed()  # what a governed session keeps gets its vectors by upkeep
    assert memory.upkeep.doctor().findings == ()


def test_episodes_and_edited_memories_of_a_talk_are_well(memory, clock):
    """An episode has no message of its own; mended as one from nowhere, it would be gone."""
    coach = memory.at(user="ines", persona="Coach", chat="dm")
    for said in (
        "The ferry hit the pier yesterday.",
        "The storm broke the greenhouse last night.",
        "My cousin Marek lives in Brno.",
    ):
        for _ in range(2):
            coach.turn(said).finish("Go on.")
        memory.upkeep.run()
        clock.advance(days=2)
    kept = memory.at(user="ines", chat="dm").list(limit=50)
    assert any("episode" in one.tags for one in kept)
    for one in kept:
        memory.at(user="ines", chat="dm").edit(one.id, f"{one.content} Indeed so.")
    assert memory.upkeep.doctor().findings == ()


@pytest.mark.parametrize(("check", "plant"), [*PLANTED.items(), ("embed-missing", lost_vector)])
def test_each_fault_is_found_and_put_right(memory, check, plant):
    plant(memory)
    before = memory.upkeep.doctor([check])
    assert before.counts == {check: 1}
    assert not before.is_well
    assert memory.upkeep.doctor([check]).counts == before.counts, "looking changes nothing"
    after = memory.upkeep.doctor([check], fix=True)
    assert (after.fixed, after.is_well) == (1, True)
    healed = memory.upkeep.doctor([check])
    assert (healed.findings, healed.is_well) == ((), True)
    broken = list(memory.engine.store.verify("default"))
    assert [one.seal is not None for one in broken] == ([True] if check == "ledger" else []), "sealed, and in sight"


@pytest.mark.parametrize("check", ["names", "duplicates", "contradictions"])
def test_two_at_once_put_a_thing_right_once(memory, store_path, clock, embedder, check):
    """Another doctor mends all of it after the first one has read it, and before it writes."""
    PLANTED[check](memory)
    rows = []
    memory.upkeep.doctor([check], progress=rows.append)
    before = sum(1 for _ in memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000)))
    seen = []

    def meddle(looked: int) -> None:
        if looked == rows[-1]:
            with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder, worker="off") as other:
                seen.append(other.upkeep.doctor([check], fix=True).fixed)
                seen.append(sum(1 for _ in other.engine.store.ledger(NewestRows(tenant="default", limit=1_000))))

    assert memory.upkeep.doctor([check], fix=True, progress=meddle).counts == {}, "the other one was faster"
    after = sum(1 for _ in memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000)))
    assert seen == [1, after]
    assert after == before + (check != "names")
    assert memory.upkeep.doctor([check]).findings == ()


def test_findings_hold_no_text(memory):
    loose_text(memory)
    assert "spaces" not in str(memory.upkeep.doctor())


def test_an_unknown_check_is_named(memory):
    with pytest.raises(InvalidInput, match="bogus"):
        memory.upkeep.doctor(["bogus"])


def test_what_the_doctor_holds_does_not_grow_with_the_store(store_path, clock):
    """A few bytes a memory: what stands twice is told by short forms, everything else is read in pages."""

    def peak(size):
        with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
            world = World(memory.engine.store)
            with memory.engine.store.transaction():
                for number in itertools.islice(lines, size):
                    text = f"Line {number} about the harbour and what lies behind it."
                    world.tell(text, tenant="default", discriminator=f"d{number}")
            memory.upkeep.doctor()
            tracemalloc.start()
            try:
                assert memory.upkeep.doctor().is_well
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

    lines = itertools.count()
    small, large = peak(450), peak(300)
    assert large - small < 300 * 800, "a memory that is held takes thousands"


def test_slots_of_two_users_of_a_session_contradict_nobody(memory):
    noor, emil = (memory.governed(session="s1", user=user) for user in ("noor", "emil"))
    noor.record(tools=[{"text": "The city is Rome", "key": "city", "value": "Rome"}])
    emil.record(user="I live in Oslo")
    assert "contradictions" not in {finding.check for finding in memory.upkeep.doctor(fix=True).findings}


def test_texts_that_differ_in_a_sign_are_two(memory):
    governed = memory.governed(session="s1", user="noor", policy={"write_policy": "aggressive"})
    for sign in ("🎉", "🚀"):
        governed.record(user=f"Party {sign}")
    assert "duplicates" not in {finding.check for finding in memory.upkeep.doctor(fix=True).findings}


@pytest.mark.parametrize(
    ("said", "check"),
    [
        (("I no longer like tea", "I no longer like jazz"), "contradictions"),
        (("Μου αρέσει ο καφές. Correction: my favorite color is red",), "normalize"),
    ],
)
def test_what_the_rules_made_of_a_statement_is_sound(memory, said, check):
    for text in said:
        memory.at(user="ana").remember(text)
    assert check not in {finding.check for finding in memory.upkeep.doctor().findings}
