"""The forms that a model fills in. What it leaves out or misnames has a default; what is no form at all is repaired."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from wellkept.vocabulary import EventType, MemoryType, Sensitivity

SCHEMA_VERSION = 2
"""Raised with every change of a form; the prompts say for which one they are written."""

FACTS_MAX = 20


def _one_of(allowed: type[MemoryType | EventType | Sensitivity] | tuple[str, ...], default: str) -> BeforeValidator:
    """An unknown word becomes the default, in whatever case it was written."""
    known = {str(item) for item in allowed}

    def read(value: object) -> str:
        word = str(value).strip().casefold()
        return word if word in known else default

    return BeforeValidator(read)


def _clipped(low: float, high: float) -> BeforeValidator:
    def read(value: object) -> object:
        return min(max(float(value), low), high) if isinstance(value, (int, float)) else value

    return BeforeValidator(read)


def _listed(value: object) -> object:
    """One text where a list of texts is asked for, and nothing at all, are both meant well."""
    return [value] if isinstance(value, str) else value or []


_LIFETIMES = ("preference", "identity", "relationship", "knowledge", "context", "event", "task", "observation")
_FACT_TYPES = ("fact", "preference", "relationship", "friction", "habit")
_ENTITY_TYPES = ("person", "place", "org", "project")


class _Form(BaseModel):
    model_config = ConfigDict(extra="ignore")


class FactForm(_Form):
    """One fact that the last message states."""

    content: str = Field(description="The fact in the third person, in the language of the message, one sentence.")
    quote: str = Field(description="The exact words of the last message that state it, copied character by character.")
    type: Annotated[
        Literal["preference", "identity", "relationship", "knowledge", "context", "event", "task", "observation"],
        _one_of(_LIFETIMES, "knowledge"),
    ] = "knowledge"
    event_type: Annotated[
        Literal["preference", "decision", "fact", "correction", "context"],
        _one_of(("preference", "decision", "fact", "correction", "context"), "fact"),
    ] = "fact"
    fact_type: Annotated[
        Literal["fact", "preference", "relationship", "friction", "habit"], _one_of(_FACT_TYPES, "fact")
    ] = "fact"
    entity_type: Annotated[Literal["person", "place", "org", "project"], _one_of(_ENTITY_TYPES, "person")] = "person"
    about: Annotated[list[str], BeforeValidator(_listed)] = Field(
        default=[], description='People other than the speaker, as the message names them: "my wife", "Tom".'
    )
    slot: str | None = Field(default=None, description="The slot it fills, if one of the list fits, else null.")
    value: str | None = Field(default=None, description="What fills the slot, in the words of the message.")
    ends: bool = Field(default=False, description="True when it says that something is no longer or never was so.")
    corrects: str | None = Field(default=None, description='The wrong value of "A, not B".')
    sensitivity: Annotated[Literal["public", "personal", "sensitive"], _one_of(Sensitivity, "personal")] = "personal"
    portable: bool = Field(default=True, description="False for what means nothing outside this conversation.")
    importance: Annotated[float, _clipped(0, 3)] = 1.0
    confidence: Annotated[float, _clipped(0, 1)] = 0.5


class FactsForm(_Form):
    """All facts that the last message states; an empty list when it states none."""

    facts: list[FactForm]


class ClassForm(_Form):
    """What a statement does."""

    event_type: Literal["preference", "decision", "fact", "correction", "context"]
    confidence: Annotated[float, _clipped(0, 1)] = 0.5


class VerdictForm(_Form):
    """What the two statements of a pair are to each other."""

    pair: int
    verdict: Literal["same", "contradicts", "different"]


class VerdictsForm(_Form):
    """One verdict for every pair."""

    verdicts: list[VerdictForm]


class InsightForm(_Form):
    """One observation on how a person lives, works or feels."""

    summary: str
    tags: Annotated[list[str], BeforeValidator(_listed)] = []
    importance: Annotated[float, _clipped(0, 3)] = 2.0


class InsightsForm(_Form):
    """One to three insights; an empty list when there is nothing to see."""

    insights: list[InsightForm]


class RollingForm(_Form):
    """What still matters of a conversation, in the user's own words."""

    quotes: Annotated[list[str], BeforeValidator(_listed)] = Field(
        description='Copied from a message of the user, or a whole line of "before"; the most important first.'
    )


class LineForm(_Form):
    """One line of a summary, and the words it rests on."""

    text: str = Field(description="One short sentence in the third person, at most 120 characters.")
    quote: str = Field(description="The words of one message of the user, copied character by character.")


class SessionForm(_Form):
    """What a conversation was about."""

    one_liner: LineForm | None = None
    what_mattered: list[LineForm] = []
    open_loops: list[LineForm] = []
    people: Annotated[list[str], BeforeValidator(_listed)] = []
    tone: str = ""


class ChosenForm(_Form):
    """A fact that stays, by its number."""

    number: int
    text: str = Field(default="", description="The same fact in fewer words; empty to leave it as it is.")


class SpineForm(_Form):
    """The facts that stay, the most important first."""

    facts: list[ChosenForm]
