"""What chat leaves out and everybody understands: the subject of "got a drum set", the stop before "how can I …"."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.judges.english.dates.calendar_words import MONTHS
from wellkept.judges.english.grammar import impersonal, lexicon
from wellkept.judges.english.grammar.finite import locate
from wellkept.judges.english.grammar.parser import sentences
from wellkept.judges.english.grammar.parts import Part, Said, asks, clause_of, parts_of, subject_of
from wellkept.judges.english.grammar.tokens import tokenise
from wellkept.judges.english.messages import restated
from wellkept.judges.english.messages.left_out import ILLS, TRAITS, gives_name, introduced, is_role, left_out
from wellkept.judges.english.messages.rewording import Edit, Reworded, reword
from wellkept.judges.english.worth.soft_words import MOODS, PRAISE
from wellkept.patterns import deferred
from wellkept.values import changed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.judges.english.grammar.tokens import Token

_FACES = deferred(r"(?<=\w)\s+[:;=]['-]?[()DPp/\\|]+(?=\s+\w)|(?<=\w)\s+(?:xd|xD|:'\(|<3)(?=\s+\w)")
_FILLERS = deferred(r"(?i)(?<=\w),?\s+(?:btw|lol|lmao|haha+|tbh|imo|imho|fwiw|ngl|tho)\b(?!\s*[:?])")
_COMMENTS = deferred(
    r"(?i)(?<=\w),?\s+which(?:\s+in\s+\w+\s+\w+)?\s+(?:is|was|means?|makes?|made|sucks?|feels?)\b[^.!?;\n]*"
)


@lru_cache(maxsize=128)
def spelled_out(text: str, answer: Edit | None = None) -> Reworded:
    """The message with full stops between its statements and questions, and the subjects that were left out.

    `answer` makes a statement of its first words.

    >>> spelled_out("moved to Leeds, how do I find a GP?").text
    'I moved to Leeds. how do I find a GP?'
    >>> spelled_out("I live in Oslo, work at Equinor").text
    'I live in Oslo. I work at Equinor'
    """
    edits = [Edit(start=found.start(), end=found.end(), new=".") for found in _FACES.finditer(text)]
    for pattern in (_FILLERS, _COMMENTS):
        edits += [Edit(start=found.start(), end=found.end(), new="") for found in pattern.finditer(text)]
    edits += [*impersonal.edits(text), *restated.edits(text)]
    rest = text if answer is None else f"{'':{answer.end}}{text[answer.end :]}"
    subject: str | None = None
    for sentence in sentences(rest):
        if sentence.kind == "prose":
            made, subject = _sentence(tokenise(sentence.text, offset=sentence.start), subject)
            edits += made
    return reword(text, edits if answer is None else (answer, *edits))


def _sentence(tokens: Sequence[Token], subject: str | None) -> tuple[list[Edit], str | None]:
    """The edits of a sentence, and whom it tells of; `subject`: whom the sentence before tells of."""
    parts = list(parts_of(tokens))
    is_question = bool(tokens) and tokens[-1].text.startswith("?")
    is_trait = bool(parts) and parts[0].head is not None and parts[0].head.lower in TRAITS | ILLS
    before = Said(subject=subject if is_trait else None)
    edits: list[Edit] = []
    for number, part in enumerate(parts):
        is_last = number + 1 == len(parts)
        if asks(part):
            edits += [_stop(part.comma)] if before.is_told and part.comma is not None else []
            before = Said(is_asked=True)
            continue
        found, new = clause_of(part), None
        if found is None and before.is_open and not (is_question and len(parts) == 1):
            new = left_out(part, before.subject, is_first=number == 0) or introduced(part, before)
        is_told = found is not None or new is not None
        edits += _around(parts, number, before, is_told=is_told, is_new=new is not None)
        if new is not None:
            edits.append(_put_in(part.lead, new))
        if is_told and is_question and before.is_asked and is_last:
            edits.append(_stop(tokens[-1]))
        edits += [*_emphasis(part), *_asked_inside(part, is_question=is_question and is_last)]
        edits += [*_reasoned(parts, number), *(_dated(part) if not is_told else ())]
        if is_told:
            told = subject_of(part, found) if found is not None else before.subject
            before = Said(is_told=True, subject=told, is_name=gives_name(part) if found is not None else before.is_name)
        elif part.head is not None:
            before = changed(before, is_open=before.is_told)
    return edits, before.subject if before.is_told else None


def _stop(sign: Token) -> Edit:
    return Edit(start=sign.start, end=sign.end, new=".")


def _put_in(head: Token, new: str) -> Edit:
    """The subject before the word, which begins no sentence any more."""
    first = head.text[:1].lower() if head.tag != "name" and not head.text.isupper() else head.text[:1]
    return Edit(start=head.start, end=head.start + 1, new=f"{new} {first}")


HUNG_MAX = 4
"""Parts that may hang on a name before "he" goes on with it."""


def _around(parts: Sequence[Part], number: int, before: Said, *, is_told: bool, is_new: bool) -> Iterator[Edit]:
    """The stop for a part's comma, where something of its own begins behind it."""
    part = parts[number]
    if part.comma is None:
        return
    near = parts[max(0, number - HUNG_MAX) : number]
    spoken_of = next((one for one in reversed(near) if not _is_hung(one)), None)
    name = _named_before(spoken_of, part) if spoken_of is not None else None
    if name is not None and spoken_of is not None:
        # "and Yusuf, he is the postdoc"
        place = next((token for token in spoken_of.tokens if token.lower == "from"), None)
        if place is not None:
            yield Edit(start=place.start, end=place.start, new="is ")
        yield Edit(start=part.comma.start, end=part.tokens[part.first].end, new=f". {name}")
        return
    is_clause = is_told and not is_new and _is_hidden_clause(part)
    is_second = before.is_told and (is_new or _is_remark(part) or next(_dated(part), None) is not None)
    if is_clause or is_second or (is_told and before.is_asked):
        yield _stop(part.comma)


