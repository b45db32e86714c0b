"""However a text is made, the rules read a bounded part of it, and what was asked to be kept is kept."""

from __future__ import annotations

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.grammar import parser
from wellkept.types import Message

LONG = "the harbour and the market and the station and " * 20 + "that was it"


def claims(text: str, *, is_explicit: bool):
    return RulesJudge().extract(Reading(messages=(Message(content=text),), is_explicit=is_explicit, speaker="Ana"))


def test_what_is_too_long_to_be_read_is_kept_as_it_was_said():
    text = f"I live in Rome. {LONG}. I like tea."
    found = claims(text, is_explicit=True)
    assert [claim.content for claim in found] == ["Ana lives in Rome", "Ana likes tea", f"{LONG}."]
    said = [text[claim.evidence.start : claim.evidence.end].strip() for claim in found]
    assert said == ["I live in Rome", "I like tea", f"{LONG}."]


def test_what_is_only_overheard_and_too_long_teaches_nothing():
    assert [claim.content for claim in claims(f"I live in Rome. {LONG}.", is_explicit=False)] == ["Ana lives in Rome"]


def test_what_is_kept_unread_stays_between_those_who_said_it():
    (found,) = claims(f"don't tell Ravi about {LONG}", is_explicit=True)
    assert found.confidential


@pytest.mark.parametrize("token", ["n't á&#65;", "Mr. ", "a. ", "I live in Rome and I like tea, but I hate rain. "])
def test_the_rules_read_as_much_of_a_long_text_as_of_a_longer_one(token, monkeypatch):
    read, parse = [], parser._prose

    def counted(text, start, end):
        read.append(end - start)
        return parse(text, start, end)

    monkeypatch.setattr(parser, "_prose", counted)

    def characters(size: int) -> int:
        read.clear()
        parser.sentences.cache_clear()
        text = (token * size)[:size]
        judge = RulesJudge()
        judge.question(text), judge.is_talk(text), judge.is_repair(text), judge.is_jest(text)
        claims(text, is_explicit=True)
        return sum(read)

    assert characters(4_000) >= characters(64_000) - 4_000
