"""Facts of the speaker in other languages: what fills a slot takes the place of what filled it before."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.judges.english.grammar import language
from wellkept.judges.english.people import relations
from wellkept.judges.english.slots import foreign

MOVES = {
    "de": ("Ich wohne seit Mai in Graz", "Ich bin nach Linz gezogen", "Wo wohne ich?", "Linz"),
    "es": ("Vivo en San Sebastián", "Me mudé a Cádiz", "¿Dónde vivo ahora?", "Cádiz"),
    "fr": ("J'habite à Aix-en-Provence", "Nous avons déménagé à Lyon", "Où est-ce que j'habite ?", "Lyon"),
    "it": ("Abito a Bari", "Mi sono trasferita a Torino", "Dove abito?", "Torino"),
    "pt": ("Moro em São Paulo", "Me mudei para o Porto", "Onde eu moro?", "Porto"),
    "nl": ("Ik woon in Den Haag", "Ik ben naar Gent verhuisd", "Waar woon ik?", "Gent"),
}


@pytest.fixture
def memory(tmp_path, clock):
    with wellkept.open(tmp_path / "memory.db", clock=clock, embedder="none", worker="off") as opened:
        yield opened


def test_relatives_are_those_that_english_has():
    assert {one for kin in foreign._KIN.values() for one in kin.values()} <= set(relations.CANONICAL)


@pytest.mark.parametrize("code", MOVES)
def test_whoever_moves_lives_in_one_place(memory, code):
    before, now, asked, city = MOVES[code]
    viewpoint = memory.at(user=code, chat=f"dm-{code}")
    viewpoint.chat(before)
    viewpoint.chat(now)
    assert [one.content for one in viewpoint.list()] == [now]
    for question in (asked, "Where do I live?"):
        assert city in viewpoint.chat(question).text


@pytest.mark.parametrize(
    ("code", "text", "slot", "value"),
    [
        ("de", "Mein Lieblingsessen ist Sushi", "favorite:essen", "sushi"),
        ("de", "Ich arbeite bei der Deutschen Bahn", "employer", "deutschen bahn"),
        ("de", "Meine neue Nummer ist 0660 123456", "phone", "0660 123456"),
        ("es", "Mi cumpleaños es el 4 de julio", "birthday", "4 de julio"),
        ("fr", "Je travaille chez Airbus", "employer", "airbus"),
        ("fr", "Ma couleur préférée est le vert", "favorite:couleur", "le vert"),
        ("it", "Il mio compleanno è il 2 giugno", "birthday", "2 giugno"),
        ("pt", "Trabalho na Petrobras", "employer", "petrobras"),
        ("nl", "Mijn lievelingskleur is blauw", "favorite:kleur", "blauw"),
    ],
)
def test_a_sentence_fills_a_slot(code, text, slot, value):
    filled = foreign.told(text, code)
    assert language.guess(text) == code
    assert filled is not None
    assert (filled.slot.name, filled.slot.value) == (slot, value)


@pytest.mark.parametrize(
    "said",
    ["Meine Schwester heißt Annika", "Mi hermana se llama Annika", "Ma sœur s'appelle Annika", "Mijn zus heet Annika"],
)
def test_a_relative_is_the_same_in_every_language(memory, said):
    viewpoint = memory.at(user="u", chat="dm")
    viewpoint.chat(said)
    assert [(person.name, person.relation) for person in viewpoint.people()] == [("Annika", "sister")]
    assert viewpoint.chat("What's my sister's name?").text == "Your sister's name is Annika."


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Mein Bruder wohnt in Graz"),
        ("de", "Ich würde gern nach Linz ziehen"),
        ("es", "Mi hermano vive en Cádiz"),
        ("fr", "Je voudrais habiter à Lyon"),
        ("nl", "Ik zou in Gent willen wonen"),
    ],
)
def test_a_wish_and_somebody_elses_home_fill_nothing(code, text):
    assert foreign.told(text, code) is None


def test_what_is_overheard_is_kept_where_it_fills_a_slot(memory):
    viewpoint = memory.at(user="u", chat="dm")
    viewpoint.observe([{"content": "Hola! Por cierto, vivo en Granada desde marzo."}], wait=True)
    viewpoint.observe([{"content": "¡Qué calor hace hoy en esta ciudad, por favor!"}], wait=True)
    assert [one.value for one in viewpoint.list()] == ["granada"]


def test_a_word_that_english_took_over_is_english():
    assert language.guess("We met at a café near the old façade") == "en"
    assert language.guess("My sister Zoë lives in Málaga") == "en"


def test_a_message_of_several_sentences_keeps_the_others_when_one_is_overtaken(memory):
    viewpoint = memory.at(user="u", chat="dm")
    viewpoint.chat("Ich wohne in Graz. Mein Hund Bello ist sieben Jahre alt.")
    viewpoint.chat("Ich bin nach Linz gezogen")
    told = {one.content.rstrip(".") for one in viewpoint.list()}
    assert told == {"Ich bin nach Linz gezogen", "Mein Hund Bello ist sieben Jahre alt"}


def test_a_sentence_that_tells_more_is_not_overtaken(memory):
    viewpoint = memory.at(user="u", chat="dm")
    viewpoint.chat("Vivo en Sevilla y tengo una panadería con mi hermana desde hace diez años")
    viewpoint.chat("Me mudé a Cádiz")
    assert len(viewpoint.list()) == 2


def test_a_day_is_not_cut_off_from_its_month(memory):
    viewpoint = memory.at(user="de", chat="dm")
    viewpoint.chat("Mein Geburtstag ist am 3. Mai. Ich wohne in Linz.")
    assert {one.content for one in viewpoint.list()} == {"Mein Geburtstag ist am 3. Mai.", "Ich wohne in Linz."}
