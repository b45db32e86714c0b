"""Who hears what, told as stories through the interface that a program uses."""

from __future__ import annotations

import pytest

from wellkept.errors import MemoryNotFound, NotAllowed, PersonNotFound
from wellkept.store.contract import NewestRows


def group(memory, user, *others, chat="team", **more):
    return memory.at(user=user, chat=chat, chat_type="group", participants=others, display_name=user.title(), **more)


def dm(memory, user, *others, chat=None, **more):
    return memory.at(user=user, chat=chat or f"{user}-dm", participants=others, display_name=user.title(), **more)


def texts(viewpoint):
    return [item.content for item in viewpoint.list(limit=100)]


def mentions(viewpoint, word, query):
    """Whether a word comes back. What the list does not show, no other way may tell."""
    word = word.casefold()
    found = viewpoint.recall(query, threshold=0, limit=50)
    is_listed = any(word in text.casefold() for text in texts(viewpoint))
    assert is_listed == any(word in hit.text.casefold() for hit in found)
    aside = [*(line for hit in found for line in hit.related), *(fact for card in found.cards for fact in card.facts)]
    told = [*aside, str(viewpoint.context(query)), viewpoint.chat(query).text]
    assert is_listed or not any(word in text.casefold().replace(query.casefold(), "") for text in told)
    return is_listed


DELICATE = [
    ("Marta is pregnant, due in August", "pregnant", "What about Marta's pregnancy?"),
    ("Henrik has been diagnosed with diabetes", "diabetes", "Is Henrik ill?"),
    ("Yuki earns 90,000 euros a year", "90,000", "How much does Yuki earn?"),
]


@pytest.mark.parametrize(("said", "word", "query"), DELICATE)
def test_told_in_private_about_somebody_absent(memory, said, word, query):
    group(memory, "lea", "paul").remember("Our standup is at nine", shared=True)
    told = dm(memory, "lea").remember(said)
    assert told.outcome == "created"
    assert not mentions(group(memory, "lea", "paul"), word, query)
    assert not mentions(dm(memory, "paul"), word, query)
    assert mentions(dm(memory, "lea"), word, query)


CONFIDENCES = [
    ("Keep this between us: I'm going to quit Halden", "halden", "Am I going to quit Halden?"),
    ("I haven't told anyone, but I am moving to Porto", "porto", "Am I moving to Porto?"),
    ("In confidence, I applied at Nordwind", "nordwind", "Did I apply at Nordwind?"),
]


@pytest.mark.parametrize(("said", "word", "query"), CONFIDENCES)
def test_between_us_stays_in_its_chat(memory, said, word, query):
    dm(memory, "lea", chat="evening").remember(said)
    assert mentions(dm(memory, "lea", chat="evening"), word, query)
    assert not mentions(dm(memory, "lea", chat="morning"), word, query)
    assert not mentions(group(memory, "lea", "paul"), word, query)
    assert not mentions(memory.at(user="lea"), word, query)


TRAITS = [
    ("loves pizza", "pizza", "is presenting next", "presenting"),
    ("hates coriander", "coriander", "is taking notes today", "notes"),
]


@pytest.mark.parametrize(("trait", "trait_word", "errand", "errand_word"), TRAITS)
def test_traits_travel_and_errands_stay(memory, trait, trait_word, errand, errand_word):
    group(memory, "bob", "alice").remember("I am glad to be here")
    speaker = group(memory, "alice", "bob")
    speaker.remember(f"Bob {trait}")
    speaker.remember(f"Bob {errand}")
    bob = dm(memory, "bob")
    assert mentions(bob, trait_word, f"Do I like {trait_word}?")
    assert not mentions(bob, errand_word, f"Am I {errand_word}?")
    hit = next(hit for hit in bob.recall(f"Do I like {trait_word}?", threshold=0) if trait_word in hit.text)
    assert hit.stated_by == "Alice"


RETRACTIONS = [
    ("{} loves pizza", "I don't like pizza any more", "pizza"),
    ("{} is crazy about pierogi", "I can't stand pierogi anymore", "pierogi"),
    ("{} adores sudoku", "I've gone off sudoku", "sudoku"),
    ("{} hates opera", "I love opera", "opera"),
    ("{} likes sailing", "I no longer like sailing", "sailing"),
]