def _is_hung(part: Part) -> bool:
    """For "half Peruvian", "my boss": said of the name before it."""
    head = part.head
    is_kind = head is not None and head.lower in {"half", "aged", "a", "an", "my", "our", "the", "originally"}
    return (is_kind or (head is not None and head.tag in {"number", "adjective"})) and clause_of(part) is None


def _named_before(before: Part, part: Part) -> str | None:
    """The name alone before a part that goes on with "he" or "she"."""
    named = before.tokens[before.first :]
    place = next((at for at, token in enumerate(named) if at and token.lower == "from"), len(named))
    is_name = 0 < place <= 2 and all(token.tag == "name" for token in named[:place]) and len(named) - place <= 3
    is_told = part.head is not None and part.head.lower in {"he", "she"} and clause_of(part) is not None
    return " ".join(token.text for token in named[:place]) if is_name and is_told else None


_DEGREES = lexicon.words("so super very really pretty kinda quite too such total totally absolutely poor")


_ORDERS = lexicon.words("come send pray wish imagine deal guess")


def _is_remark(part: Part) -> bool:
    """For "…, super kind but answers mails at 3am": what the speaker thinks of it is no part of the fact."""
    head, after = part.head, part.after
    if head is None or clause_of(part) is not None:
        return False
    is_degree = head.lower in _DEGREES and after is not None and after.tag in {"adjective", "word", "adverb"}
    is_order = head.lower in _ORDERS or (head.lower == "do" and after is not None and after.tag == "negation")
    return is_degree or is_order or head.lower in PRAISE | MOODS | {"no"}


_BEING = lexicon.words("is are was were 's")


def _is_hidden_clause(part: Part) -> bool:
    """For "…, next shot is october 18": a subject that begins with an adjective, which no comma was seen to end."""
    head = part.head
    is_plain = head is not None and head.tag in {"adjective", "number"}
    return is_plain and any(token.lower in _BEING and token.tag == "auxiliary" for token in part.tokens[:4])


