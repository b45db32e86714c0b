"""What somebody went through or is about: answers that share no word with their question."""

from __future__ import annotations

from collections.abc import Sequence

from wellkept.judges.base import Fact
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.questions.bonds import is_about
from wellkept.judges.english.questions.frames import Frame, frames
from wellkept.judges.english.questions.matching import Match, Setting, is_whole
from wellkept.vocabulary import MemoryType

NEWS_MAX = 2
_BEING = lexicon.words("be have live know like love hate want need speak own")
"""What is so, and did not happen."""
_BUSY = lexicon.words("study train learn prepare work teach practise practice write build run attend")


def news(setting: Setting, facts: Sequence[Fact]) -> list[Match]:
    """The latest of what happened to the one asked about, or of what they do; what goes on right now comes first."""
    found: list[tuple[int, Match]] = []
    for place, fact in enumerate(facts):
        for text, frame in frames(fact.memory.content):
            if not is_whole(frame) or not is_about(setting.asked.holder, frame, fact, known=setting.known):
                continue
            rank = _happened(frame, fact) if setting.asked.kind == "happened" else _goes_on(frame, fact)
            if rank is not None:
                found.append((rank, Match(fact=fact, text=text, frame=frame, order=(rank, 0, place))))
    first = min((rank for rank, _ in found), default=0)
    near = [match for rank, match in found if rank == first]
    near.sort(key=lambda match: match.fact.memory.observed_at, reverse=True)
    return near[:NEWS_MAX]


def _happened(frame: Frame, fact: Fact) -> int | None:
    verb = frame.clause.verb
    if verb is None or verb.is_negative or verb.modal is not None:
        return None
    is_done = verb.tense == "past" or verb.aspect == "perfect"
    if not is_done or (verb.lemma in _BEING and not verb.is_passive):
        return None
    return 0 if fact.memory.type is MemoryType.EVENT else 1


def _goes_on(frame: Frame, fact: Fact) -> int | None:
    verb = frame.clause.verb
    if verb is None or verb.is_negative or verb.tense == "past":
        return None
    if verb.aspect == "progressive" or fact.memory.type is MemoryType.CONTEXT:
        return 0
    slot = (fact.memory.fact_key or "").rsplit(":", 1)[-1]
    return 1 if verb.lemma in _BUSY or slot in {"job", "employer", "school"} else None