@pytest.mark.parametrize(("hearsay", "own_word", "thing"), RETRACTIONS)
def test_own_word_retires_hearsay_and_is_not_retired(memory, hearsay, own_word, thing):
    group(memory, "bruno", "alice").remember("I am glad to be here")
    told = group(memory, "alice", "bruno").remember(hearsay.format("Bruno"))
    own = group(memory, "bruno", "alice").remember(own_word)
    assert own.id is not None

    def hears_hearsay(viewpoint):
        return told.id in [item.id for item in viewpoint.list(limit=100)]

    assert not hears_hearsay(dm(memory, "bruno"))
    assert not hears_hearsay(group(memory, "bruno", "alice"))
    assert not hears_hearsay(group(memory, "alice", "bruno"))
    # Alice was there when he said it: he need not be there when she asks.
    assert not hears_hearsay(dm(memory, "alice"))
    assert dm(memory, "alice").remember(hearsay.format("Bruno")).reason == "first_person_protection"
    again = group(memory, "alice", "bruno").remember(hearsay.format("Bruno"))
    assert again.outcome == "denied"
    assert again.reason == "first_person_protection"
    assert own.id in [item.id for item in dm(memory, "bruno").list(limit=100)]
    assert not any(hit.id == told.id for hit in dm(memory, "bruno").recall(thing, threshold=0))


def test_a_private_word_stays_private(memory):
    """Bruno's word reaches only those who may hear it: for Alice, who may not, nothing changes."""
    group(memory, "bruno", "alice").remember("I am glad to be here")
    told = group(memory, "alice", "bruno").remember("Bruno loves pizza")
    before = [item.id for item in dm(memory, "alice").list(limit=100)]
    own = dm(memory, "bruno").remember("Keep this between us: I don't like pizza any more")
    assert own.outcome != "denied"
    assert [item.id for item in dm(memory, "alice").list(limit=100)] == before
    assert told.id not in [item.id for item in dm(memory, "bruno").list(limit=100)]
    again = dm(memory, "alice").remember("Bruno loves pizza")
    assert again.outcome == "duplicate"


def test_for_one_persona_only(memory):
    dm(memory, "lea", persona="coach").remember("I skip leg day", only_persona=True)
    assert mentions(dm(memory, "lea", persona="coach"), "leg", "Do I skip leg day?")
    assert not mentions(dm(memory, "lea", persona="critic"), "leg", "Do I skip leg day?")
    assert not mentions(dm(memory, "lea"), "leg", "Do I skip leg day?")


def test_strict_mode_keeps_what_is_about_the_absent(opened):
    memory = opened()
    group(memory, "paul", "lea").remember("I am glad to be here")
    dm(memory, "lea").add("Paul has asthma", about=["Paul"], sensitivity="sensitive")
    dm(memory, "lea").add("Lea has hay fever", sensitivity="sensitive")
    assert len(texts(dm(memory, "lea"))) == 2
    strict = opened(mode="strict")
    assert texts(dm(strict, "lea")) == ["Lea has hay fever"]
    assert texts(dm(strict, "paul"))[0] == "Paul has asthma"


def test_without_a_place_facts_about_others_are_open_or_closed(opened):
    memory = opened()
    memory.at(user="lea").add("Paul collects stamps", about=["Paul"])
    shared_dm = {"user": "lea", "chat": "both", "participants": ["omar"]}
    assert texts(memory.at(**shared_dm)) == ["Paul collects stamps"]
    closed = opened(fail_open=False)
    assert texts(closed.at(**shared_dm)) == []
    assert texts(closed.at(user="lea", chat="lea-dm")) == ["Paul collects stamps"]


def rows(memory, **wanted):
    found = memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000))
    return [row for row in found if all(getattr(row.entry, key) == value for key, value in wanted.items())]


def refused(memory, action, memory_id, code):
    """The act is refused with its code, leaves a ledger row, and changes nothing."""
    before = memory.engine.store.memory("default", memory_id)
    with pytest.raises(NotAllowed) as caught:
        action(memory_id)
    assert caught.value.code == code
    assert rows(memory, status="denied", memory_id=memory_id, reason=code)
    assert memory.engine.store.memory("default", memory_id) == before


def test_only_the_owner_may_delete(memory):
    group(memory, "bob", "alice").remember("I am glad to be here")
    told = group(memory, "alice", "bob").remember("Bob loves pizza")
    bob = dm(memory, "bob")
    assert told.id in [item.id for item in bob.list()]
    for action in (bob.forget, bob.pin, bob.restore, lambda name: bob.edit(name, "Bob loves nothing")):
        refused(memory, action, told.id, "not_owner")


