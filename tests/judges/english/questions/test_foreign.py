"""Questions in other languages: the fact that holds their words is quoted, and nothing else is."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Fact
from wellkept.judges.english.questions.answers import UNKNOWN, answer
from wellkept.judges.english.questions.parse import understand
from wellkept.types import Memory
from wellkept.vocabulary import Space

NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)


def fact(content: str) -> Fact:
    memory = Memory(
        id=hashlib.sha256(content.encode()).hexdigest()[:8], tenant="default", content=content, space=Space.USER,
        owner="u", memory_key="k", discriminator=content, created_at=NOW, observed_at=NOW, updated_at=NOW,
    )  # fmt: skip
    return Fact(memory=memory, similarity=0.5, score=0.5, subjects=("you",))


FACTS = tuple(
    fact(content)
    for content in (
        "Mi hermana vive en Sevilla", "Mi fruta favorita es el mango", "No me gusta el ajo", "Mi boda es el 3 de mayo",
        "Meine Schwester heißt Lena", "Ich wohne in Köln", "Mein Lieblingstier ist der Otter",
        "Mon fromage préféré est le comté", "J'habite à Lyon", "Il mio gatto si chiama Pallino",
        "A minha cor favorita é o roxo", "我最喜欢的水果是荔枝", "私の好きな食べ物はうどんです",
        "제 남동생은 대구에 살아요", "The user's favorite color is blue",
    )
)  # fmt: skip


def ask(text: str) -> str:
    question = understand(text)
    assert question.is_question
    return answer(question, FACTS, now=NOW).text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("¿Dónde vive mi hermana?", "Sevilla"),
        ("¿Cuál es mi fruta favorita?", "mango"),
        ("¿Cuándo es mi boda?", "3 de mayo"),
        ("Wie heißt meine Schwester?", "Lena"),
        ("Wo wohne ich?", "Köln"),
        ("Was ist mein Lieblingstier?", "Otter"),
        ("Quel est mon fromage préféré ?", "comté"),
        ("Où est-ce que j'habite ?", "Lyon"),
        ("Come si chiama il mio gatto?", "Pallino"),
        ("Qual é a minha cor favorita?", "roxo"),
        ("我最喜欢的水果是什么？", "荔枝"),
        ("私の好きな食べ物は何ですか", "うどん"),
        ("제 남동생은 어디에 살아요?", "대구"),
    ],
)
def test_the_fact_is_quoted(question, value):
    said = ask(question)
    assert value in said
    assert said.count('"') == 2


@pytest.mark.parametrize(
    "question",
    [
        "¿Dónde vive mi hermano?",
        "¿Cuál es mi color favorito?",
        "¿Cuál es su fruta favorita?",
        "¿Cuál es tu fruta favorita?",
        "¿Qué me gusta?",
        "¿Cuándo vive mi hermana?",
        "Wie heißt mein Bruder?",
        "Was ist dein Lieblingstier?",
        "Quel est mon vin préféré ?",
        "Come si chiama il mio cane?",
        "我最喜欢的颜色是什么？",
        "私の好きな映画は何ですか",
        "제 여동생은 어디에 살아요?",
    ],
)
def test_what_was_not_told_is_not_known(question):
    assert ask(question) == UNKNOWN
