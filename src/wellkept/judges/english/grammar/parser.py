"""A shallow parser of English messages: sentences, clauses, who does what to whom, questions with their gap."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from wellkept.judges.english.grammar import clauses, lexicon
from wellkept.judges.english.grammar.clauses import Clause, ClauseType, Phrase, Verb
from wellkept.judges.english.grammar.nouns import Noun
from wellkept.judges.english.grammar.tokens import Token, tokenise
from wellkept.patterns import deferred
from wellkept.policies.writing.shape import is_day_of_month
from wellkept.values import changed, frozen

__all__ = ["Clause", "ClauseType", "Noun", "Phrase", "Sentence", "Token", "Verb", "parse", "sentences"]


@frozen
class Sentence:
    """A stretch of the message that stands for itself: a sentence, a list item, a quoted line or a block of code."""

    text: str
    start: int
    end: int
    kind: Literal["prose", "quote", "code"] = "prose"


TOKENS_MAX = 150
"""Words and signs that are read as one sentence; a longer one is cut, so that time grows with length alone."""

_FENCE = deferred(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_END = deferred(
    r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+(?=\s+[A-Z])|[.!?…]+[\"'”’)]*(?=\s|$)|\n+"
    r"|(?<=[^\x00-\x7F])[。！？]+"
)
_ASCII_END = deferred(r"[.!?\n](?:(?<=\n)\n*|(?<!\n)[.!?]*[\"')]*(?=\s|$))")
"""The same for a text of ASCII, whose signs are found without a try at each letter."""
_ABBREVIATION = deferred(
    r"(?i)(?:\b(?:dr|mr|mrs|ms|prof|st|jr|sr|vs|etc|e\.g|i\.e|approx|no|fig|inc|ltd|corp|mt|ave|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)|\b[A-Za-z]|\b[ap]\.m)$"
)
_BULLET = deferred(r"\s*(?:[-*•‣]\s+|\(?\d{1,2}[.)]\s+|[a-z]\)\s+|\[[ xX]?\]\s+)")
_CODE_LINE = deferred(
    r"^\s*(?:import [\w.]+(?: as \w+)?$|from [\w.]+ import \w+)|"
    r"^\s*(?:(?:def|class|import|from|return|const|let|var|function|public|private|static|#include|package"
    r"|use)\b.*[(){};=:]"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\b.*\b(?:FROM|INTO|SET|TABLE|WHERE)\b|\$ \w+|>>> |[{}]\s*;?$"
    r"|</?\w+[^>]*>|Traceback |File \".*\", line|at \w+(?:\.\w+)+\(|\w+(?:\.\w+)*\([^)]*\)\s*[;{:]?$"
    r"|[\w.\[\]]+ [+*/-]?= \S+.*[;(\[{]"
    r"|git \w+|npm \w+|pip install|docker \w+|kubectl \w+|sudo \w+|(?:if|for|while) ?\(.*\) ?\{?$"
    r"|\w+ = [\w\"'\[({].*[\])}\"';]$)"
)


@lru_cache(maxsize=512)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message in order, with their places; bullets are left out of the range."""
    found: list[Sentence] = []
    at = 0
    for fence in _FENCE.finditer(text) if "```" in text or "~~~" in text else ():
        found += _prose(text, at, fence.start())
        found.append(Sentence(text=fence.group(), start=fence.start(), end=fence.end(), kind="code"))
        at = fence.end()
    found += _prose(text, at, len(text))
    return tuple(found)


def _prose(text: str, start: int, end: int) -> list[Sentence]:
    out: list[Sentence | None] = []
    at = start
    for match in (_ASCII_END if text.isascii() else _END).finditer(text, start, end):
        sign, stop = match.group(), match.end()
        if sign == "." and _is_abbreviation(text, at, match.start(), stop, end):
            continue
        out.append(_sentence(text, at, match.start() if sign[0] == "\n" else stop))
        at = stop
    if at < end:
        out.append(_sentence(text, at, end))
    return [sentence for sentence in out if sentence is not None]


def _is_abbreviation(text: str, at: int, dot: int, after: int, end: int) -> bool:
    if _BULLET.fullmatch(text[at:after] + " ") or text[at:dot].strip().isdigit():
        return True
    if is_day_of_month(text, dot):
        return True
    if _ABBREVIATION.search(text[at:dot]) is None:
        return False
    following = text[after:end].lstrip()
    # "at 9 a.m. I …" ends a sentence only before a capital that is not a name's.
    return bool(following) and not (text[at:dot].lower().endswith((".m", "etc")) and following[:2] in {"I ", "I'"})


def _sentence(text: str, start: int, end: int) -> Sentence | None:
    bullet = _BULLET.match(text, start, end)
    if bullet is not None:
        start = bullet.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return None
    body = text[start:end]
    first = body[0]
    kind: Literal["prose", "quote", "code"] = "prose"
    if (first == "[" and body.rstrip(".!?").endswith("]")) or first == ">":
        kind = "quote"
    elif _CODE_LINE.match(body) is not None or (first == "`" and body.rstrip(".!?").endswith("`")):
        kind = "code"
    elif first in '"“«' and len(body) > 2 and body.rstrip(".!?")[-1] in '"”»':
        kind = "quote"
    return Sentence(text=body, start=start, end=end, kind=kind)


