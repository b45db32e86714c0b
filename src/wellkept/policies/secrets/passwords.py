"""Finds what a sentence announces as secret: passwords in many languages, then keys, logins and answers.

First the value after the words: a credential, a quotation, plain words, or only a description of it. Then what
announces it in English and its neighbours, and PINs, keys and passwords by the words of other languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from wellkept.patterns import Patterns
from wellkept.policies.secrets.forms import (
    Form,
    Said,
    SecretSpan,
    forms_in,
    is_credential,
    is_function_word,
    is_hex,
    is_key_like,
    is_placeholder,
    is_predicate,
    is_random,
    is_uuid,
    word_list,
)

_RE: Final = Patterns("secrets/passwords.txt", words="secrets/vocabulary.txt")

# --- The value.


_QUOTES: Final = {
    '"': '"', "'": "'", "`": "`", "“": "”", "„": "“”", "«": "»", "‘": "’", "「": "」", "『": "』", "”": "”",
}  # fmt: skip
_QUOTED_LENGTH_MAX: Final = 120
# A word is judged by its beginning; the span still ends where the word does.
_TOKEN_READ: Final = 400
_TRAILING: Final = ".,;:'\")]}?”»’"
# "is 12 characters long" counts, "is 4471" tells.
DIGITS_MIN: Final = 4
# A passphrase of four words may open with "like" or "very"; a description is mostly such words.
_CONTENT_SHARE_MIN: Final = 0.7
_WORDS_READ: Final = 6
_PHRASE_MIN: Final = 3
WORD_MIN: Final = 3
"""Characters; a shorter word is no password."""


def value_span(said: Said, start: int, *, kind: str, weak: bool) -> SecretSpan | None:
    """The value that begins at ``start``, if it is one; ``weak`` lets ordinary words be values too."""
    if said.text[start : start + 1] in _QUOTES and start < len(said.text):
        return _quoted(said, start, kind=kind, weak=weak)
    token = _RE.token.match(said.text, start)
    while token and token.group().lower().strip(",") in word_list("adverbs"):
        gap = _RE.gap.match(said.text, token.end())
        token = _RE.token.match(said.text, gap.end()) if gap else None
    if token is None:
        return None
    value = trimmed(token.group())
    if is_placeholder(value) or is_placeholder(token.group()):
        return None
    groups = _RE.digit_groups.match(said.text, token.start())
    if groups:
        return SecretSpan(start=groups.start(), end=groups.end(), kind=kind)
    if is_value(value):
        end = token.start() + len(value)
        if len(value) == _TOKEN_READ:
            end = next(_RE.token_rest.finditer(said.text, end)).end()
        return SecretSpan(start=token.start(), end=_list_end(said.text, end), kind=kind)
    clause = _clause(said.text, token.start())
    if weak and len(value) >= WORD_MIN and any(map(str.isalnum, value)) and not describes(clause, kind=kind):
        return SecretSpan(start=token.start(), end=token.start() + max(len(clause), len(value)), kind=kind)
    return _after_description(said, token.start(), clause, kind=kind, weak=weak)


def _after_description(said: Said, start: int, clause: str, *, kind: str, weak: bool) -> SecretSpan | None:
    """The value after a description: "the same as always: Tiger99", "a sentence: …"."""
    named = _RE.named.match(said.text, start + len(clause))
    if named is None:
        return None
    if weak and _RE.announced.search(clause.lower()):
        return value_span(said, named.start(1), kind=kind, weak=True)
    if not is_credential(trimmed(named.group(1))):
        return None
    return SecretSpan(start=named.start(1), end=named.end(1), kind=kind)


def trimmed(token: str) -> str:
    """The word without the punctuation of its sentence; an exclamation mark may belong to a password and stays."""
    return token.rstrip(_TRAILING)


def is_value(word: str) -> bool:
    return is_credential(word) or (word.isdigit() and len(word) >= DIGITS_MIN)


def describes(clause: str, *, kind: str) -> bool:
    """Whether the words describe a password ("too short", "on the fridge") instead of giving one."""
    words = clause.lower().split()
    if not words:
        return True
    if not is_predicate(words[0]):
        goes_on = len(words) > 1 and (words[1] in {"to", "than"} or words[0].endswith("ing"))
        return words[0].isdigit() or goes_on
    read = words[:_WORDS_READ]
    content = [word for word in read if not is_predicate(word)]
    if kind == "passphrase":
        return len(words) < _PHRASE_MIN or len(content) < _CONTENT_SHARE_MIN * (len(read) - 1)
    # "correct horse battery staple" opens like a description and goes on like none.
    return is_function_word(words[0]) or len(words) < _PHRASE_MIN or len(content) < len(read) - 1


def _quoted(said: Said, start: int, *, kind: str, weak: bool) -> SecretSpan | None:
    found = [said.text.find(closer, start + 1, start + _QUOTED_LENGTH_MAX) for closer in _QUOTES[said.text[start]]]
    ends = [end for end in found if end > 0]
    inside = said.text[start + 1 : min(ends)] if ends else ""
    if ends and not inside.strip():
        return None
    if not ends:
        return value_span(said, start + 1, kind=kind, weak=weak) if start + 1 < len(said.text) else None
    if is_placeholder(inside) or (not is_value(inside) and (not weak or _quotes_description(inside, kind=kind))):
        return None
    return SecretSpan(start=start + 1, end=start + 1 + len(inside), kind=kind)


def _quotes_description(inside: str, *, kind: str) -> bool:
    """A quotation of four words is a phrase to type, unless hardly one of them says anything."""
    content = [word for word in inside.lower().split() if not is_predicate(word)]
    return describes(inside, kind=kind) and (inside.count(" ") < _PHRASE_MIN or len(content) <= 1)


def _list_end(text: str, end: int) -> int:
    """Where a list of values ends: "Tiger99 and Lion88" is one secret."""
    while gap := _RE.list.match(text, end):
        token = _RE.token.match(text, gap.end())
        value = trimmed(token.group()) if token else ""
        if not token or not is_credential(value):
            break
        end = token.start() + len(value)
    return end


def _clause(text: str, start: int) -> str:
    """The words from ``start`` to where another clause begins."""
    match = _RE.clause.match(text, start)
    clause = match.group() if match else ""
    border = _RE.new_clause.search(clause.lower())
    return (clause[: border.start()] if border else clause).rstrip()


# --- What announces it.


_SCOPE_WORDS_MAX: Final = 9

_OPENING: Final = "\"'“‘«("
_BEFORE_READ_MAX: Final = 120
_PHRASE_WORDS: Final = range(3, 13)
_CONTENT_SHARE: Final = 0.7
_NOTE_LENGTH_MAX: Final = 40
_NOTE_WORDS_MAX: Final = 2
_LINE_READ_MAX: Final = 200
_SENTENCE_READ_MAX: Final = 600
"""Characters to either side in which the ends of a sentence are looked for: each word for a password costs the same."""

_SCRIPT_READ: Final = 60


def password_spans(said: Said) -> Iterator[SecretSpan]:
    """Values announced by a word for password, after it or before it."""
    if said.has(word_list("password stems")):
        for word in _RE.major.finditer(said.low):
            yield from _around(said, word, is_major=True)
        for word in _RE.minor.finditer(said.low):
            yield from _around(said, word, is_major=False)
    for found in _RE.locked.finditer(said.low) if said.has(word_list("locked stems")) else ():
        value = trimmed(said.text[found.start("value") : found.end("value")])
        if value[:1].isdigit() or (is_credential(value) and any(letter.isdigit() for letter in value)):
            yield SecretSpan(start=found.start("value"), end=found.start("value") + len(value), kind="password")
    if said.has_other_script:
        for word in _RE.scripts.finditer(said.low):
            yield from _after_script(said, word)


def _around(said: Said, word: re.Match[str], *, is_major: bool) -> Iterator[SecretSpan]:
    if said.text[word.start() - 1 : word.start()].isdigit():
        return
    following = _RE.next_word.match(said.low, word.end())
    if following and following.group(1) in word_list("compounds"):
        sign = _RE.sign_after.match(said.low, following.end())
        named = value_span(said, sign.end(), kind="password", weak=False) if sign else None
        yield from filter(None, [named])
        return
    kind = "passphrase" if "phrase" in word.group() else "password"
    weak = is_major and not word.group().endswith("s") and not _in_question(said.low, word.start())
    found = [_after(said, word, kind=kind, weak=weak) if is_major else _after_minor(said, word)]
    if is_major:
        found.append(_before(said, word, kind=kind, weak=weak))
        later = _RE.value_later.match(said.low, word.end())
        if later:
            found.append(value_span(said, later.end(), kind=kind, weak=weak and bool(later.group("still"))))
    yield from filter(None, found)
    if word.group().endswith("s"):
        yield from _listed(said, word.end())


def _listed(said: Said, start: int) -> Iterator[SecretSpan]:
    """Values of a list: "passwords: mail - …, shop - …"."""
    sign = _RE.sign_after.match(said.low, start)
    line = said.text[sign.end() : sign.end() + _LINE_READ_MAX].split("\n", 1)[0] if sign else ""
    for token in re.finditer(r"\S+", line):
        value = trimmed(token.group())
        if sign and is_credential(value):
            at = sign.end() + token.start()
            yield SecretSpan(start=at, end=at + len(value), kind="password")


def _in_question(low: str, at: int) -> bool:
    """Whether the words stand in a question that asks about the password; then a plain word is no value."""
    end = _RE.sentence_end.search(low, at, at + _SENTENCE_READ_MAX)
    return end is not None and end.group()[0] == "?" and _RE.question.match(low, _sentence_start(low, at)) is not None


def _after(said: Said, word: re.Match[str], *, kind: str, weak: bool) -> SecretSpan | None:
    link = _find_link(said, word.end())
    if link:
        # Of "<password>" only an element has a content.
        if link.group("sign") == ">" and "</" not in said.low[link.end() : link.end() + _LINE_READ_MAX]:
            return None
        return value_span(said, link.end(), kind=kind, weak=weak and _takes_words(said.low, word, link))
    to = _RE.to.match(said.low, word.end())
    if to and _RE.changed.search(_sentence_before(said.low, word.start())):
        token = re.compile(r"\S+").match(said.low, to.end())
        is_last = token is not None and (
            token.group()[-1] in ".,;!?" or _RE.weak_after_to.match(said.low, token.end()) is not None
        )
        return value_span(said, to.end(), kind=kind, weak=weak and is_last)
    into = _RE.into_credential.match(said.low, word.end()) or _RE.beside.match(said.low, word.end())
    if into is None:
        return None
    is_bare = (
        _is_bare_note(said.low, word)
        or (kind == "passphrase" and _is_phrase(said.low, into.end()))
        or (
            _RE.used_as.search(said.low, max(0, word.start() - _NOTE_LENGTH_MAX), word.start()) is not None
            and _RE.used_for.match(said.low, into.end()) is not None
        )
    )
    return value_span(said, into.end(), kind=kind, weak=weak and is_bare)


def _takes_words(low: str, word: re.Match[str], link: re.Match[str]) -> bool:
    """Whether ordinary words after this link are the value, or the next line of a program or a page."""
    sign = link.group("sign")
    rest = low[link.end() : link.end() + _LINE_READ_MAX].split("\n", 1)[0].rstrip(" ,;.)}\"'")
    is_name = low[word.start() - 1 : word.start()].isalnum() or low[word.start() - 1 : word.start()] in {"_", "."}
    if (is_name and sign) or "\n" in link.group():
        return " " not in rest
    return sign != "?" and not (sign in {">", "|"} and _RE.major.match(rest))


def _sentence_before(low: str, at: int) -> str:
    return low[_sentence_start(low, at) : at]


def _sentence_start(low: str, at: int) -> int:
    """Where the sentence around ``at`` begins, no further back than a sentence is read."""
    first = max(0, at - _SENTENCE_READ_MAX)
    return max(first, *(low.rfind(mark, first, at) + 1 for mark in ".!?\n;"))


def _after_minor(said: Said, word: re.Match[str]) -> SecretSpan | None:
    link = _RE.minor_link.match(said.low, word.end()) or _find_link(said, word.end())
    link = link or _RE.into_credential.match(said.low, word.end()) or _RE.possessive.match(said.low, word.end())
    return value_span(said, link.end(), kind="password", weak=False) if link else None


def _find_link(said: Said, end: int) -> re.Match[str] | None:
    """The link between the word and its value, straight after it or after a phrase that says what it is for."""
    low = said.low
    link = _RE.link.match(low, end)
    for count in range(_SCOPE_WORDS_MAX):
        if link:
            return link
        step = _RE.scope_step.match(low, end)
        if step is None:
            return None
        word = step.group().strip()
        at = step.end() - len(word)
        is_name = said.text[at].isupper() and not (is_value(said.text[at : step.end()]) and is_value(word))
        is_name = is_name and low[step.end() : step.end() + 1] != "="
        opens = count or is_name or word.startswith(("(", "d'", "d’", "l'")) or word in word_list("scope openers")
        if not opens or word in word_list("conjunctions") or word.endswith("."):
            return None
        end = step.end()
        link = _RE.link.match(low, end)
    return link


def _is_bare_note(low: str, word: re.Match[str]) -> bool:
    """Whether the message is a note such as "wifi password sunshine": no verb, one word after it."""
    if word.start() > _NOTE_LENGTH_MAX or len(low) - word.end() > _NOTE_LENGTH_MAX:
        return False
    before = re.sub(r"^(?:my|the|our)\s+", "", low[: word.start()].strip())
    after = low[word.end() :].strip()
    is_noun = len(before.split()) <= _NOTE_WORDS_MAX and not any(
        part in word_list("actions") or is_predicate(part) for part in before.split()
    )
    return is_noun and " " not in after and not is_predicate(after)


def _is_phrase(low: str, start: int) -> bool:
    """Whether three or more words follow to the end of the sentence, few of them words of grammar."""
    said = re.split(r"[\s-]+", low[start : start + _LINE_READ_MAX].rstrip(" .!\n"))
    content = [word for word in said if word.isalpha() and not is_function_word(word)]
    return len(said) in _PHRASE_WORDS and len(content) > _CONTENT_SHARE * len(said)


def _before(said: Said, word: re.Match[str], *, kind: str, weak: bool) -> SecretSpan | None:
    """The value that stands before the word: "… is my password", "use … as the password"."""
    start = max(0, word.start() - _BEFORE_READ_MAX)
    window = said.low[start : word.start()]
    for pattern in (_RE.value_is, _RE.value_as, _RE.value_near, _RE.value_used):
        match = pattern.search(window)
        token = said.text[start + match.start("value") : start + match.end("value")] if match else ""
        value = trimmed(token).lstrip(_OPENING)
        if match is None or not value or is_placeholder(value):
            continue
        at = start + match.start("value") + token.index(value)
        is_first = start == 0 and not said.low[:at].rstrip(" " + _OPENING)
        is_first = is_first or token[0] in _OPENING
        takes_words = weak and (pattern is _RE.value_as or (pattern is _RE.value_is and is_first))
        is_word = value.isalnum() and len(value) >= WORD_MIN and not is_predicate(value.lower())
        if is_value(value) or (takes_words and is_word):
            return SecretSpan(start=at, end=at + len(value), kind=kind)
    return None


def _after_script(said: Said, word: re.Match[str]) -> Iterator[SecretSpan]:
    """In other scripts the value is what is written in Latin letters and digits after the word."""
    linked = _RE.script_verb_last.match(said.text, word.end()) or _RE.script_linked.match(said.text, word.end())
    if linked and not is_placeholder(linked.group("value")):
        yield SecretSpan(start=linked.start("value"), end=linked.end("value"), kind="password")
        return
    sentence = re.split(r"[\n。！？]", said.text[word.end() : word.end() + _SCRIPT_READ], maxsplit=1)[0]
    for near in _RE.script_near.finditer(sentence):
        value = trimmed(near.group())
        if is_value(value):
            start = word.end() + near.start()
            yield SecretSpan(start=start, end=start + len(value), kind="password")
            return


# --- Other languages, by their words for PINs, keys and passwords.


_KEY_READ: Final = 60


def foreign_spans(said: Said) -> Iterator[SecretSpan]:
    """Numbers and values after the words that other languages have for PINs, keys and passwords."""
    if not said.has_other_script and not said.has(word_list("foreign stems")):
        return
    for match in _RE.pin.finditer(said.low):
        yield SecretSpan(start=match.start("value"), end=match.end("value"), kind="pin")
    for word in _RE.foreign_keys.finditer(said.low):
        yield from _given(said, word.end())
    if said.has_other_script:
        for match in _RE.own_word.finditer(said.low):
            yield SecretSpan(start=match.start("value"), end=match.end("value"), kind="password")


def _given(said: Said, start: int) -> Iterator[SecretSpan]:
    """The first piece after the word that looks issued or chosen, in the same sentence."""
    sentence = _RE.sentence.match(said.text, start, start + _KEY_READ)
    for piece in _RE.piece.finditer(sentence.group() if sentence else ""):
        value = trimmed(piece.group())
        if is_value(value):
            yield SecretSpan(start=start + piece.start(), end=start + piece.start() + len(value), kind="api_key")
            return


# --- Keys, tokens, logins and answers.


# Characters of a key with digits, of one that is a word, of one after a bare "key", of one without digits.
_KEY_MIN: Final = 6
_PLAIN_KEY_MIN: Final = 8
_LONE_KEY_MIN: Final = 16
_LONG_KEY_MIN: Final = 20
_ANSWER_STEMS: Final = ("question", "answer", "memorable", "security q")


@cache
def _login_forms() -> tuple[Form, ...]:
    return forms_in("logins.txt", _RE)


@cache
def _login_stems() -> frozenset[str]:
    """Most texts have none of them, and are done with it."""
    return frozenset(stem for form in _login_forms() for stem in form.stems)


def key_spans(said: Said) -> Iterator[SecretSpan]:
    """Values announced as a key, token, secret, licence, login or answer."""
    if said.has(word_list("key stems")):
        for word in _RE.strong_key.finditer(said.low):
            yield from _announced_key(said, word, is_strong=True)
        for word in _RE.weak_key.finditer(said.low):
            yield from _announced_key(said, word, is_strong=False)
        if _RE.licensed.search(said.low):
            for match in (*_RE.product_key.finditer(said.text), *_RE.serial.finditer(said.low)):
                start = match.start("value") if "value" in match.groupdict() else match.start()
                yield SecretSpan(start=start, end=match.end(), kind="license_key")
    yield from _logins(said)
    if said.has(_ANSWER_STEMS):
        yield from _answers(said)


def _announced_key(said: Said, word: re.Match[str], *, is_strong: bool) -> Iterator[SecretSpan]:
    if _RE.public_key.search(said.low, max(0, word.start() - 20), word.start()) or "public" in word.group():
        return
    start = word.end()
    scope = _RE.key_scope.match(said.low, start)
    link = _RE.key_link.match(said.text, scope.end() if scope else start)
    if link is None:
        return
    groups = _RE.key_groups.match(said.text, link.start("value"))
    if groups and is_strong and any(map(str.isdigit, groups.group())):
        yield SecretSpan(start=groups.start(), end=groups.end(), kind="api_key")
        return
    value = trimmed(link.group("value"))
    if _is_key(value, is_strong=is_strong, is_assigned=link.group("sign") in {"=", ":", "：", ":=", "=>"}):
        yield SecretSpan(start=link.start("value"), end=link.start("value") + len(value), kind="api_key")


def _is_key(value: str, *, is_strong: bool, is_assigned: bool) -> bool:
    if is_placeholder(value) or is_predicate(value.lower()) or value.startswith(("ssh-", "AAAA", "http", "/", "~")):
        return False
    if is_strong:
        has_digit = any(map(str.isdigit, value))
        if is_assigned and value.isalpha() and len(value) >= _PLAIN_KEY_MIN:
            return not describes(value, kind="key")
        return is_key_like(value, length_min=_KEY_MIN) and (has_digit or len(value) >= _LONG_KEY_MIN)
    long_enough = _PLAIN_KEY_MIN if is_assigned else _LONE_KEY_MIN
    digits = sum(map(str.isdigit, value))
    return not is_uuid(value) and (
        is_hex(value, _LONG_KEY_MIN)
        or is_random(value)
        or (len(value) >= long_enough and digits > (0 if is_assigned else 1) and is_credential(value))
    )


def _logins(said: Said) -> Iterator[SecretSpan]:
    for form in _login_forms() if said.has(_login_stems()) else ():
        text = said.text if form.kind == "command" else said.low
        for match in form.pattern.finditer(text) if said.has(form.stems) else ():
            value = trimmed(said.text[match.start("value") : match.end("value")])
            is_sure = form.kind != "login" and not _RE.ports.fullmatch(value) and not is_predicate(value.lower())
            if not is_placeholder(value) and (is_sure or is_value(value)):
                yield SecretSpan(start=match.start("value"), end=match.start("value") + len(value), kind="login")


def _answers(said: Said) -> Iterator[SecretSpan]:
    for pattern in (
        _RE.answer,
        _RE.answer_to,
        *([_RE.answer_of] if "security question" in said.low else []),
    ):
        for match in pattern.finditer(said.low):
            value = said.text[match.start("value") : match.end("value")]
            if not describes(value, kind="answer") and not is_placeholder(value):
                yield SecretSpan(start=match.start("value"), end=match.end("value"), kind="security_answer")
