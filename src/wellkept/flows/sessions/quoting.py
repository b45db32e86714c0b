"""Answers from what was told, where the judge can say which memory or message answers a question."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.flows.read.recall import recall
from wellkept.flows.requests import RecallRequest
from wellkept.judges.english.questions.voice import to_second_person
from wellkept.policies.ranking.answering import AnswerOptions, choose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility.memories import View
    from wellkept.types import Hit, Person, Viewpoint

READ_MAX = 8
"""Of what a recall finds, so much is asked whether it answers."""
OPTIONS = AnswerOptions()

_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i['’]\w+|me|my|mine|we|us|our)\b")


def answer(
    text: str, meant: Sequence[Person], viewpoint: Viewpoint, engine: Engine
) -> tuple[str, tuple[str, ...]] | None:
    """What is said to the question, and the memories it rests on; None when nothing surely answers it.

    `meant` are the people it is about, whom the question and what was told may call by different names.
    """
    found = recall(RecallRequest(viewpoint=viewpoint, query=text, limit=READ_MAX, threshold=0.0), engine)
    hits = [hit for hit in found.hits if hit.memory is not None or (hit.message and hit.message.role == "user")]
    shown = [views.by_one_name(_shown(hit), meant) for hit in hits]
    likely = engine.judge.answering(views.by_one_name(text, meant), shown) if hits else None
    if not likely:
        return None
    chosen = choose([one.share for one in likely], OPTIONS)
    if not chosen:
        return None
    view = views.view_of(viewpoint, engine, engine.clock())
    best = [_to_asker(hits[one.row], viewpoint, view, engine) for one in chosen]
    # A fact that can be retold surely is the whole answer; of what was said, two messages may tell it.
    told = best if _is_quoted(best[0]) else best[:1]
    word = likely[chosen[0].row].word
    said = " ".join(_said(hit, view.now) for hit in told)
    return f"{word}. {said}" if word else said, tuple(hit.id for hit in told if hit.memory is not None)


def _to_asker(hit: Hit, viewpoint: Viewpoint, view: View, engine: Engine) -> Hit:
    if hit.memory is None:
        return hit
    return replace(hit, memory=views.to_asker([hit.memory], viewpoint, view, engine)[0])


def _shown(hit: Hit) -> str:
    """A hit as the reader knows it from conversations: who said it, in their own words where they are kept."""
    quote = hit.memory.quote if hit.memory is not None else hit.text
    return hit.text if quote is None else f"{hit.stated_by or 'user'}: {quote}"


def _is_quoted(hit: Hit) -> bool:
    """Whether it stands in somebody's own words, and is told as such."""
    memory = hit.memory
    return memory is None or memory.content == memory.quote or _FIRST_PERSON.search(memory.content) is not None


def _said(hit: Hit, now: datetime) -> str:
    """A memory in the second person; what stands in somebody's own words is quoted with its day."""
    memory = hit.memory
    if memory is None or _is_quoted(hit):
        at = (memory.observed_at if memory is not None else hit.at) or now
        day = f"{at.day} {at:%B}" if at.year == now.year else f"{at.day} {at:%B %Y}"
        return f"On {day} {hit.stated_by or 'you'} said: “{hit.text}”"
    told = to_second_person(memory.content)
    return told if told.endswith((".", "!", "?")) else f"{told}."
