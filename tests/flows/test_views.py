"""Users become persons, references find them, and nobody learns what is not theirs to know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import pytest

from wellkept.errors import Ambiguous, PersonNotFound
from wellkept.flows import views
from wellkept.flows.people.amend_people import questions
from wellkept.policies.people.persons import label, relation_to
from wellkept.policies.people.references import parse
from wellkept.policies.people.resolution import Verdict
from wellkept.store.contract import Change, Entry, Store
from wellkept.store.opening import open_store
from wellkept.types import Memory, Person, Viewpoint
from wellkept.vocabulary import Kind, MemoryType, Space


@dataclass(frozen=True)
class World:
    store: Store
    now: datetime

    def say(self, words: str, *, by: str = "ana", **where) -> views.Resolved:
        viewpoint = Viewpoint(user=by, **where)
        with self.store.transaction():
            view, _ = views.gather(viewpoint, self.store, self.now)
            return views.resolve(parse(words), speaker=by, view=view, store=self.store, now=self.now)

    def find(self, words: str, *, by: str = "ana", **where) -> Person:
        view = views.bare_view(Viewpoint(user=by, **where), self.store, self.now)
        return views.look_up(words, view=view, store=self.store)

    def join(self, user: str, **named) -> Person:
        with self.store.transaction():
            return views.ensure_user(Viewpoint(user=user, **named), self.store, self.now)

    def view(self, **viewpoint):
        return views.bare_view(Viewpoint(**viewpoint), self.store, self.now)


@pytest.fixture
def world(store_path, clock) -> Iterator[World]:
    store = open_store(store_path)
    yield World(store, clock())
    store.close()


def test_learning_a_name_renames_the_person(world):
    unnamed = world.say("my wife")
    named = world.say("my wife's name is Sarah")
    assert (unnamed.verdict, named.verdict) == (Verdict.CREATE, Verdict.RENAME)
    assert named.person.id == unnamed.person.id
    assert world.find("Sarah").id == world.find("my wife").id == world.find("mi esposa").id == unnamed.person.id


def test_a_relation_learned_later_joins_the_unnamed_with_the_named(world):
    named = world.say("Sofia").person
    unnamed = world.say("my daughter").person
    joined = world.say("my daughter Sofia")
    assert joined.verdict is Verdict.MERGE
    assert joined.person.id == named.id == world.store.person("default", unnamed.id).id
    assert relation_to(joined.person, "ana") == "daughter"


def test_two_johns_stay_two_and_the_bare_name_is_nobody(world):
    brother, boss = world.say("my brother John").person, world.say("my boss John").person
    assert brother.id != boss.id
    meant = world.say("John")
    assert (meant.person, meant.verdict) == (None, Verdict.AMBIGUOUS)
    assert set(meant.candidates) == {brother.id, boss.id}
    with pytest.raises(Ambiguous) as caught:
        world.find("John")
    assert all(one.id in str(caught.value) for one in (brother, boss))
    assert world.find("my boss").id == boss.id


def test_whose_relation_it_is_counts(world):
    sister = world.say("Tom's sister").person
    assert world.say("Tom's sister Emma").person.id == sister.id
    assert world.say("my sister").person.id != sister.id
    assert world.find("Tom's sister").id == world.find("la hermana de Tom").id == sister.id
    tom = world.find("Tom")
    assert sister.relationships[0].other_person_id == tom.id


def test_an_ambiguous_owner_makes_the_relation_ambiguous(world):
    world.say("my brother John")
    world.say("my boss John")
    assert world.say("John's wife").person is None


def test_a_new_wife_takes_the_place(world):
    sarah, julia = world.say("my wife Sarah").person, world.say("my wife Julia").person
    assert world.find("my wife").id == julia.id
    former = world.find("Sarah")
    assert former.id == sarah.id == world.find("my ex-wife").id
    assert relation_to(former, "ana") == "former wife"


def test_what_one_says_is_not_known_to_another(world):
    mine = world.say("my boss Ingo", by="ana").person
    with pytest.raises(PersonNotFound):
        world.find("Ingo", by="bob")
    theirs = world.say("Ingo", by="bob")
    assert theirs.verdict is Verdict.CREATE
    assert theirs.person.id != mine.id
    with pytest.raises(PersonNotFound):
        world.find("my boss", by="bob")


def test_a_relation_is_known_to_those_who_hear_it(world):
    """The memory that states it is what makes it known: seen in the group, not elsewhere."""
    team = {"chat": "team", "chat_type": "group", "participants": ("ana", "bob")}
    world.join("ana", display_name="Ana", username="ana")
    wife = world.say("my wife Sarah", **team).person
    with pytest.raises(PersonNotFound):
        world.find("Ana's wife", by="bob", **team)
    own = world.store.person("default", user="ana").id
    with world.store.transaction():
        memory = Memory(
            id=world.store.next_id("default", Space.CHAT, "team", Kind.SEMANTIC),
            tenant="default",
            content="Sarah is Ana's wife.",
            type=MemoryType.RELATIONSHIP,
            space=Space.CHAT,
            owner="team",
            subject_person_ids=(own, wife.id),
            stated_by=own,
            learned_in="team",
            learned_in_type="group",
            memory_key="people|person|sarah|relationship",
            discriminator="sarah",
            created_at=world.now,
            observed_at=world.now,
            updated_at=world.now,
        )
        world.store.apply([Change(memory=memory, entry=Entry(op="create"), is_new=True)], at=world.now)
    assert world.find("Ana's wife", by="bob", **team).id == wife.id
    with pytest.raises(PersonNotFound):
        world.find("my wife", by="bob", **team)
    with pytest.raises(PersonNotFound):
        world.find("@ana's wife", by="kai")


def test_ids_do_not_tell_of_others(tmp_path, clock):
    def made(name: str, *others: str) -> str:
        store = open_store(tmp_path / name)
        world = World(store, clock())
        for other in others:
            world.say(f"my friend {other}", by="bob")
        found = world.say("my friend Noa").person.id
        store.close()
        return found

    assert made("alone.db") == made("together.db", "Noa", "Kai")


def test_lookup_writes_nothing(world):
    with pytest.raises(PersonNotFound):
        world.find("my wife")
    assert world.say("my wife").verdict is Verdict.CREATE


def test_the_speaker_is_their_person(world):
    own = world.join("ana", display_name="Ana")
    assert world.say("me").person.id == own.id == world.find("me").id


class TestLinking:
    def test_a_handle_is_linked_when_its_user_appears(self, world):
        spoken_of = world.say("@bob").person
        assert label(spoken_of) == "@bob"
        bob = world.join("u-7", username="Bob", display_name="Robert")
        assert (bob.id, bob.name, bob.user_id) == (spoken_of.id, "Robert", "u-7")
        assert world.store.person("default", user="u-7").id == spoken_of.id

    def test_a_handle_reaches_strangers_and_a_name_does_not(self, world):
        bob = world.join("u-7", username="bob", display_name="Bob")
        assert world.say("@bob").person.id == bob.id
        assert world.say("Bob", by="zoe").person.id != bob.id

    def test_a_handle_of_another_user_is_not_taken_over(self, world):
        first = world.join("u-7", username="bob")
        second = world.join("u-8", username="bob")
        assert first.id != second.id
        assert world.say("@bob").verdict is Verdict.AMBIGUOUS

    def test_a_display_name_never_links_but_is_asked_about(self, world):
        spoken_of = world.say("my friend Bob", chat="team", chat_type="group", participants=("u-7",)).person
        bob = world.join("u-7", display_name="Bob")
        assert bob.id != spoken_of.id
        asked = questions(world.view(user="ana", chat="team", chat_type="group"), world.store)
        assert [({one.one.id, one.other.id}, one.reason) for one in asked] == [({bob.id, spoken_of.id}, "display_name")]

    @pytest.mark.parametrize(("said", "user"), [("Olu", "olu"), ("Zoë", "ZOË"), ("Ngozi", "ngozi")])
    def test_a_user_known_by_the_id_alone_is_asked_about_too(self, world, said, user):
        spoken_of = world.say(f"my friend {said}", chat="team", chat_type="group", participants=(user,)).person
        seen = world.join(user)
        assert seen.id == spoken_of.id, "who is there by that id is who is meant"
        elsewhere = world.say(f"my cousin {said}", by="zoe").person
        world.join(f"{user} ")
        assert questions(world.view(user="zoe"), world.store) == (), "of people one never met nothing is asked"
        assert elsewhere.id != seen.id

    def test_a_user_who_comes_after_being_spoken_of_is_asked_about_by_the_id(self, world):
        spoken_of = world.say("my friend Olu").person
        world.say("my boss Vera", chat="team", chat_type="group", participants=("olu",))
        olu = world.store.person("default", user="olu")
        assert olu.id != spoken_of.id
        asked = questions(world.view(user="ana", chat="team", chat_type="group"), world.store)
        assert [({one.one.id, one.other.id}, one.reason) for one in asked] == [({olu.id, spoken_of.id}, "user_id")]

    def test_a_user_seen_before_their_handle_joins_whom_others_spoke_of(self, world):
        spoken_of = world.say("@bob").person
        seen = world.join("u-7")
        assert seen.id != spoken_of.id
        told = world.join("u-7", username="bob")
        assert told.id == seen.id == world.store.person("default", spoken_of.id).id

    def test_the_same_user_is_the_same_person(self, world):
        assert world.join("u-7", display_name="Bob").id == world.join("u-7", username="bobby").id
        assert world.store.person("default", user="u-7").aliases[-1].value == "@bobby"

    def test_a_participant_is_called_by_the_id_until_a_name_is_known(self, world):
        meant = world.say("Bob", chat="team", chat_type="group", participants=("bob",)).person
        assert meant.user_id == "bob"


class TestViews:
    def test_private_alone_the_asker_is_the_partner(self, world):
        own = world.join("ana")
        view = world.view(user="ana", chat="c")
        assert (view.person, view.present, view.partners) == (own.id, {own.id}, {own.id})

    def test_private_with_others_they_are_the_partners(self, world):
        own, bob = world.join("ana"), world.join("bob")
        view = world.view(user="ana", chat="c", participants=("bob", "ana"))
        assert view.present == {own.id, bob.id}
        assert view.partners == {bob.id}

    def test_an_unknown_participant_still_listens(self, world):
        world.join("ana")
        view = world.view(user="ana", chat="c", participants=("stranger",))
        assert view.partners == {"user:stranger"}
        assert world.store.person("default", user="stranger") is None

    def test_spaces_stand_in_read_order(self, world):
        view = world.view(user="ana", chat="c", project="p", session="s")
        assert view.spaces == (
            (Space.SESSION, "s"),
            (Space.USER, "ana"),
            (Space.CHAT, "c"),
            (Space.PROJECT, "p"),
            (Space.SYSTEM, "system"),
        )

    def test_a_writer_and_the_participants_take_part(self, world):
        world.say("Kai", chat="team", chat_type="group", participants=("bob",))
        ids = {world.store.person("default", user=user).id for user in ("ana", "bob")}
        assert world.store.attendance("default", ["team"]) == {"team": ids}
        assert world.view(user="ana", chat="team", chat_type="group").present == ids

    def test_a_participant_may_be_a_person_or_a_handle_but_not_a_name(self, world):
        noa = world.say("Noa").person
        handle = world.say("@kai").person
        view = world.view(user="ana", chat="c", participants=(noa.id, "@kai", "Noa", "n\u200boa"))
        assert view.partners == {noa.id, handle.id, "user:Noa", "user:n\u200boa"}


class TestReview:
    def test_a_mishearing_is_asked_about_once(self, world):
        first = world.say("Mukesh").person
        second = world.say("Makesh").person
        world.say("Makesh")
        asked = questions(world.view(user="ana"), world.store)
        assert [{one.one.id, one.other.id} for one in asked] == [{first.id, second.id}]
        assert questions(world.view(user="bob"), world.store) == ()

    def test_the_same_relation_is_strong_evidence(self, world):
        first = world.say("my manager Mukesh").person
        assert world.say("my manager Makesh").person.id == first.id
        assert world.find("Makesh").id == first.id
        assert questions(world.view(user="ana"), world.store) == ()

    def test_names_that_only_look_alike_are_not_asked_about(self, world):
        world.say("Mark")
        world.say("Mary")
        assert questions(world.view(user="ana"), world.store) == ()


def test_the_beginning_of_an_id_is_enough_for_whom_the_asker_knows(world):
    person = world.say("Noa").person
    assert world.find(person.id[:8]).id == world.find(person.id).id == person.id
    with pytest.raises(PersonNotFound):
        world.find(person.id[:8], by="bob")
