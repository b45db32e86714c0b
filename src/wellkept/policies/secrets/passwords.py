"""Finds passwords that a sentence announces, in many languages: "my password is …", "pwd=…", "… is the wifi password".

First the value after the words: a credential, a quotation, plain words, or only a description of it. Then what
announces it in English and its neighbours, and last PINs, keys and passwords by the words of other languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.shapes import (
    Said,
    SecretSpan,
    is_credential,
    is_function_word,
    is_placeholder,
    is_predicate,
    word_list,
    worded,
)

# --- The value.


_QUOTES: Final = {
    '"': '"', "'": "'", "`": "`", "“": "”", "„": "“”", "«": "»", "‘": "’", "「": "」", "『": "』", "”": "”",
}  # fmt: skip
_QUOTED_LENGTH_MAX: Final = 120
# A word is judged by its beginning; the span still ends where the word does.
_TOKEN_READ: Final = 400
_TOKEN: Final = deferred(rf"[^\s<]{{1,{_TOKEN_READ}}}")
_TOKEN_REST: Final = deferred(r"[^\s<]*")
_GAP: Final = deferred(r"\s+")
_TRAILING: Final = ".,;:'\")]}?”»’"
_CLAUSE: Final = deferred(r"(?:[^.!?;:,\n]|[.!?;:,](?=\S)){0,200}")
_NEW_CLAUSE: Final = deferred(
    r"\s(?:and|but|so|or|because|which|since|as|in case)"
    r"\s(?:i|you|we|he|she|it|they|don['’]t|please|feel|keep|let|my)\b"
)
_DIGIT_GROUPS: Final = deferred(r"\d{2,6}(?:[ -]\d{2,6})+(?![\w-]|\s?[a-z]+\b)")
_LIST: Final = deferred(r"\s*(?:,|/|(?:and|or|to|y|und|et|e)(?=\s))?\s*")
# "is a sentence: …" promises the value itself.
_ANNOUNCED: Final = deferred(
    r"^(?:a|an|the|this|my)?\s?(?:\w+\s)?(?:sentence|phrase|word|following|line|title|name|this)s?$"
)
_NAMED: Final = deferred(r"\s*(?:[:=]|,\s(?:i\.e\.|namely|it['’]s|which is)?)\s*(\S+)")
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
    token = _TOKEN.match(said.text, start)
    while token and token.group().lower().strip(",") in word_list("adverbs"):
        gap = _GAP.match(said.text, token.end())
        token = _TOKEN.match(said.text, gap.end()) if gap else None
    if token is None:
        return None
    value = trimmed(token.group())
    if is_placeholder(value) or is_placeholder(token.group()):
        return None
    groups = _DIGIT_GROUPS.match(said.text, token.start())
    if groups:
        return SecretSpan(start=groups.start(), end=groups.end(), kind=kind)
    if is_value(value):
        end = token.start() + len(value)
        if len(value) == _TOKEN_READ:
            end = next(_TOKEN_REST.finditer(said.text, end)).end()
        return SecretSpan(start=token.start(), end=_list_end(said.text, end), kind=kind)
    clause = _clause(said.text, token.start())
    if weak and len(value) >= WORD_MIN and any(map(str.isalnum, value)) and not describes(clause, kind=kind):
        return SecretSpan(start=token.start(), end=token.start() + max(len(clause), len(value)), kind=kind)
    return _after_description(said, token.start(), clause, kind=kind, weak=weak)


def _after_description(said: Said, start: int, clause: str, *, kind: str, weak: bool) -> SecretSpan | None:
    """The value after a description: "the same as always: Tiger99", "a sentence: …"."""
    named = _NAMED.match(said.text, start + len(clause))
    if named is None:
        return None
    if weak and _ANNOUNCED.search(clause.lower()):
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
    while gap := _LIST.match(text, end):
        token = _TOKEN.match(text, gap.end())
        value = trimmed(token.group()) if token else ""
        if not token or not is_credential(value):
            break
        end = token.start() + len(value)
    return end


def _clause(text: str, start: int) -> str:
    """The words from ``start`` to where another clause begins."""
    match = _CLAUSE.match(text, start)
    clause = match.group() if match else ""
    border = _NEW_CLAUSE.search(clause.lower())
    return (clause[: border.start()] if border else clause).rstrip()


# --- What announces it.


# One of these stands in every word the rules look for; most sentences have none and are done here.
_STEMS: Final = (
    "pass", "pwd", "psw", "pw", "p/w", "psk", "wort", "contrase", "mdp", "senha", "palavra", "wachtwoord", "key",
    "hasł", "hasl", "senord", "adgangs", "kodeord", "salasana", "heslo", "hesla", "geslo", "jelsz", "ifre", "parol",
    "lozinka", "slapta", "parool", "kh", "sandi", "laluan", "nenosiri", "clave", "chiave", "clé", "cle", "schl",
    "login", "memorable", "paswoord", "word",
)  # fmt: skip


_MAJOR: Final = worded(r"(?<![0-9])(?:(?<![a-z])|(?=\w{6}))<<major-words>>(?![a-z0-9])")
_MINOR: Final = worded(r"(?<![a-z0-9])(?:[a-z]{1,20}-)?<<minor-words>>(?![a-z0-9])")
_SCRIPTS: Final = worded("<<script-words>>")

_SIGN: Final = r"(?:=>|:=|->|→|⇒|=(?!=)|==(?=\s*[\"'])|::?|：|＝|[|>]|—|–|-(?=\s)|\?(?=\s))"
_COPULA: Final = (
    r"(?:is|was|are|were|will\sbe|has\sbeen|used\sto\sbe|happens\sto\sbe|became|becomes|equals|reads|remains|isn['’]t"
    r"|stays|ist|lautet|war|hei(?:ß|ss)t|es|era|será|est|était|sera|é|è|sarà|luidt)"
)
_LINK: Final = deferred(
    rf"""(?x)\s*(?:[\"'”’`*]{{1,3}}|</?\w{{1,12}}>)?
    (?: \?\s+(?:it['’]?s|it\sis)\b
      | \s*(?P<sign>{_SIGN}) (?:\s*(?:str|string)\s*=)?
      | ,?\s+(?:it['’]?s|it\sis|which\sis|that\sis|that['’]s|c['’]est|namely)\b
      | ['’]s\b
      | (?:\s{_COPULA}|\sgot|\shas\sbeen|\shave\sbeen)?\s(?:set|changed|reset|updated|switched|set\sback)\sto\b
      | \s+{_COPULA}(?!\w)(?:\s?:)?
    )\s*"""
)
_MINOR_LINK: Final = deferred(rf"\s*(?:{_SIGN}|\s(?:är|er|je|on|to|jest|este|e|adalah|là|{_COPULA})(?!\w))\s*")
_SCOPE_STEP: Final = deferred(r"\s*\([^)\n]{1,40}\)|\s+[^\s,;:=!?|()<>]+")
_SCOPE_WORDS_MAX: Final = 9
_CONJUNCTIONS: Final = frozenset(
    "and or but so because if when while since until unless und oder aber y et mais ou ma".split()
)
_CHANGED: Final = deferred(r"\b(?:chang|set|reset|updat|switch|mak|made|turn)")
_TO: Final = deferred(r"\s+to\s+")
_WEAK_AFTER_TO: Final = deferred(r"\s*(?:$|[.,;!?)]|\s(?:yesterday|today|now|this|last|please|for|on|because|and)\b)")
_INTO_CREDENTIAL: Final = deferred(
    r"\s+(?:(?:veranderd|gewijzigd|cambiata|changé)\s+)?(?:from|auf|a|por|en|para|in|naar|zu|to)\s+(?!\d+\b)"
)
_BESIDE: Final = deferred(r"[\s(,\[]{1,3}")
_POSSESSIVE: Final = deferred(r"(?:[ ][^\W\d]{2,8}){0,3}?[ ,]{1,3}(?=\S*[\d@#$%^&*+=~_])(?!\d+\b)")
_SIGN_AFTER: Final = deferred(r"\s?[:=]\s*")
_NEXT_WORD: Final = deferred(r"[\s_-]+([a-z]+)(?![\w@#$%])")
_QUESTION: Final = deferred(r"\s*(?:what|which|who|where|how|why|is|are|was|does|do|did|can|could|should|would)\b")
_SENTENCE_END: Final = deferred(r"[.!?;\n](?:\s|$)")

_WORDS: Final = r"(?:[^\s.,;:!?]+\s+){0,5}$"
# A value is tried from the beginning of a word alone: from each of its letters the same would be found.
_VALUE_IS: Final = deferred(rf"(?<!\S)(?P<value>\S+)\s+(?:is|was|=|ist|es|est|é|è)\s+(?:still\s|now\s)?{_WORDS}")
_VALUE_AS: Final = deferred(
    rf"(?:use[sd]?|using|type[sd]?|enter(?:ed)?|try|put|set|choose|chose|pick(?:ed)?|with)\s+(?P<value>\S+)\s+as\s+{_WORDS}"
)
_VALUE_NEAR: Final = deferred(
    rf"(?<!\S)(?P<value>\S+?)\s*(?:[,(–—-]+\s*(?:that['’]?s|that\sis|this\sis|which\sis|it['’]?s)|,(?=\s(?:my|the|our|his|her)\s)"
    rf"|\s(?:when|if|where|for|in|into|at|under|as))\s+{_WORDS}"
)
_VALUE_USED: Final = deferred(r"\b(?:use[sd]?|using|typed?|enter(?:ed)?|put)\s+(?P<value>\S+)\s[^.!?\n]{0,60}$")
_VALUE_LATER: Final = deferred(
    r"[^.!?\n]{0,80}?(?:\b(?:one|other|latter|mine)\sis\s|(?:,|\sbut|\sand)\s(?:and\s|now\s)?(?:it['’]?s|it\sis)\s(?P<still>(?:still|now)\s)?)"
)
# What is locked is named for its password: "the wifi at the cabin is …". A plain word or a quantity says how it is.
_LOCKED: Final = deferred(
    r"(?<![\w-])(?:wi-?fi|wlan|hot-?spot|router|alarm|door|gate|safe|lock-?box|key-?pad)(?![\w-])"
    r"(?:\s(?!(?:is|was)\s)[^\s.,;:=!?|]+){0,6}?(?:\s(?:is|was|=)\s|\s?[:=]\s?)(?:now\s|still\s)?"
    r"(?P<value>[a-z]\S{5,}|(?!(?:19|20)\d\d\b)(?:\d{4,12}|\d{1,2}(?:-\d{1,2}){2,4})[#*]?(?=\s*(?:[.!,;)]\s|[.!]?$)))"
)
_LOCKED_STEMS: Final = (
    "wifi", "wi-fi", "wlan", "hotspot", "hot-spot", "router", "alarm", "door", "gate", "safe", "lockbox", "lock-box",
    "keypad", "key-pad",
)  # fmt: skip
_OPENING: Final = "\"'“‘«("
_USED_AS: Final = deferred(r"\b(?:use[sd]?|using|with)\s(?:the|a|my|this)\s$")
_USED_FOR: Final = deferred(r"\S+(?:[.,!]|\s(?:for|on|everywhere|to|at|and|there|too)\b|\s*$)")
_BEFORE_READ_MAX: Final = 120
_PHRASE_WORDS: Final = range(3, 13)
_CONTENT_SHARE: Final = 0.7
_NOTE_LENGTH_MAX: Final = 40
_NOTE_WORDS_MAX: Final = 2
_LINE_READ_MAX: Final = 200
_SENTENCE_READ_MAX: Final = 600
"""Characters to either side in which the ends of a sentence are looked for: each word for a password costs the same."""

_SCRIPT_LINKED: Final = deferred(
    r"[^\n。！？]{0,40}?(?:是|为|為|成|は|[:：=「『]|—|–|-\s|это|는|은|هي|היא|הוא|είναι|คือ|है(?=\s))\s*[「『\"'“«]*"
    r"(?P<value>[\x21-\x7e]{3,})(?=$|[\s。，、」』”»!?！？.]|です|だ|입니다|이야)"
)
# Where the verb stands last: "मेरा पासवर्ड … है".
_SCRIPT_VERB_LAST: Final = deferred(r"\s+(?P<value>[\x21-\x7e]{3,})\s+(?:है|हैं|হলো|আছে)(?!\w)")
_SCRIPT_NEAR: Final = deferred(r"[\x21-\x7e]{4,}")
_SCRIPT_READ: Final = 60


def password_spans(said: Said) -> Iterator[SecretSpan]:
    """Values announced by a word for password, after it or before it."""
    if said.has(_STEMS):
        for word in _MAJOR.finditer(said.low):
            yield from _around(said, word, is_major=True)
        for word in _MINOR.finditer(said.low):
            yield from _around(said, word, is_major=False)
    for found in _LOCKED.finditer(said.low) if said.has(_LOCKED_STEMS) else ():
        value = trimmed(said.text[found.start("value") : found.end("value")])
        if value[:1].isdigit() or (is_credential(value) and any(letter.isdigit() for letter in value)):
            yield SecretSpan(start=found.start("value"), end=found.start("value") + len(value), kind="password")
    if said.has_other_script:
        for word in _SCRIPTS.finditer(said.low):
            yield from _after_script(said, word)


def _around(said: Said, word: re.Match[str], *, is_major: bool) -> Iterator[SecretSpan]:
    if said.text[word.start() - 1 : word.start()].isdigit():
        return
    following = _NEXT_WORD.match(said.low, word.end())
    if following and following.group(1) in word_list("compounds"):
        sign = _SIGN_AFTER.match(said.low, following.end())
        named = value_span(said, sign.end(), kind="password", weak=False) if sign else None
        yield from filter(None, [named])
        return
    kind = "passphrase" if "phrase" in word.group() else "password"
    weak = is_major and not word.group().endswith("s") and not _in_question(said.low, word.start())
    found = [_after(said, word, kind=kind, weak=weak) if is_major else _after_minor(said, word)]
    if is_major:
        found.append(_before(said, word, kind=kind, weak=weak))
        later = _VALUE_LATER.match(said.low, word.end())
        if later:
            found.append(value_span(said, later.end(), kind=kind, weak=weak and bool(later.group("still"))))
    yield from filter(None, found)
    if word.group().endswith("s"):
        yield from _listed(said, word.end())


def _listed(said: Said, start: int) -> Iterator[SecretSpan]:
    """Values of a list: "passwords: mail - …, shop - …"."""
    sign = _SIGN_AFTER.match(said.low, start)
    line = said.text[sign.end() : sign.end() + _LINE_READ_MAX].split("\n", 1)[0] if sign else ""
    for token in re.finditer(r"\S+", line):
        value = trimmed(token.group())
        if sign and is_credential(value):
            at = sign.end() + token.start()
            yield SecretSpan(start=at, end=at + len(value), kind="password")


def _in_question(low: str, at: int) -> bool:
    """Whether the words stand in a question that asks about the password; then a plain word is no value."""
    end = _SENTENCE_END.search(low, at, at + _SENTENCE_READ_MAX)
    return end is not None and end.group()[0] == "?" and _QUESTION.match(low, _sentence_start(low, at)) is not None


def _after(said: Said, word: re.Match[str], *, kind: str, weak: bool) -> SecretSpan | None:
    link = _find_link(said, word.end())
    if link:
        # Of "<password>" only an element has a content.
        if link.group("sign") == ">" and "</" not in said.low[link.end() : link.end() + _LINE_READ_MAX]:
            return None
        return value_span(said, link.end(), kind=kind, weak=weak and _takes_words(said.low, word, link))
    to = _TO.match(said.low, word.end())
    if to and _CHANGED.search(_sentence_before(said.low, word.start())):
        token = re.compile(r"\S+").match(said.low, to.end())
        is_last = token is not None and (
            token.group()[-1] in ".,;!?" or _WEAK_AFTER_TO.match(said.low, token.end()) is not None
        )
        return value_span(said, to.end(), kind=kind, weak=weak and is_last)
    into = _INTO_CREDENTIAL.match(said.low, word.end()) or _BESIDE.match(said.low, word.end())
    if into is None:
        return None
    is_bare = (
        _is_bare_note(said.low, word)
        or (kind == "passphrase" and _is_phrase(said.low, into.end()))
        or (
            _USED_AS.search(said.low, max(0, word.start() - _NOTE_LENGTH_MAX), word.start()) is not None
            and _USED_FOR.match(said.low, into.end()) is not None
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
    return sign != "?" and not (sign in {">", "|"} and _MAJOR.match(rest))


def _sentence_before(low: str, at: int) -> str:
    return low[_sentence_start(low, at) : at]


def _sentence_start(low: str, at: int) -> int:
    """Where the sentence around ``at`` begins, no further back than a sentence is read."""
    first = max(0, at - _SENTENCE_READ_MAX)
    return max(first, *(low.rfind(mark, first, at) + 1 for mark in ".!?\n;"))


def _after_minor(said: Said, word: re.Match[str]) -> SecretSpan | None:
    link = _MINOR_LINK.match(said.low, word.end()) or _find_link(said, word.end())
    link = link or _INTO_CREDENTIAL.match(said.low, word.end()) or _POSSESSIVE.match(said.low, word.end())
    return value_span(said, link.end(), kind="password", weak=False) if link else None


def _find_link(said: Said, end: int) -> re.Match[str] | None:
    """The link between the word and its value, straight after it or after a phrase that says what it is for."""
    low = said.low
    link = _LINK.match(low, end)
    for count in range(_SCOPE_WORDS_MAX):
        if link:
            return link
        step = _SCOPE_STEP.match(low, end)
        if step is None:
            return None
        word = step.group().strip()
        at = step.end() - len(word)
        is_name = said.text[at].isupper() and not (is_value(said.text[at : step.end()]) and is_value(word))
        is_name = is_name and low[step.end() : step.end() + 1] != "="
        opens = count or is_name or word.startswith(("(", "d'", "d’", "l'")) or word in word_list("scope openers")
        if not opens or word in _CONJUNCTIONS or word.endswith("."):
            return None
        end = step.end()
        link = _LINK.match(low, end)
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
    for pattern in (_VALUE_IS, _VALUE_AS, _VALUE_NEAR, _VALUE_USED):
        match = pattern.search(window)
        token = said.text[start + match.start("value") : start + match.end("value")] if match else ""
        value = trimmed(token).lstrip(_OPENING)
        if match is None or not value or is_placeholder(value):
            continue
        at = start + match.start("value") + token.index(value)
        is_first = start == 0 and not said.low[:at].rstrip(" " + _OPENING)
        is_first = is_first or token[0] in _OPENING
        takes_words = weak and (pattern is _VALUE_AS or (pattern is _VALUE_IS and is_first))
        is_word = value.isalnum() and len(value) >= WORD_MIN and not is_predicate(value.lower())
        if is_value(value) or (takes_words and is_word):
            return SecretSpan(start=at, end=at + len(value), kind=kind)
    return None


def _after_script(said: Said, word: re.Match[str]) -> Iterator[SecretSpan]:
    """In other scripts the value is what is written in Latin letters and digits after the word."""
    linked = _SCRIPT_VERB_LAST.match(said.text, word.end()) or _SCRIPT_LINKED.match(said.text, word.end())
    if linked and not is_placeholder(linked.group("value")):
        yield SecretSpan(start=linked.start("value"), end=linked.end("value"), kind="password")
        return
    sentence = re.split(r"[\n。！？]", said.text[word.end() : word.end() + _SCRIPT_READ], maxsplit=1)[0]
    for near in _SCRIPT_NEAR.finditer(sentence):
        value = trimmed(near.group())
        if is_value(value):
            start = word.end() + near.start()
            yield SecretSpan(start=start, end=start + len(value), kind="password")
            return


# --- Other languages, by their words for PINs, keys and passwords.


# One of these stands in every word below that is in Latin letters; most sentences have none.
_FOREIGN_STEMS: Final = (
    "pin", "api", "код", "codice", "code", "digo", "пин", "пін", "password", "contrasenya", "token",
)  # fmt: skip

_LINKS: Final = r"(?:[\s,]*(?:[:：=–—→-]|<<links>>(?!\w)|[는은이가はがの]|是|为|為|ของ|ฉัน|ผม|เรา|คือ))"
_PIN: Final = worded(
    rf"<<pins>>{_LINKS}{{0,5}}[\s「『\"'“«]*(?P<value>\d(?:[ -]?\d){{3,7}})"
    r"(?![a-z\d-]|\s?(?:자리|haneli|цифр|ψηφ|位|桁|ครั้ง|หลัก|अंक))"
)
_FOREIGN_KEYS: Final = worded("<<foreign-keys>>")
_KEY_READ: Final = 60
_SENTENCE: Final = deferred(r"[^\n。！？]*")
_PIECE: Final = deferred(r"[\x21-\x7e]{4,}")
# A word of the sentence's own script with a number at its end, where the verb or a sign leads to it.
_OWN_WORD: Final = deferred(
    r"(?:парол[ьяеію]?м?|парола|лозинка|κωδικ(?:ός|ό|ος)|συνθηματικό|كلمة (?:المرور|السر)"
    r"|رمز عبور|ה?סיסמ(?:ה|א|ת)|पासवर्ड)"
    r"(?:[^\n.!?:=—–]{0,30}?\s(?:είναι|это|є|е|је|هي|هو|היא)|[^\n.!?:=]{0,30}?\s?[:=—–])?\s*[«\"'“]?"
    r"(?P<value>[\u0370-\u04ff\u0590-\u06ff\u0900-\u097f]{3,20}\d{1,6}[!@#$%*]?)(?!\w)"
)


def foreign_spans(said: Said) -> Iterator[SecretSpan]:
    """Numbers and values after the words that other languages have for PINs, keys and passwords."""
    if not said.has_other_script and not said.has(_FOREIGN_STEMS):
        return
    for match in _PIN.finditer(said.low):
        yield SecretSpan(start=match.start("value"), end=match.end("value"), kind="pin")
    for word in _FOREIGN_KEYS.finditer(said.low):
        yield from _given(said, word.end())
    if said.has_other_script:
        for match in _OWN_WORD.finditer(said.low):
            yield SecretSpan(start=match.start("value"), end=match.end("value"), kind="password")


def _given(said: Said, start: int) -> Iterator[SecretSpan]:
    """The first piece after the word that looks issued or chosen, in the same sentence."""
    sentence = _SENTENCE.match(said.text, start, start + _KEY_READ)
    for piece in _PIECE.finditer(sentence.group() if sentence else ""):
        value = trimmed(piece.group())
        if is_value(value):
            yield SecretSpan(start=start + piece.start(), end=start + piece.start() + len(value), kind="api_key")
            return
