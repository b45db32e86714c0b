"""The LLM judge: a chat model reads and compares, code checks all it says, and rules decide whenever it cannot.

Reads (`question`, `answer`) call no model. Nothing here imports the model's library before the first call.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import re
import threading
import weakref
from collections import defaultdict
from dataclasses import field, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, TypeVar

from wellkept.errors import ConfigError, MissingExtra
from wellkept.judges.english import RulesJudge, TalkRules
from wellkept.judges.llm.meter import Account, Meter, ProcessMeter, count
from wellkept.judges.llm.notices import Fallback, Rejected, note
from wellkept.policies.summaries import told_lines
from wellkept.policies.upkeep import pace
from wellkept.policies.upkeep.pace import TokenLimits
from wellkept.values import frozen
from wellkept.vocabulary import EventType, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from pydantic_ai.models import Model

    from wellkept.judges.base import Answer, Fact, Question, Reading, Verdict
    from wellkept.judges.llm.insights import Activity
    from wellkept.judges.llm.model import Caller, Form
    from wellkept.judges.llm.notices import Operation
    from wellkept.policies.ranking.rank_messages import AskedTime
    from wellkept.policies.summaries import Lines, Parts, Talk
    from wellkept.types import Claim, Memory, Message

WINDOW_MESSAGES_MAX = 8
MESSAGE_CHARACTERS_MAX = 2_000
SOURCE_CHARACTERS_MAX = 4_000
KNOWN_MAX = 20
SURE = 0.85
"""The rules' confidence at which a classification stands; the model is asked about the rest."""
FORM_TOKENS = 1_200
"""What the longest form takes in a prompt."""
ANSWER_TOKENS_MAX: Mapping[Operation, int] = {
    "extract": 1_500, "classify": 60, "compare": 300, "insights": 220, "rolling": 600, "session": 1_000, "spine": 2_000,
}  # fmt: skip
PAIRS_MAX = 8
"""Pairs that are compared in one prompt."""
# Whatever a model says, these speak against two texts being one fact.
_HARD_GUARDS = frozenset({"numbers", "dates", "units", "negation", "polarity"})
_UNSPENT = frozenset({"model_unavailable", "model_rate_limit", "model_credentials", "model_quota"})

Summary = TypeVar("Summary")

_log = logging.getLogger("wellkept")


@frozen
class LLMOptions:
    """Which model, how long it may take, and what it may cost."""

    model: str
    """`provider:model`, such as `openai:gpt-5-mini`, `anthropic:claude-haiku-4-5` or `ollama:qwen3`."""
    base_url: str | None = None
    timeout_seconds: float = 20.0
    """For one judgement, its repair included."""
    limits: TokenLimits = field(default_factory=TokenLimits)


