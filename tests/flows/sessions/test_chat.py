"""Chat without a model: told, asked, refused, and not known."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config, JudgeTable
from wellkept.errors import InvalidInput
from wellkept.flows.sessions.chat import _joined


@pytest.fixture
def ana(memory):
    return memory.at(user="ana", chat="dm")


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("Remember my favorite color is teal", "What's my favorite color?", "teal"),
        ("Please remember that my sister Wanjiru collects stamps", "What does my sister collect?", "stamps"),
        ("my brother-in-law Piotr is a plumber", "What does Piotr do?", "plumber"),
        ("I was born in Tbilisi", "where was I born?", "Tbilisi"),
        ("Don't forget that the spare key is under the blue pot", "where is the spare key?", "blue pot"),
        ("I've got two kids", "how many kids do I have?", "two"),
        ("My anniversary is on June 3rd", "When is my anniversary?", "June 3"),
        ("Odile broke her wrist in May", "What happened to Odile?", "wrist"),
        ("My cousin Bilal is training for a marathon", "What's my cousin up to these days?", "marathon"),
        ("Sunniva is coeliac", "Anything I should avoid baking for Sunniva?", "coeliac"),
        ("Ich bin allergisch gegen Äpfel", "Wogegen bin ich allergisch?", "Äpfel"),
        ("My aunt retired last year", "Does my aunt still work?", "No."),
        ("I'm left-handed", "Which hand do I write with?", "left-handed"),
        ("Rosalind works on a trawler", "What does Rosalind do for a living?", "trawler"),
        ("We took in a lodger. His name is Emeka.", "Who is Emeka?", "lodger"),
    ],
)
def test_told_then_asked(ana, told, asked, answer):
    assert ana.chat(told).outcomes[0].outcome == "created"
    reply = ana.chat(asked)
    assert answer in reply.text
    assert len(reply.memory_ids) == 1


@pytest.mark.parametrize(
    "asked",
    [
        "What's my favorite food?",
        "Where do I work?",
        "How old is my sister?",
        "who won the cup in 1994?",
        "What happened to Wanjiru?",
        "What does my sister avoid?",
    ],
)
def test_what_was_never_told_is_not_known(ana, asked):
    ana.chat("My favorite color is teal")
    ana.chat("My sister Wanjiru collects stamps")
    reply = ana.chat(asked)
    assert reply.text.startswith("I don't know")
    assert reply.memory_ids == ()


def test_replies_say_what_became_of_it(ana):
    assert ana.chat("My favorite color is teal").text == "I'll remember that."
    assert ana.chat("My favorite color is teal").text == "I know that already."
    assert "no longer" in ana.chat("My favorite color is gold").text
    assert "secrets" in ana.chat("my password is xK9#vv2Lq").text
    assert ana.chat("hello").outcomes == ()


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("thanks", "You're welcome."),
        ("Thank you so much!", "You're welcome."),
        ("ok bye", "Goodbye."),
        ("good morning", "Hello! Tell me something to remember, or ask me about it."),
        ("ok", "All right."),
    ],
)
def test_what_is_only_polite_is_answered_and_not_stored(ana, said, reply):
    answered = ana.chat(said)
    assert (answered.text, answered.outcomes) == (reply, ())
    assert ana.list() == ()


def test_thanks_before_a_fact_do_not_hide_it(ana):
    assert ana.chat("Thank you, my sister Ana lives in Porto").outcomes[0].outcome == "created"


@pytest.mark.parametrize(
    "said", ["Forget my shoe size", "please delete everything about Femi", "never mind", "Forget it."]
)
def test_asking_to_forget_stores_nothing(ana, said):
    assert ana.chat(said).outcomes == ()
    assert ana.list() == ()


def test_what_is_over_is_no_answer_about_now(ana):
    ana.chat("I used to live in Quito")
    ana.chat("I used to smoke")
    assert ana.chat("Where do I live?").text.startswith("I don't know")
    assert ana.chat("Do I smoke?").text == "No. You used to smoke."


@pytest.mark.parametrize(
    "said", ["I think Femi is lazy", "I can't stand Femi", "I want to fire Femi", "I don't trust Femi"]
)
def test_what_is_held_against_somebody_does_not_reach_them(memory, said):
    memory.at(user="jorge", chat="dm").chat(said)
    femi = memory.at(user="femi", chat="club", chat_type="group", participants=["jorge"], display_name="Femi")
    assert femi.list() == ()
    assert "Femi" not in str(femi.context("What does Jorge think of me?")).replace("Known people", "")


@pytest.mark.parametrize(
    ("told", "corrected", "asked", "values"),
    [
        ("My flight is on Tuesday", "no wait, it's Thursday, not Tuesday", "When is my flight?", ("Thursday", "Tue")),
        ("I grew up in Ghent", "Sorry, I meant Leuven", "Where did I grow up?", ("Leuven", "Ghent")),
        ("I'm allergic to nuts", "actually it's not nuts, it's kiwis", "What am I allergic to?", ("kiwis", "nuts")),
    ],
)
def test_a_short_correction_takes_the_place_of_what_it_corrects(ana, told, corrected, asked, values):
    right, wrong = values
    ana.chat(told)
    assert ana.chat(corrected).outcomes[0].outcome == "superseded_old"
    (left,) = ana.list()
    assert right in left.content
    assert wrong not in left.content
    assert right in ana.chat(asked).text


@pytest.mark.parametrize(
    ("told", "ended", "asked", "name"),
    [
        ("My boyfriend Ivo plays bass", "Ivo and I broke up", "Who is my boyfriend?", "Ivo"),
        ("My boss is Dolores", "She's not my boss any more", "Who is my boss?", "Dolores"),
        ("My landlord is Piotr", "My landlord is now Fatima", "Who is my landlord?", "Piotr"),
        ("My wife is Leila", "We got divorced in June", "Who is my wife?", "Leila"),
    ],
)
def test_a_relation_that_is_over_is_no_answer(ana, told, ended, asked, name):
    ana.chat(told)
    assert name in ana.chat(asked).text
    ana.chat(ended)
    assert name not in ana.chat(asked).text


@pytest.mark.parametrize(
    ("told", "ended", "asked"),
    [
        ("I'm vegan", "I'm not vegan any more", "Am I vegan?"),
        ("I play the oboe", "I don't play the oboe anymore", "Do I play the oboe?"),
        ("I work at Siemens", "I no longer work at Siemens", "Do I work at Siemens?"),
        ("I smoke", "I quit smoking two months ago", "Do I smoke?"),
    ],
)
def test_what_was_taken_back_is_answered_with_no(ana, told, ended, asked):
    assert ana.chat(asked).text == "I don't know."
    ana.chat(told)
    assert ana.chat(asked).text.startswith("Yes")
    ana.chat(ended)
    assert ana.chat(asked).text.startswith("No")


@pytest.mark.parametrize(
    ("told", "asked", "reply"),
    [
        ("I no longer smoke", "Do I still smoke?", "No. You no longer smoke."),
        ("I stopped drinking coffee", "Do I drink coffee?", "No. You stopped drinking coffee."),
        ("I stopped drinking coffee", "Do I drink tea?", "I don't know."),
        ("My brother Tariq gave up playing chess", "Does Tariq play chess?", "No. Tariq gave up playing chess."),
        ("I don't like opera any more", "Do I like opera?", "No. You don't like opera any more."),
        ("I quit the choir", "Do I go to the choir?", "No. You quit the choir."),
        ("I used to live in Oslo", "Did I ever live in Oslo?", "Yes. You used to live in Oslo."),
    ],
)
def test_what_is_said_to_be_over_is_answered_with_no(ana, told, asked, reply):
    ana.chat(told)
    assert ana.chat(asked).text == reply


@pytest.mark.reader
def test_a_remark_in_which_nothing_is_read_is_not_public(ana):
    ana.chat("Ravi smells awful")
    (kept,) = ana.list()
    assert kept.sensitivity == "personal"


def test_talk_is_not_stored(ana):
    for said in ("You are so helpful", "I love talking to you", "Tell me a joke", "If I were rich I'd buy a boat"):
        assert ana.chat(said).outcomes == ()
    assert ana.list() == ()


@pytest.mark.parametrize("said", ["", "   ", "\u200b\n"])
def test_saying_nothing_is_an_error(ana, said):
    with pytest.raises(InvalidInput) as caught:
        ana.chat(said)
    assert caught.value.code == "empty_content"


@pytest.mark.parametrize(
    ("told", "corrected", "right", "wrong"),
    [
        ("I have two brothers", "Correction: I have three brothers", "three", "two"),
        ("My dentist is Dr. Petrov", "My dentist is now Dr. Yamada", "Yamada", "Petrov"),
    ],
)
def test_a_statement_that_is_corrected_by_another_is_gone(ana, told, corrected, right, wrong):
    ana.chat(told)
    ana.chat(corrected)
    (left,) = ana.list()
    assert right in left.content
    assert wrong not in left.content
    assert "orrection" not in left.content


def test_an_answer_is_shown_where_what_it_rests_on_is(memory):
    evening = memory.at(user="ana", chat="evening")
    evening.chat("Keep this between us: my new employer is Brightwater")
    assert "Brightwater" in evening.chat("Who is my employer?").text
    for chat in ("morning", None):
        elsewhere = memory.at(user="ana", chat=chat)
        assert not [hit for hit in elsewhere.recall("Brightwater employer", threshold=0) if "Brightwater" in hit.text]
        assert "Brightwater" not in str(elsewhere.context("Where do I work now?"))


def test_an_answer_goes_with_the_memory_it_tells_again(ana):
    stored = ana.chat("My cat is called Mostarda").outcomes[0]
    assert "Mostarda" in ana.chat("What is my cat called?").text
    (hit,) = [hit for hit in ana.recall("Mostarda", threshold=0) if "Mostarda" in hit.text]
    assert hit.source == "memory"
    assert hit.quote == "My cat is called Mostarda", "its source, not what was made of it"
    ana.forget(stored.id)
    assert not [hit for hit in ana.recall("Mostarda", threshold=0) if "Mostarda" in hit.text]


def test_neither_questions_nor_replies_are_recalled_but_what_was_told_is(ana):
    ana.chat("I keep bees on my balcony")
    ana.chat("What do I keep on my balcony?")
    ana.chat("where are my bees")
    ana.chat("I met Kofi at the market, where do my bees live?")
    said = [hit.text for hit in ana.recall("bees on the balcony", sources=("messages",))]
    assert set(said) == {"I keep bees on my balcony", "I met Kofi at the market, where do my bees live?"}


def test_a_question_is_no_answer_to_itself(ana):
    asked = "Which train goes to Faro?"
    for _ in range(18):
        ana.chat(asked)
    ana.observe([{"content": "The 9:40 train goes to Faro."}])
    found = ana.recall("which train goes to Faro", threshold=0, limit=5)
    assert found.hits[0].text == "The 9:40 train goes to Faro."
    assert asked not in [hit.text for hit in ana.recall(asked, threshold=0, limit=5)]
    assert ana.recall("The 9:40 train goes to Faro.", sources=("messages",)).hits, "other words are found"


@pytest.mark.parametrize(
    ("one", "other", "asked", "answers"),
    [
        ("my cousin Bilal hates chess", "my boss Bilal loves opera", "Does {} love opera?", ("I don't know", "Yes")),
        ("Aiko from the gym hates chess", "my aunt Aiko loves opera", "Does {} love opera?", ("I don't know", "Yes")),
        ("Aiko from the gym hates chess", "Aiko from work likes chess", "Does {} like chess?", ("No", "Yes")),
    ],
)
def test_namesakes_are_told_apart_and_asked_back(ana, one, other, asked, answers):
    for said in (one, other):
        assert ana.chat(f"Remember {said}").outcomes[0].outcome == "created"
    callings = [said.split(" hates")[0].split(" loves")[0].split(" likes")[0] for said in (one, other)]
    name = "Bilal" if "Bilal" in one else "Aiko"
    assert "Which one do you mean?" in ana.chat(asked.format(name)).text
    assert tuple(ana.chat(asked.format(who)).text.split(".")[0] for who in callings) == answers


def test_where_somebody_is_known_from_may_say_more_of_one_known(ana):
    ana.chat("Remember my friend Wei plays the tuba")
    ana.chat("Remember Wei from the book club has a parrot")
    assert [person.name for person in ana.people()] == ["Wei"]


def test_whoever_goes_by_a_name_is_answered_about_theirs(memory):
    zanele = memory.at(user="zanele", chat="dm-z", display_name="Zanele")
    for said in ("My husband collects vinyl", "My husband is called Bongani", "Sencha is my favorite tea"):
        zanele.chat(said)
    assert zanele.chat("What does my husband collect?").text == "Your husband collects vinyl."
    assert zanele.chat("What does Bongani collect?").text == "Your husband collects vinyl."
    assert zanele.chat("What's my favorite tea?").text == "Sencha is your favorite tea."
    assert zanele.chat("What's my name?").text == "Your name is Zanele."


def test_a_name_that_is_a_month_is_left_alone_in_dates(memory):
    may = memory.at(user="may", chat="dm-may", display_name="May")
    may.chat("My sister gets married in May")
    assert "in May" in may.chat("When does my sister get married?").text


def test_what_a_question_tells_beside_is_learned_as_what_is_overheard(ana):
    ana.chat("I'm 31 and I live in Graz, how do I register a car?")
    assert {one.content for one in ana.list()} == {"The user is 31", "The user lives in Graz"}


def test_a_remark_that_stays_in_the_first_person_is_read_as_what_is_overheard(ana):
    told = ana.chat("we've got a dog, Burek, he stays with my mother when I'm away").outcomes
    assert [one.content for one in told] == [
        "The user has got a dog, Burek",
        "Burek stays with the user's mother when the user is away",
    ]


def test_a_joke_is_taken_back(ana):
    ana.chat("My brother Moussa is a lion tamer")
    assert ana.chat("jk, he isn't").text == "All right."
    assert not ana.list()


def test_a_greeting_in_front_is_not_kept(ana):
    (told,) = ana.chat("Bonjour! I collect thimbles.").outcomes
    assert told.content == "The user collects thimbles"


def test_chatting_is_a_session_with_all_its_summaries(store_url, clock):
    rules = Config(judge=JudgeTable(provider="rules"))
    with wellkept.open(store_url, config=rules, clock=clock, embedder="none", worker="off") as memory:
        ana = memory.at(user="ana", chat="dm")
        for number in range(20):
            ana.chat(f"My garden has {number} tulips in bed {number}.")
        state, (session,) = ana.state(), ana.sessions()
        assert (state.message_count, session.turn_count) == (20, 20)
        assert {message.session_id for message in ana.session(session.id).messages} == {session.id}
        assert {message.role for message in ana.session(session.id).messages} == {"user", "assistant"}
        clock.advance(minutes=31)
        memory.upkeep.runner.run_due()
        assert "tulips" in ana.state().rolling_summary
        assert "tulips" in ana.session(session.id).summary.one_liner
        assert len(ana.spines()) == 1
        ana.chat("Where is my garden?")
        assert [one.turn_count for one in ana.sessions()] == [1, 20]


def test_an_answer_knows_people_by_every_name_they_have(memory):
    me = memory.at(user="u", chat="dm")
    me.remember("My friend Sarah likes orchids")
    me.alias_person("Sarah", "Sally")
    assert me.chat("What does Sally like?").text == "Sarah likes orchids."
    me.rename_person("Sarah", "Sandra")
    assert me.chat("What does Sandra like?").text == "Sandra likes orchids."
    assert me.chat("What does Sally like?").text == "Sandra likes orchids."


def test_an_answer_knows_people_by_their_handle(memory):
    me = memory.at(user="u", chat="dm")
    me.remember("My friend Ben plays golf")
    me.remember("My friend @dana works at Siemens")
    for asked in ("@dana", "Dana"):
        assert me.chat(f"Where does {asked} work?").text == "Your friend @dana works at Siemens."
    assert "@dana" not in me.person("Ben").aliases


@pytest.mark.parametrize("name", ["محمد", "山田花子", "Ольга", "김민지", "Σοφία"])
def test_a_name_may_be_written_in_any_script(memory, name):
    me = memory.at(user="u", chat="dm")
    me.remember(f"My boss is {name}")
    assert me.chat("Who is my boss?").text == f"Your boss is {name}."
    assert me.person("my boss").name == name


def test_the_name_that_was_said_stands_above_the_one_that_is_shown(memory):
    me = memory.at(user="u", chat="dm", display_name="Al")
    me.chat("I like tea")
    me.chat("No, my name is Alfred")
    assert me.chat("What's my name?").text == "Your name is Alfred."
    group = memory.at(user="v", chat="g", chat_type="group", participants=["u"])
    group.chat("hello")
    assert [one.name for one in group.people()] == ["Al"], "others know the name that the application shows"


def test_a_refusal_and_a_question_are_two_sentences():
    assert _joined(["It cannot be stored", "Should I note Lyon?"]) == "It cannot be stored. Should I note Lyon?"
    assert _joined(["I'll remember that.", "I'll remember that."]) == "I'll remember that."


FOLLOW_UPS = [
    ("Remember this: Randolf is going to Tokyo in May.", "Also remember he's still going in May.", "Tokyo"),
    ("Remember that Priya is flying to Lagos in June.", "And remember she is still flying in June.", "Lagos"),
    ("My brother Tomas works at Siemens.", "Remember that he still works at Siemens.", "Siemens"),
    ("Please remember: Aunt Mei is allergic to shellfish.", "Don't forget she's allergic to shellfish.", "shellfish"),
    ("Remember that Grandma Lupe is knitting a sweater.", "Also remember she is still knitting a sweater.", "sweater"),
    ("Please remember that Ingrid is starting at Volvo in March.", "Remember she is starting in March.", "Volvo"),
    ("Remember that Kofi is moving to Accra in August.", "Remember, he's moving in August.", "Accra"),
    ("My sister Ana lives in Porto.", "She still lives there, remember that.", "Porto"),
    ("Remember that Yuki plays the cello.", "Also note that she plays the cello.", "cello"),
    ("Note that Dr. Okafor retires in December.", "And keep in mind he retires in December.", "December"),
    ("Remember that Luca's exam is on June 3.", "Also remember his exam is on June 3.", "June 3"),
]


@pytest.mark.parametrize(("first", "second", "kept"), FOLLOW_UPS, ids=[pair[2] for pair in FOLLOW_UPS])
def test_a_follow_up_is_one_memory(memory, first, second, kept):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.chat(first)
    reply = alice.chat(second)
    assert {one.outcome for one in reply.outcomes} <= {"merged", "duplicate", "updated"}
    (stored,) = alice.list()
    assert kept in stored.content


def test_somebody_else_is_somebody_else(memory):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.chat("Remember that Randolf is going to Tokyo in May.")
    alice.chat("Also remember Marta is going in May.")
    alice.chat("Also remember Randolf is going in June.")
    assert len(alice.list()) == 3


def test_a_chat_remembers_what_was_said_in_an_earlier_process(memory, store_path, clock, embedder):
    import wellkept

    memory.at(user="alice", chat="dm", display_name="Alice").chat("Remember that Randolf is going to Tokyo in May.")
    with wellkept.open(store_path, clock=clock, embedder=embedder) as again:
        alice = again.at(user="alice", chat="dm", display_name="Alice")
        alice.chat("Also remember he's allergic to peanuts.")
        assert "Randolf is allergic to peanuts" in {one.content for one in alice.list()}
        found = alice.recall("Randolf Tokyo")
        assert [hit.source for hit in found if "Tokyo" in hit.text] == ["memory"], "the message is its quote"
