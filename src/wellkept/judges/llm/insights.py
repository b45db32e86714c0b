"""Theory of mind: what goes to the model about a person's last days, and which of its insights may be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english import privacy
from wellkept.judges.english.grammar.language import guess
from wellkept.judges.llm.notices import Rejected, note
from wellkept.policies.secrets import detector
from wellkept.policies.writing import evidence, shape
from wellkept.types import Claim
from wellkept.values import frozen
from wellkept.vocabulary import EventType, Kind, MemoryType, Sensitivity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.llm.schema import InsightForm

ACTIVITIES_MAX = 5
FACTS_MAX = 3
CONVERSATION_CHARACTERS_MAX = 1_000
INSIGHTS_MAX = 3
TAGS_MAX = 5


@frozen
class Activity:
    """What a person did and said lately, newest first; more than the limits is left out."""

    person: str | None = None
    """Their name, if it is known."""
    activities: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """New semantic memories."""
    conversation: str = ""
    tenant: str = "default"
    user: str | None = None


def texts(activity: Activity) -> tuple[str, ...]:
    """Everything of it that a model would see."""
    shown = (*activity.activities[:ACTIVITIES_MAX], *activity.facts[:FACTS_MAX])
    return tuple(text for text in (*shown, activity.conversation[-CONVERSATION_CHARACTERS_MAX:]) if text.strip())


def rows(activity: Activity) -> list[dict[str, object]]:
    """The same as rows for the prompt."""
    return [
        {"person": activity.person},
        {"activity": list(activity.activities[:ACTIVITIES_MAX])},
        {"facts": list(activity.facts[:FACTS_MAX])},
        {"conversation": activity.conversation[-CONVERSATION_CHARACTERS_MAX:]},
    ]


def claims(insights: Sequence[InsightForm], activity: Activity) -> tuple[Claim, ...]:
    """The insights that are well formed and name nothing that was not there, as claims of kind insight."""
    passed = []
    for insight in insights[:INSIGHTS_MAX]:
        claim = _claim(insight, activity)
        if claim is not None:
            passed.append(claim)
    return tuple(passed)


def _claim(insight: InsightForm, activity: Activity) -> Claim | None:
    language = guess(insight.summary)
    shaped = shape.shape(shape.Draft(text=insight.summary, kind=Kind.INSIGHT, language=language))
    person = (activity.person,) if activity.person else ()
    decision = evidence.ground(shaped.text, evidence.Grounds(window=texts(activity), viewpoint=person))
    fault = None
    if shaped.verdict == "refuse":
        fault = shaped.reason
    elif privacy.is_suspect(shaped.text):
        fault = "suspect_instruction"
    elif detector.has_secret(shaped.text):
        fault = "privacy_deny_sensitive"
    elif decision.verdict == "refuse":
        fault = decision.reason
    if fault is not None:
        note(Rejected(operation="insights", reason=fault))
        return None
    # What is concluded of somebody is never for everybody, even where each fact was.
    found = privacy.sensitivity_of(" ".join((shaped.text, *texts(activity))))
    return Claim(
        content=shaped.text,
        language=language,
        type=MemoryType.INSIGHT,
        kind=Kind.INSIGHT,
        event_type=EventType.CONTEXT,
        category="relationship_dynamic",
        tags=tuple(tag.strip().casefold() for tag in insight.tags if tag.strip())[:TAGS_MAX],
        importance=2.0,
        sensitivity=found if found is Sensitivity.SENSITIVE else Sensitivity.PERSONAL,
    )