class LLMJudge(TalkRules):
    """Judges by a model. Every call is within budget, holds no secret, and ends in checked claims or in rules."""

    def __init__(
        self,
        options: LLMOptions,
        *,
        clock: Callable[[], datetime],
        meter: Meter | None = None,
        model: Model | None = None,
    ) -> None:
        """`model` stands in for the one that the options name, such as the library's test models."""
        if importlib.util.find_spec("pydantic_ai") is None:
            raise MissingExtra("A model as judge needs an extra: pip install wellkept[llm]")
        provider, _, name = options.model.partition(":")
        if not provider or not name:
            raise ConfigError(f"judge.model {options.model!r} is no model: write provider:model, as in ollama:qwen3.")
        self.name = f"llm:{options.model}"
        self._options = options
        self._clock = clock
        self._meter = meter or ProcessMeter()
        self._model = model
        self._rules = RulesJudge()
        self._lock = threading.Lock()
        self._opened: Caller | None = None

    def extract(self, reading: Reading) -> tuple[Claim, ...]:
        """The facts in the last message, as far as they are well formed and evidenced; rules where that gives none."""
        ruled = self._rules.extract(reading)
        # Steps are kept as they were said, in their order: nothing there for a model to word.
        if not _is_source(reading) or any(claim.kind is Kind.PROCEDURAL for claim in ruled):
            return ruled
        window = tuple(_window(reading))
        texts = [message.content for message in window]
        if not self._may_show("extract", texts[-1:], (*texts, *reading.known, *reading.people)):
            return ruled
        from wellkept.judges.llm import claims, schema

        asked = self._ask("extract", _rows(reading, window), schema.FactsForm, (reading.tenant, reading.user))
        if asked is None:
            return ruled
        source = claims.source_of(reading, window, ruled, self._rules)
        read = claims.claims(asked.facts[: schema.FACTS_MAX], source)
        if not read and (asked.facts or reading.is_explicit):
            note(Fallback(operation="extract", reason="nothing_passed"))
            return ruled
        return read

    def classify(self, text: str) -> tuple[EventType, float]:
        """What the text does. The patterns of the contract decide where they fit; the model reads the rest."""
        kind, confidence = self._rules.classify(text)
        if confidence >= SURE or not self._may_show("classify", [text], [text]):
            return kind, confidence
        from wellkept.judges.llm.schema import ClassForm

        asked = self._ask("classify", [{"statement": text[:MESSAGE_CHARACTERS_MAX]}], ClassForm, ("default", None))
        return (kind, confidence) if asked is None else (EventType(asked.event_type), asked.confidence)

    def compare(self, new: Claim, old: Memory) -> Verdict:
        """Whether two statements are one. Asks only where the rules find nothing; other numbers are never the same.

        Takes as long as the model does: a flow asks before its transaction opens, see `ahead`.
        """
        return self._verdicts([(new, old)])[0]

    def ahead(self, pairs: Sequence[tuple[Claim, Memory]]) -> SettledJudge:
        """Compare now, for a transaction that opens later: the judge it may use inside, which calls no model."""
        verdicts = self._verdicts(pairs)
        return SettledJudge([(new, old, verdict) for (new, old), verdict in zip(pairs, verdicts, strict=True)])

    def _verdicts(self, pairs: Sequence[tuple[Claim, Memory]]) -> list[Verdict]:
        """By the rules where they find something; the rest is asked about, several pairs in one prompt."""
        ruled = [self._rules.compare(new, old) for new, old in pairs]
        asked: defaultdict[tuple[str, str | None], list[int]] = defaultdict(list)
        for row, (new, old) in enumerate(pairs):
            texts = (new.content, old.content)
            if ruled[row] == "different" and self._may_show("compare", texts, texts):
                asked[old.tenant, old.owner_user_id].append(row)
        for payer, rows in asked.items():
            for start in range(0, len(rows), PAIRS_MAX):
                for row, verdict in self._asked_about(pairs, rows[start : start + PAIRS_MAX], payer):
                    ruled[row] = verdict
        return ruled

    def _asked_about(
        self, pairs: Sequence[tuple[Claim, Memory]], rows: Sequence[int], payer: tuple[str, str | None]
    ) -> Iterator[tuple[int, Verdict]]:
        from wellkept.judges.english.compare import guards
        from wellkept.judges.llm.schema import VerdictsForm

        texts = [(pairs[row][0].content, pairs[row][1].content) for row in rows]
        shown = [{"pair": number, "new": new, "old": old} for number, (new, old) in enumerate(texts, start=1)]
        asked = self._ask("compare", shown, VerdictsForm, payer)
        for said in () if asked is None else asked.verdicts:
            if not 1 <= said.pair <= len(rows):
                continue
            if said.verdict == "same" and _HARD_GUARDS.intersection(guards(*texts[said.pair - 1])):
                note(Rejected(operation="compare", reason="guard_objects"))
            else:
                yield rows[said.pair - 1], said.verdict

    def insights(self, activity: Activity) -> tuple[Claim, ...]:
        """What lately shows of a person, one to three claims of kind insight; none when the model cannot say."""
        from wellkept.judges.llm import insights
        from wellkept.judges.llm.schema import InsightsForm

        rows, texts = insights.rows(activity), insights.texts(activity)
        if not texts or not self._may_show("insights", texts, texts):
            return ()
        asked = self._ask("insights", rows, InsightsForm, (activity.tenant, activity.user))
        return () if asked is None else insights.claims(asked.insights, activity)

    def rolling(self, previous: str, talk: Talk) -> str:
        """What is open, and the user's own words that the model chose; rules where it cannot choose."""
        from wellkept.judges.llm import summaries
        from wellkept.judges.llm.schema import RollingForm

        ruled, shown = super().rolling(previous, talk), summaries.shown(talk)
        before = told_lines(previous)
        rows = summaries.rows(shown, before)
        asked = self._summed_up("rolling", rows, RollingForm, shown, (*before, *talk.names))
        kept = None if asked is None else summaries.rolling(asked, previous, shown)
        return self._kept("rolling", kept, ruled, is_asked=asked is not None)

    def session(self, talk: Talk) -> Parts:
        """What a session was about, each line with the words it rests on; rules where the model has none."""
        from wellkept.judges.llm import summaries
        from wellkept.judges.llm.schema import SessionForm

        ruled, shown = super().session(talk), summaries.shown(talk)
        asked = self._summed_up("session", summaries.rows(shown), SessionForm, shown, talk.names)
        kept = None if asked is None else summaries.session(asked, ruled, shown)
        return self._kept("session", kept, ruled, is_asked=asked is not None)

    def spine(self, candidates: Lines, *, payer: tuple[str, str | None]) -> Lines:
        """Which durable facts stay, in the model's order, as they are or in fewer words; else the rules' choice."""
        from wellkept.judges.llm import summaries
        from wellkept.judges.llm.schema import SpineForm

        ruled = super().spine(candidates, payer=payer)
        facts = [line.text for lines in candidates.values() for line in lines]
        if not facts or not self._may_show("spine", facts, facts):
            return ruled
        asked = self._ask("spine", summaries.spine_rows(candidates), SpineForm, payer)
        kept = None if asked is None else summaries.spine(asked, candidates)
        return self._kept("spine", kept, ruled, is_asked=asked is not None)

    def _summed_up(
        self,
        operation: Operation,
        rows: Iterable[Mapping[str, object]],
        form: type[Form],
        shown: Talk,
        beside: Sequence[str],
    ) -> Form | None:
        """The form about a talk in which a user said something."""
        texts = [message.content for message in shown.messages]
        if not any(message.role == "user" for message in shown.messages):
            return None
        if not self._may_show(operation, (), (*texts, *beside)):
            return None
        return self._ask(operation, rows, form, (shown.tenant, shown.user))

    @staticmethod
    def _kept(operation: Operation, kept: Summary | None, ruled: Summary, *, is_asked: bool) -> Summary:
        if kept is None and is_asked:
            note(Fallback(operation=operation, reason="nothing_passed"))
        return ruled if kept is None else kept

    def question(self, text: str) -> Question:
        """By rules: recalls call no model unless somebody asks for it, so that a read takes milliseconds."""
        return self._rules.question(text)

    def is_repair(self, text: str) -> bool:
        """By rules, as `question` is."""
        return self._rules.is_repair(text)

    def is_brief(self, text: str) -> bool:
        """By rules, as `question` is."""
        return self._rules.is_brief(text)

    def is_reply(self, question: str, text: str) -> bool:
        """By rules, as `question` is."""
        return self._rules.is_reply(question, text)

    def is_jest(self, text: str) -> bool:
        """By rules, as `question` is."""
        return self._rules.is_jest(text)

    def is_talk(self, text: str) -> bool:
        """By rules, as `question` is."""
        return self._rules.is_talk(text)

    def asked_time(self, text: str, *, now: datetime) -> AskedTime:
        """By rules, as `question` is."""
        return self._rules.asked_time(text, now=now)

    def answer(self, question: Question, facts: Sequence[Fact], *, now: datetime) -> Answer:
        """By rules, as `question` is: an answer is made of stored sentences, and an application has its own model."""
        return self._rules.answer(question, facts, now=now)

    def check(self) -> None:
        """Make the model ready; an error says what is missing. Sends nothing."""
        self._caller()

    def close(self) -> None:
        """Close the connections, if any were opened."""
        with self._lock:
            caller, self._opened = self._opened, None
        if caller is not None:
            caller.close()

    def _may_show(self, operation: Operation, judged: Sequence[str], shown: Sequence[str]) -> bool:
        """Whether the texts may go to a model: no instruction among the judged ones, no secret in any."""
        from wellkept.judges.english.worth import traits
        from wellkept.policies.secrets import detector

        if any(traits.is_suspect(text) for text in judged):
            note(Fallback(operation=operation, reason="suspect_instruction"))
            return False
        # Together as well, for a secret may be split over two messages.
        if any(detector.has_secret(text) for text in shown) or detector.has_secret("\n".join(shown)):
            note(Fallback(operation=operation, reason="privacy_deny_sensitive"))
            return False
        return True

    def _ask(
        self,
        operation: Operation,
        rows: Iterable[Mapping[str, object]],
        form: type[Form],
        payer: tuple[str, str | None],
    ) -> Form | None:
        """The filled form, or None with a notice of why there is none. Within budget before anything is sent."""
        instructions, data = prompt(operation).text, fenced(rows)
        answer = ANSWER_TOKENS_MAX[operation]
        asking = pace.estimate_tokens(instructions, data) + FORM_TOKENS
        # A repair sends everything again, with the first answer and what was wrong with it.
        worst = 2 * asking + 3 * answer
        account = Account(tenant=payer[0], user=payer[1], day=self._clock().date())
        decision = self._meter.reserve(account, worst, self._options.limits)
        if decision.verdict == "refuse":
            note(Fallback(operation=operation, reason=decision.reason))
            return None
        from wellkept.judges.llm.model import Ask, ModelFailed

        used = 0
        try:
            ask = Ask(instructions=instructions, data=data, form=form, answer_tokens_max=answer)
            filled = self._caller().fill(ask)
            used = asking + answer if filled.tokens is None else filled.tokens
            return filled.form
        except ModelFailed as failure:
            guessed = 0 if failure.reason in _UNSPENT else asking + answer
            used = guessed if failure.tokens is None else failure.tokens
            note(Fallback(operation=operation, reason=failure.reason, is_transient=failure.is_transient))
        except (ConfigError, MissingExtra) as error:
            _log.warning("%s", error)
            note(Fallback(operation=operation, reason="model_not_configured"))
        finally:
            self._meter.settle(account, reserved=worst, used=used)
            count(used)
        return None

    def _caller(self) -> Caller:
        from wellkept.judges.llm import model as llm_model

        with self._lock:
            if self._opened is None:
                model = self._model or llm_model.build(self._options.model, self._options.base_url)
                self._opened = llm_model.Caller(model, timeout_seconds=self._options.timeout_seconds)
                # Whoever forgets to close leaves no connection open.
                weakref.finalize(self, self._opened.close)
            return self._opened