def _emphasis(part: Part) -> Iterator[Edit]:
    """The "myself" of "got myself a bike" and "I bake it all myself", which adds nobody."""
    for before, token, after in zip(part.tokens, part.tokens[1:], (*part.tokens[2:], None), strict=False):
        if token.lower not in lexicon.REFLEXIVES or before.tag not in {"word", "name", "pronoun"}:
            continue
        is_last = after is None or after.tag in {"punctuation", "coordinator"}
        is_got = before.form is not None and before.form.lemma in _GETTING  # "he calls himself the king" names him
        is_given = after is not None and after.tag in {"determiner", "number"} and is_got
        if is_given or (is_last and before.form is None):
            yield Edit(start=token.start, end=token.end, new="")


_GETTING = lexicon.words("get buy make treat find pour order cook build give bake knit sew grab fix pick choose book")


_EVENTS = lexicon.words(
    "exam exams test class lesson concert gig recital match game conference wedding flight trip appointment checkup "
    "check-up surgery interview deadline party dinner meeting therapy physio rehearsal practice defense defence viva "
    "shift race marathon tournament festival show exhibition opening workshop funeral graduation training"
)
_DAYS = lexicon.words("monday tuesday wednesday thursday friday saturday sunday tomorrow") | frozenset(MONTHS)
NAMED_WORDS_MAX = 4


def _dated(part: Part) -> Iterator[Edit]:
    """The "is" that "concert on november 8" and "JLPT N3 in december" do without."""
    tokens = [token for token in part.tokens[part.first :] if token.tag not in {"punctuation", "emoji"}]
    at = next((k for k, token in enumerate(tokens) if token.lower in {"on", "in"} or token.lower in _DAYS), None)
    if at is None or not 0 < at <= NAMED_WORDS_MAX or at + 1 > len(tokens):
        return
    day = tokens[at + 1] if tokens[at].lower in {"on", "in"} and at + 1 < len(tokens) else tokens[at]
    is_named = all(
        token.tag in {"word", "name", "number", "adjective", "possessive", "determiner"} for token in tokens[:at]
    )
    is_event = tokens[at - 1].lower in _EVENTS or (tokens[0].text.isupper() and len(tokens[0].text) > 1)
    if is_named and is_event and day.lower.removesuffix("s") in _DAYS:
        yield Edit(start=tokens[at].start, end=tokens[at].start, new="is ")


# Questions beside statements


def _asked_inside(part: Part, *, is_question: bool) -> Iterator[Edit]:
    """For "I take warfarin so is kale alright?": a stop for the word between statement and question."""
    tokens = part.tokens
    for at in range(2, len(tokens) - 2) if is_question else ():
        first, second = tokens[at + 1], tokens[at + 2]
        if tokens[at].lower not in {"so", "and", "but"} or first.tag not in {"auxiliary", "modal", "wh"}:
            continue
        is_noun = first.lower in {"is", "are", "does", "do"} and second.tag in {"word", "name"}
        is_asked = is_noun or asks(Part(tokens=tokens[at + 1 :], first=0, comma=None))
        if is_asked and locate(tokens, part.first, at) is not None:
            yield _stop(tokens[at])


_REASONS = frozenset(("since", "because", "cause", "cuz", "given", "as"))


def _reasoned(parts: Sequence[Part], number: int) -> Iterator[Edit]:
    """For "Since I'm allergic to nuts, is marzipan ok?", "As a vegan in Prague, where …": the reason is told."""
    part, following = parts[number], parts[number + 1] if number + 1 < len(parts) else None
    head, after = part.head, part.after
    if following is None or head is None or after is None or following.comma is None or head.lower not in _REASONS:
        return
    if not (asks(following) or _orders(following.head)):
        return
    is_role_told = head.lower == "as" and after.lower in {"a", "an"} and any(is_role(token) for token in part.tokens)
    if is_role_told or after.lower in {"i", "we", "my", "our"}:
        yield Edit(start=head.start, end=head.end, new="I'm" if is_role_told else "")
        yield _stop(following.comma)


def _orders(head: Token | None) -> bool:
    return head is not None and head.form is not None and "base" in head.form.forms and head.tag == "word"
