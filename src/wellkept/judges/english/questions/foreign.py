"""Questions in other languages over facts told in them: the fact that holds every word asked is quoted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from wellkept.judges.base import Answer, Fact, Question
from wellkept.judges.english.grammar import language
from wellkept.judges.english.questions import foreign_words as lists
from wellkept.judges.english.slots import foreign
from wellkept.patterns import deferred

QUOTES_MAX = 3
COVERED_MIN = 0.85
"""Of the letter pairs of a question in a script without spaces that a fact must share."""
MARGIN_MIN = 0.15
PAIRS_MIN = 2
_WORD = deferred(r"[^\W_]+")
_MARKS = deferred(r"[\W_]+")
_ASKING_END = deferred(r"(?:か|吗|嗎|呢|까|나요|니)[。.!！\s]*$")
_SPACELESS = deferred(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


def is_asking(text: str) -> bool:
    """Whether a text asks by a particle at its end, as scripts do that need no question mark."""
    return bool(_SPACELESS.search(text)) and _ASKING_END.search(text) is not None


def understand(question: str) -> Question:
    """What a question in another language asks for."""
    spoken = language.guess(question)
    slot = foreign.asked(question, spoken)
    terms = foreign.TERMS.get((spoken, slot or ""), ())
    return Question(text=question, is_question=True, slot=slot, terms=terms)


def answer(question: str, spoken: str, facts: Sequence[Fact]) -> Answer | None:
    """The facts that hold what is asked, quoted as they were told; None when no fact surely does."""
    slot = foreign.asked(question, spoken)
    if slot is not None and (own := of_slot(slot, facts)):
        return quoted(own)
    by_pairs = spoken in lists.ASKING_SIGNS
    found = _by_pairs(question, spoken, facts) if by_pairs else _by_words(question, spoken, facts)
    return quoted(found) if found else None


def of_slot(slot: str, facts: Sequence[Fact]) -> list[Fact]:
    """What the asker told in another language than English of one slot of theirs."""
    own = [fact for fact in facts if fact.memory.language not in (None, "en") and fact.memory.fact_key == slot]
    return own[:QUOTES_MAX]


def quoted(found: Sequence[Fact]) -> Answer:
    """The facts as they were told."""
    texts = dict.fromkeys(f'"{fact.memory.content.rstrip(" .。")}"' for fact in found)
    return Answer(text=" ".join(texts), memory_ids=tuple(fact.memory.id for fact in found))


def _words(text: str) -> list[str]:
    """The words as they are compared: no case, no accents, elisions apart."""
    return [_plain(word) for word in _WORD.findall(text)]


@lru_cache(maxsize=2048)
def _plain(word: str) -> str:
    apart = unicodedata.normalize("NFD", word.casefold())
    return "".join(sign for sign in apart if unicodedata.category(sign) != "Mn")


def _by_words(question: str, language: str, facts: Sequence[Fact]) -> list[Fact]:
    if language not in lists.PLAIN:
        return []
    asked = _words(question)
    people = (lists.FIRST[language] | lists.OTHERS[language]) - lists.ARTICLES.get(language, frozenset())
    plain = lists.PLAIN[language] | lists.FIRST[language] | lists.OTHERS[language] | lists.NEGATIONS
    wanted = {word for word in asked if word not in plain}
    if not wanted:
        return []
    marks = {word for word in asked if word in people}
    full: list[tuple[int, Fact]] = []
    for fact in facts:
        told = _words(fact.memory.content)
        extra = [word for word in told if word not in wanted and word not in plain]
        if wanted <= set(told) and extra and _is_same_view(asked, told, marks, lists.FIRST[language]):
            full += [(len(extra), fact)] if _gives(asked, fact.memory.content, extra) else []
    fewest = min((count for count, _ in full), default=0)
    best = [fact for count, fact in full if count <= fewest + 1]
    return best if len(best) <= QUOTES_MAX else []


def _is_same_view(asked: list[str], told: list[str], marks: set[str], first: frozenset[str]) -> bool:
    """Whether the fact speaks of whom the question speaks, and neither denies what the other states."""
    is_denied = bool(set(told) & lists.NEGATIONS) != bool(set(asked) & lists.NEGATIONS)
    own = marks & first
    is_theirs = (not own or bool(set(told) & first)) and marks - first <= set(told)
    return is_theirs and not is_denied


def _gives(asked: list[str], content: str, extra: list[str]) -> bool:
    """Whether the fact has a part of the kind that the question word wants."""
    words = set(asked)
    has_digit = any(sign.isdigit() for sign in content)
    if words & lists.WHEN:
        return has_digit or bool(set(extra) & lists.DAYS)
    if words & lists.COUNT:
        return has_digit or bool(set(_words(content)) & lists.NUMBERS)
    if words & lists.WHO:
        return any(word[:1].isupper() for word in _WORD.findall(content)[1:])
    return True


def _by_pairs(question: str, language: str, facts: Sequence[Fact]) -> list[Fact]:
    asked = _pairs(question, language)
    if len(asked) < PAIRS_MIN:
        return []
    scored: list[tuple[float, Fact]] = []
    for fact in facts:
        told = _MARKS.sub("", fact.memory.content)
        if not _is_same_side(question, fact.memory.content, language):
            continue
        scored.append((sum(pair in told for pair in asked) / len(asked), fact))
    scored.sort(key=lambda item: -item[0])
    if not scored or scored[0][0] < COVERED_MIN:
        return []
    is_alone = len(scored) == 1 or scored[0][0] - scored[1][0] >= MARGIN_MIN
    return [scored[0][1]] if is_alone else []


def _pairs(question: str, language: str) -> set[str]:
    """Letters that stand side by side in what is asked, the asking words left out."""
    found: set[str] = set()
    for piece in re.split(lists.ASKING_SIGNS[language], question.rstrip("?？。!！ ")):
        for part in _MARKS.split(piece):
            found |= {part[at : at + 2] for at in range(len(part) - 1)}
    return found


def _is_same_side(question: str, content: str, language: str) -> bool:
    denying = re.compile(lists.DENYING_SIGNS[language])
    is_denied = bool(denying.search(content)) != bool(denying.search(question))
    return not is_denied and all(sign in content for sign in lists.PERSON_SIGNS[language] if sign in question)
