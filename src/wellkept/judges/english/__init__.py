"""The rules judge: reads, compares and answers by grammar and word lists. No model, the same result every time."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Self

from wellkept.policies.words import legible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from wellkept.judges.base import Answer, Fact, Likely, Question, Reading, Verdict
    from wellkept.policies.ranking.rank_messages import AskedTime
    from wellkept.policies.summaries import Lines, Parts, Talk
    from wellkept.policies.todos import Intents
    from wellkept.types import Claim, Memory
    from wellkept.vocabulary import EventType


class TalkRules:
    """What every judge reads and sums up by rules: todos, and conversations in their own words."""

    def steady(self) -> Self:
        """The judge of sessions that are replayed: this one, which reads the same everywhere or is recorded."""
        return self

    def knows(self, new: Claim, old: Memory) -> bool:  # noqa: ARG002 -- no pair was asked about before
        """Whether a verdict on the pair is in hand, so that it may be compared although the two are not near."""
        return False

    def answering(self, question: str, texts: Sequence[str]) -> tuple[Likely, ...] | None:  # noqa: ARG002 -- by `answer`
        """How surely each text answers; rules answer as a whole."""
        return None

    def intents(self, text: str, *, now: datetime, open_todos: Sequence[str]) -> Intents:
        """What the speaker means to do, and which of their open todos the text ends."""
        from wellkept.judges.english.todos.intents import read

        return read(legible(text).text, now=now, open_todos=open_todos)

    def is_happening(self, text: str) -> bool:
        """Whether the text tells what happened or was decided, and is understood by itself."""
        from wellkept.judges.english.worth.talk import is_happening

        return is_happening(legible(text).text)

    def rolling(self, previous: str, talk: Talk) -> str:
        """The summary of a running conversation, in the user's own sentences."""
        from wellkept.policies.summaries import rolling_summary

        return rolling_summary(previous, talk)

    def session(self, talk: Talk) -> Parts:
        """What an ended session was about, in the user's own sentences."""
        from wellkept.policies.summaries import session_parts

        return session_parts(talk)

    def spine(self, candidates: Lines, *, payer: tuple[str, str | None]) -> Lines:  # noqa: ARG002 -- a model is paid for
        """The weightiest durable facts of each section, as they are stored."""
        from wellkept.policies.summaries import SPINE_LINES_MAX

        return {name: lines[:SPINE_LINES_MAX] for name, lines in candidates.items()}


# Both are asked at every turn of a governed session, where an import for each costs more than to call what it gave.
@cache
def _extractor() -> Callable[[Reading], tuple[Claim, ...]]:
    from wellkept.judges.english.bounded import extract

    return extract


@cache
def _classifier() -> Callable[[str], tuple[EventType, float]]:
    from wellkept.judges.english.worth.classify import classify

    return classify


class RulesJudge(TalkRules):
    """The default judge. Its parts load when they are first used."""

    name = "rules"

    def extract(self, reading: Reading) -> tuple[Claim, ...]:
        """The facts in the last message of the reading."""
        return _extractor()(reading)

    def classify(self, text: str) -> tuple[EventType, float]:
        """What the text does, with a confidence 0..1."""
        return _classifier()(text)

    def compare(self, new: Claim, old: Memory) -> Verdict:
        """Whether two statements say the same, contradict each other, or neither."""
        from wellkept.judges.english.compare import compare

        return compare(new, old)

    def question(self, text: str) -> Question:
        """What is asked, if anything."""
        from wellkept.judges.english.questions.mentions import mentions
        from wellkept.judges.english.questions.parse import understand

        text = legible(text).text
        found = understand(text)
        beside = tuple(one for one in mentions(text) if one not in found.about)
        return replace(found, mentions=beside) if beside else found

    def is_repair(self, text: str) -> bool:
        """Whether the text corrects something said before, which is needed to read it."""
        from wellkept.judges.english.messages.openers import unopened
        from wellkept.judges.english.messages.repairs import recognise

        text = legible(text).text
        return recognise(text) is not None or unopened(text).is_firm

    def is_brief(self, text: str) -> bool:
        """Whether the text, however short, says something that may be kept."""
        from wellkept.judges.english.messages.brief import is_brief

        return is_brief(legible(text).text)

    def is_reply(self, question: str, text: str) -> bool:
        """Whether the text answers the question with something that may be kept."""
        from wellkept.judges.english.messages.replies import is_reply

        return is_reply(legible(question).text, legible(text).text)

    def is_jest(self, text: str) -> bool:
        """Whether the text takes back what was said just before."""
        from wellkept.judges.english.messages.jests import takes_back

        return takes_back(legible(text).text)

    def is_talk(self, text: str) -> bool:
        """Whether nothing in the text could be kept."""
        from wellkept.judges.english.worth.talk import is_talk

        read = legible(text)
        # What was not read may be worth keeping.
        return not read.unread and is_talk(read.text)

    def asked_time(self, text: str, *, now: datetime) -> AskedTime:
        """The time that a question names."""
        from wellkept.judges.english.dates.asked_time import asked_time

        return asked_time(legible(text).text, now)

    def answer(self, question: Question, facts: Sequence[Fact], *, now: datetime) -> Answer:
        """An answer from the facts alone."""
        from wellkept.judges.english.questions.answers import answer

        return answer(question, facts, now=now)
