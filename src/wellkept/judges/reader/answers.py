"""What is said to a question when the reader has found the memory that answers it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wellkept.judges.base import Answer
from wellkept.judges.english.questions.voice import to_second_person

if TYPE_CHECKING:
    from wellkept.judges.base import Fact, Question

    Found = Mapping[str, Mapping[str, float]]

_YES_NO = re.compile(
    r"(?i)^\W*(?:do|does|did|am|is|are|was|were|have|has|had|can|could|will|would|should|don['’]t|isn['’]t|aren['’]t)\b"
)
_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i['’]\w+|me|my|mine|we|us|our)\b")


def told(
    question: Question, facts: Sequence[Fact], found: Sequence[Found], thresholds: Mapping[str, float]
) -> Answer | None:
    """The best memory above the threshold, said to the asker; None when no memory answers."""
    best = max(range(len(facts)), key=lambda row: found[row]["answers"]["yes"] + 0.1 * facts[row].similarity)
    if found[best]["answers"]["yes"] < thresholds.get("answers", 0.7):
        return None
    said = _said(facts[best])
    if _YES_NO.match(question.text):
        verdict = found[best]["verdict"]
        word = max(verdict.items(), key=lambda item: item[1])[0]
        if word == "unsaid" or verdict[word] < thresholds.get("verdict", 0.5):
            return None
        said = f"{word.capitalize()}. {said}"
    return Answer(text=said, memory_ids=(facts[best].memory.id,))


def _said(fact: Fact) -> str:
    """A memory in the second person; what is kept in somebody's own words is quoted with its day."""
    memory = fact.memory
    if memory.content != memory.quote and not _FIRST_PERSON.search(memory.content):
        return to_second_person(memory.content)
    is_own = not fact.subjects or "you" in [name.casefold() for name in fact.subjects]
    day = f"{memory.observed_at:%-d %B %Y}"
    who = "you said" if is_own else "it was said"
    return f"On {day} {who}: “{memory.content}”"