@lru_cache(maxsize=512)
def parse(text: str) -> tuple[Clause, ...]:
    """The clauses of a message in order. Places are character offsets into `text`."""
    out: list[Clause] = []
    for number, sentence in enumerate(sentences(text)):
        if sentence.kind != "prose":
            out.append(
                Clause(text=sentence.text, start=sentence.start, end=sentence.end, sentence=number, type=sentence.kind)
            )
            continue
        tokens = tokenise(sentence.text, offset=sentence.start)
        for begin in range(0, len(tokens), TOKENS_MAX):
            out.extend(sentence_clauses(text, tokens[begin : begin + TOKENS_MAX], number))
    return tuple(out)


def sentence_clauses(text: str, tokens: tuple[Token, ...], number: int) -> list[Clause]:
    """The clauses of one sentence's words; a subject that is left out is that of the clause before."""
    out: list[Clause] = []
    is_question = _asks(tokens)
    pieces = clauses.split(tokens)
    for begin, end in pieces:
        clause = clauses.read(text, tokens[begin:end], number, is_question=is_question and end == len(tokens))
        if clause is None or (tokens[end - 1].text == ":" and end < len(tokens)):
            continue  # "Some background: I'm …": a heading states nothing
        if is_question and clause.is_elided:
            # "Got time to rehearse?" asks, though its subject is missing.
            clause = changed(clause, type="question")
        is_away = tokens[begin].text == "," and begin + 1 < end and clauses.turns_away(tokens, begin + 1)
        leader = None if is_away or clause.subject is not None else _leader(clause, tokens[begin], out)
        if leader is not None:
            out.append(_sharing(changed(clause, type="declarative"), leader))
            continue
        if clause.subject is None and clause.is_elided and out and _follows(clause, out[-1]):
            if _is_second_adjective(clause, out[-1]):
                continue
            clause = _sharing(clause, out[-1])
        out.append(clause)
    return out


def _follows(clause: Clause, before: Clause) -> bool:
    """Whether a clause without a subject has that of the statement before."""
    if before.subject is None or before.type != "declarative":
        return False
    is_third = clause.verb is not None and clause.verb.form.endswith("s") and before.subject.pronoun != "i"
    return is_third or clause.conjunction in {"and", "but", "or", "then"}


def _leader(clause: Clause, first: Token, before: list[Clause]) -> Clause | None:
    """The clause whose subject a verb in a list has: the "hike" and "play chess" of "We cook, hike, and play chess"."""
    if clause.verb is None:
        return None
    told = [one for one in before if not (one.type == "fragment" and len(one.tokens) == 1)]
    if not told or told[-1].subject is None or told[-1].type != "declarative":
        return None
    is_in_list = len(told) < len(before) or (told[-1].is_shared and told[-1].conjunction is None)
    is_later = first.lower in {"and", "or"} and is_in_list
    subject = told[-1].subject
    is_several = subject.is_plural or bool(subject.parts) or subject.pronoun in {"i", "we", "you", "they"}
    is_bare = clause.is_elided or (clause.type == "imperative" and is_several)
    return told[-1] if is_bare and (first.text == "," or is_later) else None


def _is_second_adjective(clause: Clause, before: Clause) -> bool:
    """For "she's so driven and dedicated": what she is, not what she did."""
    verb, told = clause.verb, before.verb
    is_bare = verb is not None and verb.form.endswith("ed") and verb.text.casefold() == verb.form
    is_state = told is not None and told.lemma == "be" and before.complement is not None
    return is_bare and is_state and not clause.rest.strip(" .!")


_UNDERGONE = lexicon.words(
    "raise educate diagnose hire fire promote baptize baptise adopt base elect nominate appoint train award injure"
)


def _sharing(clause: Clause, before: Clause) -> Clause:
    """The clause with the subject of the one before; "born in Accra and raised in Kumasi" shares its "was" too."""
    clause = changed(clause, subject=before.subject, is_elided=False, is_shared=True)
    verb, told = clause.verb, before.verb
    if verb is None or told is None or verb.lemma not in _UNDERGONE or clause.object is not None:
        return clause
    is_undergone = told.is_passive or (told.lemma == "be" and told.form in lexicon.BE_FORMS)
    if not is_undergone or verb.text.casefold() != verb.form or verb.is_passive:
        return clause
    first = before.auxiliary or told.text.split(" ")[0]
    return changed(clause, verb=changed(verb, is_passive=True, tense=told.tense), auxiliary=first)


def _asks(tokens: tuple[Token, ...]) -> bool:
    """Whether the sentence ends in a question mark, emoji and quotes apart."""
    for token in reversed(tokens):
        if token.tag == "punctuation":
            if "?" in token.text:
                return True
            continue
        if token.tag != "emoji":
            return False
    return False


def is_conditional(clause: Clause) -> bool:
    """Whether the clause only supposes something ("if I lived in Paris")."""
    return clause.conjunction in lexicon.CONDITIONALS