def _is_source(reading: Reading) -> bool:
    return bool(reading.messages) and reading.messages[-1].role == "user" and bool(reading.messages[-1].content.strip())


def _window(reading: Reading) -> Iterator[Message]:
    """What the model is shown: the last messages, cut, without those that try to instruct it."""
    from wellkept.judges.english.worth import traits

    *before, last = reading.messages[-WINDOW_MESSAGES_MAX:]
    for message in before:
        if message.role in ("user", "assistant") and not traits.is_suspect(message.content):
            yield replace(message, content=message.content[:MESSAGE_CHARACTERS_MAX])
    yield replace(last, content=last.content[:SOURCE_CHARACTERS_MAX])


def _rows(reading: Reading, window: Sequence[Message]) -> Iterator[dict[str, object]]:
    now = f"{reading.now:%A %Y-%m-%d}" if reading.now is not None else None
    yield {"speaker": reading.speaker, "today": now, "people": list(reading.people)}
    if reading.known:
        yield {"known": list(reading.known[:KNOWN_MAX])}
    for message in window[:-1]:
        yield {"role": message.role, "speaker": message.speaker, "text": message.content}
    yield {"role": "source", "speaker": reading.speaker or window[-1].speaker, "text": window[-1].content}


class SettledJudge(RulesJudge):
    """Knows the verdicts it was given, each for one claim and one version of a memory. Calls no model."""

    def __init__(self, verdicts: Iterable[tuple[Claim, Memory, Verdict]]) -> None:
        self._verdicts = {(new.content, old.id, old.version): verdict for new, old, verdict in verdicts}

    def compare(self, new: Claim, old: Memory) -> Verdict:
        """The verdict in hand; by rules when the memory has changed since, or was not asked about."""
        verdict = self._verdicts.get((new.content, old.id, old.version))
        return verdict if verdict is not None else super().compare(new, old)


