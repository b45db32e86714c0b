"""Why something was recalled, by which rule it is shown, and what an asker may look up."""

from __future__ import annotations

import pytest

from wellkept.errors import MemoryNotFound
from wellkept.flows import answers
from wellkept.startup import open as open_memory


@pytest.fixture
def memory(store_path, clock):
    with open_memory(store_path, clock=clock, embedder="none") as opened:
        yield opened


@pytest.fixture
def alice(memory):
    return memory.at(user="alice", chat="dm-alice")


def test_recall_says_arms_parts_rank_and_rule(alice):
    alice.add("The red bicycle stands in the cellar")
    alice.add("The blue bicycle was sold")
    found = alice.recall("red bicycle", threshold=0)
    why = alice.why(found)
    assert (why.query, why.verdict, why.left_out) == ("red bicycle", "found", None)
    assert [one.rank for one in why.hits] == [1, 2]
    assert [one.id for one in why.hits] == [hit.id for hit in found]
    for one in why.hits:
        assert set(one.found_by) == {"words"}
        parts = dict(one.parts)
        trust, relation = parts.pop("trust"), parts.pop("relation", 0.0)
        assert one.score == pytest.approx(sum(parts.values()) * trust + relation, abs=1e-4)
        assert one.rule in {"about_asker", "no_subject"}  # of Alice, or of a thing
        assert "matches_query" in one.reasons
    assert why.hits[0].found_by["words"] > why.hits[1].found_by["words"]


def test_what_was_left_out_is_told_on_request_only(memory):
    private = memory.at(user="bob", chat="dm-bob")
    group = memory.at(user="bob", chat="team", chat_type="group", participants=("alice",))
    hidden = private.add("Bob has diabetes", sensitivity="sensitive").id
    open_word = private.add("Bob has a cello", sensitivity="public").id
    found = group.recall("what does Bob have", threshold=0)
    assert [hit.id for hit in found] == [open_word]
    assert group.why(found).left_out is None
    assert "left_out" not in answers.plain_json(group.why(found))
    told = group.why(found, left_out=True).left_out
    assert [(one.id, one.rule) for one in told] == [(hidden, "sensitive_told_in_private")]
    assert private.why(private.recall("what does Bob have"), left_out=True).left_out == ()


def test_what_others_who_are_there_keep_for_themselves_is_left_out_by_a_rule(memory):
    kept = memory.at(user="alice", chat="dm-alice").add("Sarah plays the cello", about=["Sarah"]).id
    group = memory.at(user="bob", chat="team", chat_type="group", participants=("alice",))
    found = group.recall("who plays the cello", threshold=0)
    assert kept not in [hit.id for hit in found]
    told = {one.id: one for one in group.why(found, left_out=True).left_out}
    assert (told[kept].rule in {"other_scope", "not_portable", "third_party"}, told[kept].owner) == (True, "alice")


def test_what_somebody_named_in_the_question_keeps_is_left_out_by_a_rule(memory):
    kept = memory.at(user="bob", display_name="Bob", chat="dm-bob").remember("I was diagnosed with diabetes").id
    memory.at(user="bob", chat="team", chat_type="group", participants=("carol",)).remember("I love climbing")
    carol = memory.at(user="carol", display_name="Carol")
    found = carol.recall("What is Bob's diagnosis?", threshold=0)
    told = {one.id: one for one in carol.why(found, left_out=True).left_out}
    assert (told[kept].rule, told[kept].owner) == ("other_scope", "bob")


def test_left_out_names_persona_and_confidential(memory, alice):
    coach = memory.at(user="alice", chat="dm-alice", persona="coach")
    for_coach = coach.add("The marathon plan starts in May", only_persona=True).id
    told = alice.why(alice.recall("marathon plan"), left_out=True).left_out
    assert [(one.id, one.rule) for one in told] == [(for_coach, "persona")]


def test_memory_says_where_it_comes_from(alice, clock):
    stored = alice.remember("My favorite color is red")
    clock.advance(days=1)
    newer = alice.remember("My favorite color is blue")
    why = alice.why(newer.id)
    assert (why.is_shown, why.rule, why.trust) == (True, "about_asker", "fact")
    assert (why.said_by, why.about, why.learned_in) == ("you", ("you",), "dm-alice")
    assert (why.authority, why.authority_reason, why.origin) == ("user_asserted", "source:user", "explicit")
    assert (why.supersedes, why.superseded_by) == ((stored.id,), None)
    older = alice.why(stored.id)
    assert (older.is_shown, older.rule, older.superseded_by) == (False, "not_live", newer.id)


def test_recall_of_the_past_names_the_rule_of_its_time(alice, clock):
    alice.remember("My favorite color is red")
    then = clock()
    clock.advance(days=1)
    alice.remember("My favorite color is blue")
    found = alice.recall("favorite color", as_of=then, threshold=0)
    assert ["red" in hit.text for hit in found] == [True]
    assert [one.rule for one in alice.why(found).hits] == ["about_asker"]


def test_lifetime_is_told(alice, clock):
    stored = alice.add("Somebody left a coat", type="observation")
    assert (alice.why(stored.id).ends_at - clock()).days == 3


def test_invisible_memory_has_no_why(memory, alice):
    stored = alice.add("The spare key is under the mat")
    with pytest.raises(MemoryNotFound):
        memory.at(user="eve").why(stored.id)


def test_a_person_says_what_a_split_would_give_back(memory):
    alice = memory.at(user="alice", display_name="Alice")
    kyiv = alice.remember("My brother John lives in Kyiv").id
    harp = alice.remember("My boss John plays the harp").id
    brother, boss = (next(one for one in alice.people() if one.relation == name) for name in ("brother", "boss"))
    alice.merge_people(boss.id, brother.id)
    found = alice.person(boss.id)
    assert {one.memory.id for one in found.memories} == {kyiv, harp}
    assert [(one.name, one.relation, one.memory_ids) for one in found.merged] == [("John", "brother", (kyiv,))]
