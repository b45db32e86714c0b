"""Which open todos a message says are done, or given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.todos import ending_words as said
from wellkept.judges.english.todos import text as todo_text
from wellkept.judges.english.todos.keys import Deed, deed_of, is_alike, lemma
from wellkept.judges.english.todos.telling import Told, telling, told_by
from wellkept.judges.english.todos.words import FIRM, IRONY, QUESTION, recurs
from wellkept.patterns import deferred
from wellkept.policies.todos import Ending

if TYPE_CHECKING:
    from collections.abc import Sequence

SCORE_MIN = 0.3
SHARE_HAD = 0.5
"""Of the things of a todo that must be named where somebody only has something now: "Abuela has her dish back"."""
SHARE_SEEN_TO = 0.6
"""Of the things of a todo that must be named where the speaker did something else about them than what was meant."""
_SEGMENT = deferred(r"[,;]\s+|\s+(?:and|but|so|because)\s+|\.\.\.+|:\s+")


def endings(sentences: Sequence[str], open_todos: Sequence[str]) -> tuple[tuple[Ending, ...], tuple[str, ...]]:
    """What is ended, and the words that are left to promise something; each todo ends once."""
    found: dict[int, Ending] = {}
    rest: list[str] = []
    deeds = [deed_of(todo) for todo in open_todos]
    for sentence in sentences:
        here, left = _of_sentence(sentence, open_todos, deeds) if deeds else ((), [sentence])
        for ending in here:
            found.setdefault(ending.which, ending)
        rest += left
    return tuple(found.values()), tuple(rest)


def _of_sentence(sentence: str, open_todos: Sequence[str], deeds: Sequence[Deed]) -> tuple[Sequence[Ending], list[str]]:
    last = len(deeds) - 1
    if sentence.rstrip().endswith("?"):
        return (), [sentence]
    if said.DISMISSED_BARE.match(sentence):
        return [Ending(effect="dismissed", which=last)], []
    if said.DONE_BARE.match(sentence):
        return [Ending(effect="done", which=last)], []
    if QUESTION.match(sentence) or IRONY.match(sentence) or said.UNREAL.search(sentence):
        return (), [sentence]
    done: dict[int, None] = {}
    left = []
    for clause in todo_text.clauses(said.TOGETHER.sub(r"we \2 with \1", sentence)):
        if (said.DONE_BARE.match(clause) or said.CHECKED.search(clause)) and (
            named := _named(sentence, deeds)
        ) is not None:
            done |= {named: None}
            continue
        here = [which for part in _segments(clause) if (which := _done(part, sentence, deeds)) is not None]
        here = [which for which in here if _is_whole(clause, open_todos[which])]
        done |= dict.fromkeys(here)
        if not here and FIRM.search(clause):
            left.append(clause)
    if done and not said.SPARED.search(sentence):
        return [Ending(effect="done", which=which) for which in done], left
    dismissed = _dismissed(sentence, deeds)
    if dismissed is not None:
        is_left = deeds[dismissed].verb in said.LEAVING and said.NO_LONGER.search(sentence) is not None
        return [Ending(effect="done" if is_left else "dismissed", which=dismissed)], []
    return (), [sentence]


def _segments(clause: str) -> list[str]:
    # A lone verb belongs to what comes after it: "found and fixed the leak".
    parts = [part for part in _SEGMENT.split(clause) if len(part.split()) > 1 or part == clause]
    return [clause] if parts == [clause] else [*parts, clause]


def _named(sentence: str, deeds: Sequence[Deed]) -> int | None:
    """The one todo that a sentence speaks of."""
    scores = [_share(telling(sentence), deed) for deed in deeds]
    best = max(scores)
    return scores.index(best) if best >= SCORE_MIN and scores.count(best) == 1 else None


def _is_whole(clause: str, todo: str) -> bool:
    """Whether all of it was done, and not half; of what is done again and again, some is enough."""
    if said.ENDING.match(todo) is not None and said.ENDED.search(clause) is None:
        return False
    return said.PARTIAL.search(clause) is None or recurs(todo)


# --- done ---


def _done(text: str, sentence: str, deeds: Sequence[Deed]) -> int | None:
    if said.UNDONE.search(text):
        return None
    told = told_by(text)
    scores = [_score(told, deed) for deed in deeds]
    if told.is_of_it or told.is_bare:
        # "The kids are home, I picked them up": what "them" is was said before.
        named = telling(sentence)
        scores = [score or _score_apart(told, named, deed) for score, deed in zip(scores, deeds, strict=True)]
        scores = [
            score + _share(named, deed) / 4 if score else score for score, deed in zip(scores, deeds, strict=True)
        ]
    best = max(scores)
    return None if best < SCORE_MIN or scores.count(best) > 1 else scores.index(best)


def _score_apart(told: Told, named: frozenset[str], deed: Deed) -> float:
    return 0.5 if told.verbs & deed.verbs and _hits(named, deed) else 0.0


def _score(told: Told, deed: Deed) -> float:
    """How surely the words tell that the deed was done; 0 when they do not."""
    hits = _hits(told.words, deed)
    share = hits / len(deed.things) if deed.things else 1.0
    is_deed = bool(told.verbs & deed.verbs) or any(is_alike(deed.verb, verb) for verb in told.verbs)
    if is_deed and (hits or not deed.things):
        return 1.0 + share / 2
    if is_deed and (told.is_of_it or told.is_lone or _is_usual(told, deed)):
        return 0.5
    is_doing = bool(told.verbs) and not told.verbs & (said.NOT_DOING - said.LIGHT_VERBS)
    if is_doing and (hits or not deed.things) and any(is_alike(deed.verb, word) for word in told.words):
        # "gave the orchids some water": the deed is named as a thing.
        return 0.9 + share / 2
    if told.verbs & said.FINISHING and hits:
        return 0.6 + share / 2
    if not hits:
        return 0.0
    return _score_of_result(told, deed, share) or _score_of_others(told, deed, share)


def _is_usual(told: Told, deed: Deed) -> bool:
    """Whether the deed was done to what it is usually done to: one packs a suitcase."""
    usual = said.STATES.get(deed.verb, frozenset())
    return any(is_alike(one, word) for one in usual for word in told.handled)


def _score_of_result(told: Told, deed: Deed, share: float) -> float:
    passive, undergone = told.passive
    if {deed.verb, deed.first} & (told.result | told.now) or (passive in deed.verbs and _hits(undergone, deed)):
        return 0.7 + share / 2
    if not _hits(told.head, deed):
        return 0.0
    states = said.STATES.get(deed.verb, frozenset())
    is_so = (
        told.now & states
        or told.result & (deed.verbs | said.FINISHED | states | deed.particles | set(deed.things))
        or any(is_alike(deed.verb, one) for one in told.result | told.now)
    )
    if is_so:
        return 0.7 + share / 2
    return 0.6 + share / 2 if told.is_had and deed.verb in said.HANDING and share > SHARE_HAD else 0.0


def _score_of_others(told: Told, deed: Deed, share: float) -> float:
    """What is told by its effect: somebody got it, it works, the speaker saw to everything it is about."""
    reached = said.PLEASING if told.is_liked else said.REACHING
    if told.receiver and _hits(told.receiver, deed) and deed.verb in reached:
        effects = said.STATES.get(deed.verb, frozenset()) | {deed.verb, deed.first}
        return 0.6 + share / 2 if share > 1 / len(deed.things) or told.words & effects else 0.0
    if (deed.verb in said.ASKING and said.AGREED.search(told.text)) or (deed.is_habit and said.SPAN.match(told.text)):
        return 0.5
    if share <= SHARE_SEEN_TO:
        is_given = said.HAS_MINE.match(told.text) is not None and deed.verb in said.GIVEN
        return 0.5 if is_given and share >= SHARE_HAD else 0.0
    if _has_come_about(told, deed):
        return 0.5
    is_seen_to = bool(told.verbs) and not told.verbs & said.NOT_DOING and _hits(told.handled, deed) > 0
    return 0.3 + share / 4 if is_seen_to or "visit" in told.verbs else 0.0


def _has_come_about(told: Told, deed: Deed) -> bool:
    """Whether what all of the deed's things are told to be can only be so when it is done."""
    text = told.text
    is_served = deed.is_served or deed.verb in said.OBTAINING | said.SERVICE or deed.first == "get"
    is_had = told.is_new or said.CAME.search(text) or said.SENT_ME.match(text) or "visit" in told.verbs
    served = said.FOR_ME.match(text)
    return bool(
        (is_served and is_had)
        or (deed.verb in said.MENDING and said.WORKS.search(text))
        or (deed.verb in said.SEEING and _hits(told.seen_by, deed))
        or (deed.verb in said.EXPERIENCED and said.WENT_WELL.match(text))
        or ("have" in told.verbs and (deed.verb in said.EXPERIENCED or deed.first == "get"))
        or (deed.verb in said.INFORMED and said.KNOWS.match(text))
        or (len(deed.things) > 1 and (said.PASSED.search(text) or said.OWN_HAD.match(text)))
        or (served is not None and is_served and lemma(served[1].casefold()) in deed.verbs)
    )


def _hits(words: frozenset[str], deed: Deed) -> int:
    return sum(any(is_alike(thing, word) for word in words) for thing in deed.things)


# --- given up ---


def _dismissed(sentence: str, deeds: Sequence[Deed]) -> int | None:
    if not any(said.DISMISSED.search(part) and not said.FOR_NOW.search(part) for part in _parts(sentence)):
        return None
    named = _named(sentence, deeds)
    if named is not None:
        return named
    is_bare = any(said.DISMISSED_BARE.match(part) for part in _parts(sentence))
    return len(deeds) - 1 if is_bare and not any(_share(telling(sentence), deed) for deed in deeds) else None


def _parts(sentence: str) -> list[str]:
    """A sentence as a whole, and where it is split, its clauses: "I can't be bothered, drop it"."""
    found = [part for part in _CUT.split(sentence) if part]
    return [sentence] if len(found) < 2 else found


_CUT = deferred(r"(?<=[,;])\s+|\s+(?=so\b)")


def _share(words: frozenset[str], deed: Deed) -> float:
    is_named = any(is_alike(verb, word) for verb in (deed.verb, deed.first) for word in words)
    return (_hits(words, deed) + is_named) / (len(deed.things) + 1)
