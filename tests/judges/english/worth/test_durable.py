"""What is heard and not worth a month: feelings, intentions, occasions, tasks at hand; and what is kept beside it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.types import Claim, Message
from wellkept.vocabulary import MemoryType

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def read(*said: str) -> tuple[Claim, ...]:
    messages = tuple(Message(content=text) for text in said)
    return RulesJudge().extract(Reading(messages=messages, now=NOW))


def contents(*said: str) -> list[str]:
    return [claim.content for claim in read(*said)]


@pytest.mark.parametrize(
    "text",
    [
        "I owe my neighbour about a million favours",
        # another number in a month, and what only seems
        "I've added the header to my request, can you check it?",
        "My goal is to raise the score, can you help me?",
        "So I write \\( P(A|B) \\) for that",
        "My niece has three teeth",
        "My channel has 300 subscribers",
        "My toast has 4 jokes in it so far",
        "My aunt makes the best pierogi",
        "I have a desk by now",
        "The new landlord seems nice, very into gardening",
        # what nobody means, and what two do with each other
        "I'm literally an award-winning toaster",
        "lol I am dying over here, I am dead",
        "my brain is just soup after that exam",
        "we call at ten every night",
        "Berit cried at the station",
        "I want to scream",
        "now we are five in that van",
        "my cousin is not at work today",
        "need a wedding gift idea, budget 30 euros",
        "put that on my gravestone please",
        "Our dog looks like a rug in this heat",
        "We had such a lovely time at the lake",
        "I finally took the plunge",
        "My uncle says I'm too quiet",
        "My flatmate thinks we should repaint the kitchen",
        "Our children are our future",
        "We make a great team",
        "My inbox is huge",
        "My bedside table is a suitcase",
        "I was captivated by the frescoes",
        "I can't find my passport",
        "We ended up laughing about it",
        "I've been so busy lately with everything",
        "He put a sock in it and left",
        # feelings, of oneself and of others
        "I felt so welcome, surrounded by people who listened",
        "My nephews are so excited about the half-term break",
        "I'm kinda worried about my cover letter",
        "We were captivated by it all",
        "My choir keeps me grounded and gives me courage",
        "I remember how nervous I was to open the envelope",
        "I was utterly elated",
        "Happy to help",
        "We get stronger when times are hard",
        # what is heard, undecided, or more than true
        "I've heard great things about the new tram",
        "We're still deciding on the venue",
        "They are the best neighbours ever",
        # cheers, and what is no memory though the word is said
        "Remember that staying calm is very important. Rock on!",
        "My advice is stay calm and focused",
        "Sigur Rós's music is so calming",
        "I visualize my goals and success",
        "I'm kinda anxious to get his feedback",
        "My cousins had fun exploring and playing",
        "We're part of something bigger",
        # good intentions
        "I'm going to keep using my voice to make a change",
        "I'll do my best to be a better listener",
        "I want to be strong for my family",
        # occasions without a day or a name
        "We got noodles afterwards and laughed a lot",
        "I went on a walk and took some photos",
        "I found a nice recipe online",
        # the task at hand
        "I'm having trouble understanding how joins work",
        "I need to sort this table by date, can you help me?",
        "I'm still figuring out the details",
        "I have two options here",
        "I get 3 + 4 = 8",
    ],
)
def test_what_nobody_asks_for_in_a_month_is_not_kept(text):
    assert contents(text) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We had a great time in Lisbon with Marta", "The user had a great time in Lisbon with Marta"),
        ("My cousin Ola says she is moving to Oslo", "Ola says Ola is moving to Oslo"),
        ("My dog is a beagle", "The user's dog is a beagle"),
        ("I can't eat gluten", "The user can't eat gluten"),
        ("Our kids are seven and nine", "The user's kids are seven and nine"),
        ("I look like my grandmother", "The user looks like the user's grandmother"),
        ("I'm exhausted today", "The user is exhausted today (2026-11-15)"),
        ("I felt a lump, and my doctor diagnosed a cyst", "The user's doctor diagnosed a cyst"),
        ("I'm having a vernissage next month", "The user is having a vernissage next month (2026-12)"),
        (
            "Yesterday I took the twins to the aquarium",
            "The user took the twins to the aquarium yesterday (2026-11-14)",
        ),
        ("I got a promotion", "The user got a promotion"),
        ("We hiked Ben Nevis", "The user hiked Ben Nevis"),
        ("I want to learn Welsh, can you recommend a book?", "The user wants to learn Welsh"),
        ("I'm having trouble sleeping since the accident", "The user is having trouble sleeping since the accident"),
        ("I have a team of 12", "The user has a team of 12"),
        ("My sister works nights", "The user's sister works nights"),
        ("I hate R", "The user hates R"),
        ("Remember: call Ana", "call Ana"),
        ("I got promoted at work", "The user got promoted at work"),
        ("I have a deadline of March 15, 2027", "The user has a deadline of March 15, 2027"),
    ],
)
def test_what_only_sounds_like_it_is_kept(text, kept):
    assert contents(text) == [kept]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Nadia's parents only drink tea", ["Nadia's parents only drink tea"]),
        ("Pavel's first day!", []),
        (
            "For the hike I need: boots, Ilse's map, a torch",
            ["The user needs: boots, Ilse's map, a torch for the hike"],
        ),
        ("Every evening I feed two foxes", ["The user feeds two foxes every evening"]),
        ("I got up, sold the boat, and called my mum", ["The user sold the boat"]),
        ("We bake, ski, and keep bees", ["The user keeps bees"]),
        ("Tuva is a welder, lives in Bergen", ["Tuva is a welder", "Tuva lives in Bergen"]),
        ("I live in Graz, thanks for asking", ["The user lives in Graz"]),
        ("Just wanted to let you know that I moved to Graz", ["The user moved to Graz"]),
        ("I don't eat pork by the way, never have", ["The user doesn't eat pork"]),
        ("Nothing new here, but my colleague Ivo got married", ["Ivo got married"]),
        ("I cook for people who lost their homes", ["The user cooks for people who lost homes"]),
        ("the new landlord is Herr Brandt", ["The user's new landlord is Herr Brandt"]),
    ],
)
def test_a_sentence_is_told_whole_and_without_what_hangs_on_it(text, kept):
    assert contents(text) == kept


def test_a_correction_speaks_of_whom_the_corrected_sentence_spoke():
    (claim,) = read(
        "My aunt's birthday is on 9 May.", "Greg's shop has cake", "wait no, her birthday is on 8 May, not 9 May"
    )
    assert (claim.content, claim.corrects) == ("The user's aunt's birthday is on 8 May", "9 May")


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        (("I sold my old Saab",), "saab"),
        (("where was our allotment again?", "we cancelled it last week"), "allotment"),
        (("I cancelled my trip to Oslo",), "trip to oslo"),
        (("I cancelled my appointment",), None),
        (("I want to sell my Saab",), None),
    ],
)
def test_what_is_gone_is_named_by_the_words_it_was_known_by(said, gone):
    (claim,) = read(*said)
    assert claim.corrects == gone


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Grandpa loved the Vivaldi concert", MemoryType.EVENT),
        ("I keep losing my gloves", MemoryType.CONTEXT),
        ("I currently swim a mile before I give up", MemoryType.CONTEXT),
        ("Our plumbers come on 3 March at 8 in the morning", MemoryType.EVENT),
        ("My cat hasn't left the cupboard", MemoryType.EVENT),
        ("My right knee is stiff since I fell in 2018", MemoryType.IDENTITY),
        ("I had to borrow money from my brother", MemoryType.EVENT),
    ],
)
def test_what_holds_for_a_while_has_a_short_life(text, kind):
    assert [claim.type for claim in read(text)] == [kind]


def test_a_pregnancy_ends():
    (claim,) = read("My sister Runa is pregnant")
    assert claim.expires_at is not None
    assert 270 <= (claim.expires_at - NOW).days <= 300


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I got the scholarship!", "The user got the scholarship"),
        ("I didn't get the room.", "The user didn't get the room"),
        ("Zofia got the promotion.", "Zofia got the promotion"),
        ("My sister finally got the visa.", "The user's sister finally got the visa"),
        ("I landed the contract.", "The user landed the contract"),
        ("I got into law school.", "The user got into law school"),
        ("Yusuf didn't get into the conservatory.", "Yusuf didn't get into the conservatory"),
    ],
)
def test_how_an_application_ended_is_kept(text, kept):
    assert [(claim.content, claim.slot, claim.type) for claim in read(text)] == [(kept, None, MemoryType.EVENT)]
    assert RulesJudge().is_brief(text)


@pytest.mark.parametrize(
    "text",
    ["I got the joke.", "I didn't get the question.", "I got the kids from school.", "I got the room key.",
     "I got into the car with Ana.", "We got into an argument about the car.", "I got the part for the boiler."],
)  # fmt: skip
def test_what_was_only_fetched_or_understood_is_not(text):
    assert contents(text) == []


@pytest.mark.parametrize(
    "text",
    ["Steel melts at 1500 degrees.", "The boiling point of ethanol is 78 degrees.", "Insulin was discovered in 1921.",
     "Mozart was born in 1756.", "Cervantes wrote Don Quixote around 1600.", "Photosynthesis needs sunlight.",
     "Water boils at 100 degrees.", "The Treaty was signed in 1648."],
)  # fmt: skip
def test_what_stands_in_textbooks_is_nobodys_own(text):
    assert contents(text) == []
    asked = Reading(messages=(Message(content=f"Remember that {text}"),), now=NOW)
    assert len(RulesJudge().extract(asked)) == 1


@pytest.mark.parametrize(
    "text",
    ["Mehmet was born in 1956.", "Our church was founded in 1756.", "My grandpa's farm was bought in 1890.",
     "Ngozi boils her eggs for 4 minutes.", "Emre freezes easily in winter.", "The lease was signed in 2019."],
)  # fmt: skip
def test_what_is_told_of_ones_own_world_is_kept(text):
    assert len(contents(text)) == 1