@pytest.mark.parametrize("newcomer", ["mallory", "trent"])
def test_only_participants_may_delete_what_is_the_groups(memory, newcomer):
    told = group(memory, "alice", "bob").remember("Our standup is at nine", shared=True)
    # Somebody who names the chat but never took part in it; known from elsewhere or not at all.
    if newcomer == "trent":
        dm(memory, "trent").remember("I like tea")
    outsider = group(memory, newcomer, "alice")
    assert told.id in [item.id for item in outsider.list()]
    refused(memory, outsider.forget, told.id, "not_participant")
    assert group(memory, "bob", "alice").forget(told.id).outcome == "updated"


def test_an_invisible_id_is_like_one_that_never_was(memory):
    secret = dm(memory, "lea").remember("I have hay fever")
    paul = dm(memory, "paul")
    paul.remember("I like tea")
    never = f"m_{'a' * 16}"
    for action in (paul.history, paul.forget, paul.pin, paul.unpin, paul.restore, lambda name: paul.edit(name, "x y")):
        answers = []
        for name in (secret.id, never, secret.id[:5], never[:5]):
            with pytest.raises(MemoryNotFound) as caught:
                action(name)
            answers.append((type(caught.value), caught.value.code, str(caught.value)))
        assert len(set(answers)) == 1
        assert answers[0][1] == "not_found"
    assert paul.list(before=secret.id) == paul.list(before=never)
    assert not rows(memory, status="denied")


def test_a_history_does_not_count_what_else_its_owner_keeps(memory):
    """Two owners, one with many memories and one with few: what others see of one memory looks alike."""
    group(memory, "bob", "alice", "ruth").remember("I am glad to be here")
    for flower in ("rose", "tulip", "iris", "aster", "lily"):
        dm(memory, "alice").remember(f"I love {flower} tea")
    told = [
        group(memory, "alice", "bob", "ruth").remember("Bob loves pizza"),
        group(memory, "ruth", "bob", "alice").remember("Bob loves ramen"),
    ]
    events = [dm(memory, "bob").history(one.id).events for one in told]
    assert [[event.event for event in one] for one in events] == [["ADD"], ["ADD"]]
    assert all(len(one[0].id) == len(f"{'m' * 18}#{'0' * 12}") for one in events)


def test_business_partner(memory):
    lea = dm(memory, "lea")
    lea.remember("Alice is my business partner")
    lea.remember("Alice's product launch is on March 15")
    lea.remember("Rosa's product launch is on April 2")
    found = lea.recall("When is my business partner's product launch?")
    launch = next(hit for hit in found if "launch" in hit.text)
    assert "March 15" in launch.text
    assert launch.about == ("Alice",)
    assert "March 15" in lea.chat("When is my business partner's product launch?").text


ACQUAINTANCES = [
    ("My therapist is Dr. Weber", "Weber", "therapist"),
    ("My sister Ilse lives in Graz", "Ilse", "sister"),
]


@pytest.mark.parametrize(("said", "name", "relation"), ACQUAINTANCES)
def test_whom_one_knows_is_not_known_to_others(memory, said, name, relation):
    lea = dm(memory, "lea")
    lea.remember(said)
    assert any(name in one.name for one in lea.people())
    for other in (dm(memory, "carol"), group(memory, "carol", "lea"), dm(memory, "carol", "lea", chat="both")):
        told = f"{other.people()} {other.context(f'Who is {name}?')}".replace(f"Who is {name}?", "")
        assert name not in told
        assert relation not in told
        answers = []
        for unknown in (name, "Nepomuk"):
            with pytest.raises(PersonNotFound) as caught:
                other.person(unknown)
            answers.append(str(caught.value))
        assert len(set(answers)) == 1


def test_a_listener_nobody_knows_yet_is_a_listener(memory):
    """Who has never said a word still hears: facts about others are not told before them."""
    dm(memory, "lea").remember("Marta moved to Ghent")
    assert mentions(dm(memory, "lea"), "ghent", "Where does Marta live?")
    assert not mentions(dm(memory, "lea", "newcomer", chat="both"), "ghent", "Where does Marta live?")


def test_a_shared_memory_that_the_writer_may_not_see_does_not_answer_the_writer(memory):
    """Somebody who repeats it in the chat is told of a new memory, not of the hidden one."""
    both = memory.at(user="ida", chat="club", chat_type="group", participants=["jon", "kim"])
    told = both.add("Kim is looking for a new job at the brewery", about=["kim"], sensitivity="personal", shared=True)
    without = memory.at(user="jon", chat="club", chat_type="group", participants=["ida"])
    assert told.id not in {found.id for found in without.list()}
    again = without.add(
        "Kim is looking for a new job at the brewery", about=["kim"], sensitivity="personal", shared=True
    )
    assert (again.outcome, again.content) == ("created", "Kim is looking for a new job at the brewery")
    assert again.id != told.id
