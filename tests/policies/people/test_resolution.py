"""Which rule finds whom. The many cases are in evals/resolution; here each rule stands alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.policies.people.references import parse
from wellkept.policies.people.resolution import Known, Verdict, decide, stated
from wellkept.types import Alias, Person, Reference, Relationship

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def person(person_id: str, name: str | None = None, *, aliases=(), relations=(), by: str = "ana", to: str = "p-ana"):
    return Person(
        id=person_id,
        tenant="t",
        name=name,
        created_by=by,
        created_at=NOW,
        aliases=tuple(Alias(value=alias, added_by=by) for alias in aliases),
        relationships=tuple(Relationship(relationship=one, stated_by=by, other_person_id=to) for one in relations),
    )


def who(words: str, *people: Person, anchor: str | None = None, **known):
    return decide(parse(words), Known(speaker="ana", own="p-ana", people=people, anchor=anchor, **known))


def test_nobody_known_creates():
    assert who("Sarah").verdict is Verdict.CREATE
    assert who("my wife").verdict is Verdict.CREATE
    assert who("@bob").verdict is Verdict.CREATE


def test_what_the_speaker_calls_somebody_comes_before_a_name_that_others_gave():
    found = who("Ace", person("p1", "Robert", aliases=["Ace"]), person("p2", "Ace", by="bob"))
    assert (found.person_id, found.reason) == ("p1", "speaker_alias")


def test_two_whom_the_speaker_calls_so_are_ambiguous():
    assert who("Ace", person("p1", "Robert", aliases=["Ace"]), person("p2", "Ace")).verdict is Verdict.AMBIGUOUS


def test_two_whom_only_others_call_so_are_ambiguous():
    people = person("p1", "Robert", aliases=["Ace"], by="bob"), person("p2", "Ace", by="bob")
    assert who("Ace", *people).verdict is Verdict.AMBIGUOUS


def test_a_longer_form_that_is_known_rules_others_out():
    assert who("Alexander", person("p1", "Alex", aliases=["Alexandra"])).verdict is Verdict.CREATE
    assert who("Alexandra", person("p1", "Alex")).person_id == "p1"
    assert who("Jack", person("p1", "Jackie", aliases=["Jacqueline"])).verdict is Verdict.CREATE
    assert who("Mary", person("p1", "Mary Ann", aliases=["Mary-Ann"])).verdict is Verdict.CREATE


def test_a_titled_surname_is_shared_and_no_first_name():
    assert who("Vogel", person("p1", "Matthias Vogel"), person("p2", "Frau Vogel")).verdict is Verdict.AMBIGUOUS
    assert who("Vogel", person("p2", "Frau Vogel")).person_id == "p2"
    found = who("Emily Brown", person("p1", "Mr. Brown"))
    assert (found.verdict, found.review) == (Verdict.CREATE, ("p1",))
    assert who("Dr. Rachel Stein", person("p1", "Dr. Stein")).person_id == "p1"


def test_an_exact_name_comes_before_a_part_of_a_longer_one():
    assert who("John", person("p1", "John"), person("p2", "John Smith")).person_id == "p1"


def test_a_short_name_of_two_is_ambiguous_though_one_was_called_so_before():
    found = who("John", person("p1", "John Smith", aliases=["John"]), person("p2", "John Doe"))
    assert (found.verdict, found.candidates) == (Verdict.AMBIGUOUS, ("p1", "p2"))


def test_a_nickname_shared_with_a_full_name_is_ambiguous():
    found = who("Bob", person("p1", "Robert Hayes", aliases=["Bob"]), person("p2", "Bob Larsen"))
    assert found.verdict is Verdict.AMBIGUOUS


def test_two_full_names_are_compared_as_such():
    assert who("Emma Turner", person("p1", "William Turner", aliases=["Turner"])).verdict is Verdict.CREATE


@pytest.mark.parametrize(
    ("said", "held", "verdict"),
    [
        ("my boss John", "brother", Verdict.CREATE),
        ("my brother John", "brother", Verdict.EXISTING),
        ("my wife Jo", "girlfriend", Verdict.EXISTING),
        ("my friend John", "coworker", Verdict.CREATE),
    ],
)
def test_a_contradicting_relation_is_another_person(said, held, verdict):
    name = said.split()[-1]
    assert who(said, person("p1", name, relations=[held])).verdict is verdict


def test_ties_that_may_coincide_are_asked_about():
    assert who("my friend John", person("p1", "John", relations=["coworker"])).review == ("p1",)
    assert who("my friend John", person("p1", "John", relations=["brother"])).review == ()
    assert who("my friend Makesh", person("p1", "Mukesh", relations=["coworker"])).review == ("p1",)


def test_a_title_of_another_gender_is_another_person():
    assert who("Frau Krause", person("p1", "Herr Krause")).verdict is Verdict.CREATE
    assert who("Mr. Nair", person("p1", "Nair", relations=["sister"])).verdict is Verdict.CREATE


def test_a_relation_finds_its_only_holder_or_says_that_there_are_several():
    one, two = person("p1", "Ana", relations=["friend"]), person("p2", "Luis", relations=["friend"])
    assert who("my friend", one).person_id == "p1"
    assert who("my friend", one, two).verdict is Verdict.AMBIGUOUS
    assert who("my friend", one, person("p2", "Zoe", relations=["best friend"])).person_id == "p1"


def test_several_are_meant_by_a_plural():
    found = who("my kids", person("p1", "Noah", relations=["son"]), person("p2", "Mia", relations=["daughter"]))
    assert (found.verdict, found.candidates) == (Verdict.SEVERAL, ("p1", "p2"))
    assert who("my kids").verdict is Verdict.SEVERAL


def test_the_unnamed_holder_gets_the_name():
    found = who("my wife Sarah", person("p1", relations=["wife"]))
    assert (found.verdict, found.person_id) == (Verdict.RENAME, "p1")


def test_the_unnamed_holder_is_joined_with_the_one_who_has_the_name():
    found = who("my wife Sarah", person("p1", relations=["wife"]), person("p2", "Sarah"))
    assert (found.verdict, found.person_id, found.merged_id) == (Verdict.MERGE, "p2", "p1")


def test_the_unnamed_holder_is_not_joined_with_one_of_two():
    sarahs = person("p2", "Sarah"), person("p3", "Sarah")
    found = who("my wife Sarah", person("p1", relations=["wife"]), *sarahs)
    assert (found.verdict, found.person_id, found.review) == (Verdict.RENAME, "p1", ("p2", "p3"))


def test_a_mishearing_needs_the_same_relation():
    assert who("Makesh", person("p1", "Mukesh")).verdict is Verdict.CREATE
    assert who("Makesh", person("p1", "Mukesh")).review == ("p1",)
    assert who("my boss Makesh", person("p1", "Mukesh", relations=["boss"])).person_id == "p1"
    assert who("my boss Makesh", person("p1", "Mukesh")).verdict is Verdict.CREATE


def test_what_others_stated_is_no_relation_of_the_speaker():
    assert who("my boss", person("p1", "Ingo", relations=["boss"], by="bob")).verdict is Verdict.CREATE


def test_a_relation_to_somebody_else_is_looked_for_there():
    tom, emma = person("p1", "Tom"), person("p2", "Emma", relations=["sister"], to="p1")
    assert who("Tom's sister", tom, emma, anchor="p1").person_id == "p2"
    assert who("my sister", tom, emma).verdict is Verdict.CREATE


def test_a_relation_is_found_from_the_other_side():
    tom, nina = person("p1", "Tom", relations=["boyfriend"], to="p2"), person("p2", "Nina")
    assert who("Tom's girlfriend", tom, nina, anchor="p1").person_id == "p2"


def test_nobody_is_their_own_friend():
    assert who("my friend Ana", person("p-ana", "Ana")).verdict is Verdict.CREATE
    assert who("Ana", person("p-ana", "Ana")).person_id == "p-ana"


def test_handles():
    bob, stranger = person("p1", "Bob"), person("p9", "Robert", aliases=["@bob"], by="zoe")
    assert who("@bob", bob).reason == "handle_as_name"
    assert who("@BOB", bob, reachable=(stranger,)).person_id == "p9"
    twins = person("p2", aliases=["@sam"]), person("p3", aliases=["@sam"])
    assert who("@sam", *twins).verdict is Verdict.AMBIGUOUS


def test_what_a_reference_states():
    known = Known(speaker="ana", own="p-ana")
    said = stated(Reference(text="my mum", relation="mum"), known)
    assert said == Relationship(relationship="mother", stated_by="ana", other_person_id="p-ana")
    assert stated(Reference(text="Sarah", name="Sarah"), known) is None
    unknown = stated(Reference(text="my sommelier", relation="Sommelier"), known)
    assert unknown is not None
    assert unknown.relationship == "sommelier"