# --- Prompts as files, and the fence around what other people wrote.


_FIRST_LINE = re.compile(r"(?P<name>\w+), prompt version (?P<version>\d+), schema version (?P<schema>\d+)")


@frozen
class Prompt:
    """Instructions of one operation, with their version and that of the form they ask for."""

    name: str
    version: int
    schema: int
    text: str


@cache
def prompt(operation: Operation) -> Prompt:
    """The prompt file of an operation, from the package."""
    file = resources.files("wellkept.judges.llm") / "prompts" / f"{operation}.md"
    first, _, text = file.read_text(encoding="utf-8").partition("\n")
    head = _FIRST_LINE.fullmatch(first)
    if head is None:
        raise ValueError(f"The first line of prompts/{operation}.md does not say its versions.")
    return Prompt(name=head["name"], version=int(head["version"]), schema=int(head["schema"]), text=text.strip())


def fenced(rows: Iterable[Mapping[str, object]]) -> str:
    """Rows of data as one JSON object a line, between two lines with a marker that none of them can hold.

    The marker is a hash of the rows: nobody can write a text that holds the hash of itself, and the same rows give
    the same prompt.
    """
    lines = [json.dumps(row, ensure_ascii=False, separators=(", ", ": ")) for row in rows]
    marker = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return "\n".join([f"data {marker} begins", *lines, f"data {marker} ends"])
