"""Reads what somebody means to do: commitments, habits, threads, frictions; and what they say is done or given up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.dates import times
from wellkept.judges.english.grammar.units import is_deed
from wellkept.judges.english.grammar.verbs import guess_form, verb_form
from wellkept.judges.english.todos import open_words as left_open
from wellkept.judges.english.todos import spelling
from wellkept.judges.english.todos import text as todo_text
from wellkept.judges.english.todos import words as said
from wellkept.judges.english.todos.endings import endings
from wellkept.judges.english.todos.friction import is_in_the_way, is_thwarted
from wellkept.judges.english.todos.keys import key_of
from wellkept.judges.english.todos.moves import moved
from wellkept.judges.english.worth import requests, standing
from wellkept.patterns import deferred
from wellkept.policies.todos import Intent, Intents, TodoKind
from wellkept.policies.words import clipped
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

TEXT_MAX = 160
READ_MAX = 2_000
INTENTS_MAX = 5
_BEFORE_TIME = deferred(
    r"(?:[,\s]+(?:by|on|before|at|in|until|till|this|the|for|from|around|next|sometime))*[,\s]*$", re.IGNORECASE
)
_OPENING = deferred(
    r"^(?:(?:i'd|i'm|i am|i've been|i have been|i was|we're|i|we|and|but|so|well|ok(?:ay)?|alright|yes|hmm|also|then"
    r"|because)\b[,\s]*)+",
    re.IGNORECASE,
)


_NOT_FORGET = deferred(r"^(?:not|never) forget to ", re.IGNORECASE)
_BE_DOING = deferred(r"^be (\w{3,}ing)\b", re.IGNORECASE)
_ABOUT_IT = deferred(
    r"(?:\w+ ){1,2}(?:it|that|this|them|so)|(?:(?:and|but) )?(?:(?:i|we) )?(?:haven't|have not"
    r"|not)(?: yet)? (?:decided|sure)"
    r"(?: (?:anything|yet|about it))*",
    re.IGNORECASE,
)


@frozen
class _Spoken:
    """A clause with what is known about it before its intent is read."""

    text: str
    sentence: str
    now: datetime | None
    recurs: bool
    is_dated: bool
    is_confirmed: bool

    @property
    def kind(self) -> TodoKind:
        """What an intent of this clause is, when it is firm."""
        return TodoKind.HABIT if self.recurs else TodoKind.COMMITMENT


def read(text: str, *, now: datetime | None, open_todos: Sequence[str] = ()) -> Intents:
    """The intents of a message, and which open todos it ends; a sentence that ends one promises nothing."""
    found: dict[str, Intent] = {}
    body = spelling.plain(text[:READ_MAX].strip())
    ended, rest = endings(todo_text.prose(body), open_todos)
    for sentence in rest:
        renewed = moved(sentence, open_todos, now)
        for intent in _intents(sentence, now) if renewed is None else (renewed,):
            found.setdefault(intent.key, intent)
    return Intents(new=tuple(found.values())[:INTENTS_MAX], endings=ended)


def _intents(sentence: str, now: datetime | None) -> list[Intent]:
    request = requests.recognise(sentence)
    if standing.asked(request) if request is not None else standing.orders(sentence):
        return []  # "from now on, answer briefly" is for the assistant to do
    asked = said.ASKED.match(sentence) or said.DATED_LIST.match(sentence)
    if asked is not None and requests.TO_SELF.search(sentence) and not is_deed(sentence[asked.end() :]):
        return _intents(sentence[asked.end() :].strip(), now)  # what is so is nothing to do
    if asked is not None:
        spoken = _spoken(sentence, sentence, now)
        when = " ".join(part for part in asked.groupdict().values() if part)
        made = _made(spoken.kind, f"{sentence[asked.end() :]} {when}", spoken)
        return [made] if made is not None else []
    listed = said.LISTED.match(sentence)
    if listed is not None:
        spoken = _spoken(sentence, sentence, now)
        made = _made(spoken.kind, f"{listed['what']}{listed['when']}", spoken)
        return [made] if made is not None else []
    if sentence.rstrip(" \"')").endswith("?") or said.IRONY.match(sentence):
        return []
    pieces = tuple(piece for piece in todo_text.clauses(sentence) if not said.QUESTION.match(piece))
    if said.CONFIRMED.search(sentence) is not None or is_thwarted(sentence):
        pieces = (sentence,)
    found = [intent for piece in pieces if (intent := _intent(_spoken(piece, sentence, now))) is not None]
    found = _one_friction(found)
    if len(found) > 1:
        # "…, I'll plan it" and "…, you have my word" say no more than what was said before it.
        found = [intent for intent in found if not _says_no_more(intent)] or found[:1]
    if found or len(pieces) < 2:
        return found
    whole = _intent(_spoken(sentence, sentence, now))
    return [whole] if whole is not None else []


def _says_no_more(intent: Intent) -> bool:
    is_vow = said.COUNTED_IN.search(intent.text) is not None or said.ON_DUTY.search(intent.text) is not None
    return is_vow or _ABOUT_IT.fullmatch(intent.text) is not None


def _one_friction(found: list[Intent]) -> list[Intent]:
    """What is in the way is told in several clauses, and is one matter."""
    first = next((intent for intent in found if intent.kind is TodoKind.FRICTION), None)
    return [intent for intent in found if intent.kind is not TodoKind.FRICTION or intent is first]


def _spoken(text: str, sentence: str, now: datetime | None) -> _Spoken:
    return _Spoken(
        text=text,
        sentence=sentence,
        now=now,
        recurs=said.recurs(text),
        is_dated=_is_dated(text, now),
        is_confirmed=said.CONFIRMED.search(text) is not None,
    )


def _is_dated(text: str, now: datetime | None) -> bool:
    return now is not None and any(mention.to > now for mention in times.mentions(text, now))


def _intent(spoken: _Spoken) -> Intent | None:
    text = spoken.text
    if is_in_the_way(text):
        return _made(TodoKind.FRICTION, text, spoken)
    if _is_hedged(spoken):
        return _made(TodoKind.THREAD, _OPENING.sub("", text) or text, spoken)
    if said.EPISTEMIC.search(text) or said.NEED_THING.search(text) or _is_supposed(spoken):
        return None
    return _firm(spoken) or _wished(spoken) or _planned(spoken)


def _is_supposed(spoken: _Spoken) -> bool:
    return said.SUPPOSED.search(spoken.sentence) is not None


def _is_hedged(spoken: _Spoken) -> bool:
    text = spoken.text
    if left_open.NO_HEDGE.search(text) or spoken.is_confirmed:
        return False
    if left_open.OPEN_ENDED.search(text):
        is_own = left_open.OF_SPEAKER.search(spoken.sentence) is not None
        return is_own or left_open.OF_OTHERS.search(spoken.sentence) is None
    hedge = left_open.HEDGE.search(text)
    if hedge is None:
        has_chance = said.CHANCE.search(spoken.sentence) is not None
        return has_chance and said.FIRM.search(text) is not None
    is_wish = said.WISH.search(text) is not None and left_open.VAGUE.search(text) is None
    if is_wish and (spoken.recurs or spoken.is_dated):
        return False
    following = left_open.NEXT_WORD.match(text, hedge.end())
    form = verb_form(following[1].casefold()) if following is not None else None
    if form is not None and form.forms <= {"past", "participle"} and "time" not in hedge[0]:
        # "I probably ate something bad" guesses at what was.
        return False
    is_others = said.SAID_BY_OTHERS.search(text[: hedge.start() + 1]) is not None
    # "Might take up the accordion": who leaves the subject out speaks of themself.
    is_elided = hedge.start() == 0 and left_open.VAGUE_TIME.match(text) is None
    is_own = is_elided or left_open.OF_SPEAKER.search(spoken.sentence) is not None
    return not is_others and is_own and not _is_unreal(spoken)


def _is_unreal(spoken: _Spoken) -> bool:
    return said.SUPPOSED.search(spoken.sentence) is not None and said.CHANCE.search(spoken.sentence) is None


def _firm(spoken: _Spoken) -> Intent | None:
    """What is said to be done for sure."""
    text = spoken.text
    thing = said.THING_TO_DO.search(text)
    form = verb_form(thing["verb"]) if thing is not None else None
    if thing is not None and form is not None and "base" in form.forms:  # "a ticket to Rome" is nothing to do
        return _made(spoken.kind, f"{thing['verb']} {thing['thing']}{thing['rest']}", spoken)
    marker = said.FIRM.search(text) or said.DUTY.search(text)
    if marker is None:
        return _given(spoken)
    before, rest = text[: marker.start()], text[marker.end() :]
    if said.UNSURE.search(before):
        return _made(TodoKind.THREAD, _OPENING.sub("", text) or text, spoken)
    if said.RELATIVE.search(before):
        return _made(spoken.kind, text, spoken)
    if (
        said.GUESSED.search(before)
        or said.DEPENDENT.search(before)
        or said.SAID_BY_OTHERS.search(before)
        or not rest.strip(" .!")
    ):
        return _made(spoken.kind, text, spoken) if spoken.is_confirmed else None
    is_idle = said.NOTHING_PROMISED.search(rest) is not None or said.JOURNEY.match(marker[0] + rest) is not None
    is_unreal = said.UNREAL.search(before) is not None or said.UNREAL.search(rest) is not None
    is_expected = spoken.is_dated and said.OWED.search(marker[0]) is not None
    is_pledged = spoken.recurs or is_expected or said.UNDERTAKEN.search(marker[0]) is not None
    is_entered = marker[0].endswith(" for ")
    if is_unreal or (is_idle and not (is_pledged and rest.startswith(("be ", "have "))) and not is_entered):
        return None
    return _made(spoken.kind, rest, spoken)


def _given(spoken: _Spoken) -> Intent | None:
    if said.COUNTED_IN.search(spoken.text) or (spoken.is_confirmed and not said.UNREAL.search(spoken.text)):
        return _made(spoken.kind, spoken.text, spoken)
    return None


def _wished(spoken: _Spoken) -> Intent | None:
    wish = said.WISH.search(spoken.text)
    if wish is None or said.UNREAL.search(spoken.text) or said.SAID_BY_OTHERS.search(spoken.text[: wish.start() + 1]):
        return None
    rest = spoken.text[wish.end() :]
    if spoken.recurs or spoken.is_dated or spoken.is_confirmed or said.AT_A_TIME.search(spoken.text):
        return _made(spoken.kind, rest, spoken)
    return _made(TodoKind.THREAD, rest, spoken) if said.PROJECT.match(rest) else None


def _planned(spoken: _Spoken) -> Intent | None:
    """What somebody is doing at a time to come, or from now on."""
    text = spoken.text
    if said.BYGONE.search(text) or said.UNREAL.search(text):
        return None
    is_begun = said.START.search(text) is not None or said.RULE.search(text) is not None
    if spoken.recurs and is_begun:
        return _made(TodoKind.HABIT, text, spoken)
    is_timed = spoken.is_dated or said.AT_A_TIME.search(text) is not None
    if not is_timed and not spoken.recurs:
        return None
    if said.ON_DUTY.search(text):
        return _made(spoken.kind, text, spoken)
    leaving = said.OFF_TO.search(text)
    if leaving is not None:
        return _made(spoken.kind, f"go {text[leaving.end() :]}", spoken)
    doing = said.DOING.search(text) or said.LOOSE_DOING.match(text)
    if doing is not None:
        verb = guess_form(doing["verb"].casefold()).lemma
        # "I'm taking Dutch lessons every Tuesday", not "every Sunday I'm calling Nani".
        is_so_already = not spoken.is_dated and said.recurs(text[doing.end() :])
        if is_so_already or said.SAID_BY_OTHERS.search(text[: doing.start()]):
            return None
        return _made(spoken.kind, f"{verb} {text[doing.end() :].strip()}", spoken)
    present = said.PRESENT.search(text) if spoken.is_dated else None
    form = guess_form(present["verb"].casefold()) if present is not None else None
    if present is None or form is None or "base" not in form.forms or form.lemma in said.BEING or spoken.recurs:
        return None
    return _made(TodoKind.COMMITMENT, f"{form.lemma}{text[present.end() :]}", spoken)


def _made(kind: TodoKind, phrase: str, spoken: _Spoken) -> Intent | None:
    """The intent with its own words, without the date that stands in its field."""
    now, due_at = spoken.now, None
    bare = said.CONFIRMED.sub("", phrase)
    if kind is TodoKind.COMMITMENT and now is not None:
        # Told in the past ("I promised to help on Saturday"), the deed itself still lies ahead.
        found = [one for text in (spoken.text, phrase) for one in times.mentions(text, now) if one.to > now]
        due_at = found[0].last if found else None
        bare = _undated(_bare(bare), now)
    text = bare.strip(" .,;:!-") or spoken.text.strip(" .,;:!-")
    key = key_of(text)
    if not key:
        return None
    return Intent(kind=kind, text=clipped(text[:1].upper() + text[1:], TEXT_MAX), key=key, due_at=due_at)


def _bare(phrase: str) -> str:
    """The deed as it is noted: "be cooking for twelve" is cooking, "not forget to post it" is posting."""
    told = _NOT_FORGET.sub("", phrase)
    being = _BE_DOING.match(told)
    return told if being is None else f"{guess_form(being[1].casefold()).lemma}{told[being.end() :]}"


def _undated(text: str, now: datetime) -> str:
    for mention in reversed(times.mentions(text, now)):
        before = _BEFORE_TIME.sub("", text[: mention.start])
        text = f"{before} {text[mention.end :].strip()}".replace(" ,", ",").strip()
    return text
