"""Answers from what was told, where the judge can say which memory or message answers a question."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.flows.read.recall import recall
from wellkept.flows.requests import RecallRequest
from wellkept.judges.english.questions.voice import to_second_person

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.judges.base import Likely
    from wellkept.types import Hit, Person, Viewpoint

READ_MAX = 8
"""Of what a recall finds, so much is asked whether it answers."""
RANK_STEP = 0.01
"""How much surer a text has to be than one that recall puts before it."""

_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i['’]\w+|me|my|mine|we|us|our)\b")


def answer(
    text: str, meant: Sequence[Person], viewpoint: Viewpoint, engine: Engine
) -> tuple[str, tuple[str, ...]] | None:
    """What is said to the question, and the memories it rests on; None when nothing surely answers it.

    `meant` are the people it is about, whom the question and what was told may call by different names.
    """
    found = recall(RecallRequest(viewpoint=viewpoint, query=text, limit=READ_MAX), engine)
    hits = [hit for hit in found.hits if hit.memory is not None or (hit.message and hit.message.role == "user")]
    shown = [views.by_one_name(_shown(hit), meant) for hit in hits]
    likely = engine.judge.answering(views.by_one_name(text, meant), shown) if hits else None
    if not likely:
        return None
    best = max(range(len(hits)), key=lambda row: likely[row].share - RANK_STEP * row)
    if not likely[best].is_sure:
        return None
    hit, view = hits[best], views.view_of(viewpoint, engine, engine.clock())
    memory = views.to_asker([hit.memory], viewpoint, view, engine)[0] if hit.memory is not None else None
    said = _said(replace(hit, memory=memory), likely[best], view.now)
    return said, (hit.id,) if memory is not None else ()


def _shown(hit: Hit) -> str:
    """A hit as the reader knows it from conversations: who said it, in their own words where they are kept."""
    quote = hit.memory.quote if hit.memory is not None else hit.text
    return hit.text if quote is None else f"{hit.stated_by or 'user'}: {quote}"


def _said(hit: Hit, likely: Likely, now: datetime) -> str:
    """A memory in the second person; what stands in somebody's own words is quoted with its day."""
    memory = hit.memory
    if memory is not None and memory.content != memory.quote and not _FIRST_PERSON.search(memory.content):
        told = to_second_person(memory.content)
        told = told if told.endswith((".", "!", "?")) else f"{told}."
    else:
        at = (memory.observed_at if memory is not None else hit.at) or now
        day = f"{at.day} {at:%B}" if at.year == now.year else f"{at.day} {at:%B %Y}"
        told = f"On {day} {hit.stated_by or 'you'} said: “{hit.text}”"
    return f"{likely.word}. {told}" if likely.word else told
