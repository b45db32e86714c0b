"""Finds keys, tokens, logins and answers that a sentence or a line of configuration announces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.passwords import describes, is_value, trimmed
from wellkept.policies.secrets.shapes import (
    Said,
    SecretSpan,
    is_credential,
    is_hex,
    is_key_like,
    is_placeholder,
    is_predicate,
    is_random,
    is_uuid,
    worded,
)

_NOUN: Final = r"(?:keys?|tokens?|secrets?|pat|seed|serial(?:[\s_-]number)?)"
_STRONG: Final = worded(
    rf"(?<![a-z])(?:<<qualifiers>>[\s_.-]*){{1,4}}{_NOUN}(?![a-z])|(?<![a-z])(?:apikey|accesstoken|authtoken|clientsecret|secretkey"
    r"|privatekey|secretaccesskey|accountkey|appsecret)(?![a-z])"
)
_LICENSED: Final = deferred(r"\b(?:licen[cs]e|serial|product|activation|game|steam|key|code)\b")
_WEAK: Final = deferred(r"(?:key|token|secret|credential|cookie|session|xprv|(?<![a-z])pat)s?(?![a-z])")
_PUBLIC: Final = deferred(r"(?:public|primary|foreign|partition|sort|row|cache|idempotency|object|answer|map)[\s_-]*$")
_LINK: Final = deferred(
    r"""(?x)[\s_-]*(?:id\b)?["'”’`*]{0,3}
    (?:\s*(?P<sign>=>|:=|->|→|=(?!=)|::?|：|[|>])\s*(?:base64:)?
      |['’]s\s|\s(?:is|was|are|will\sbe|happens\sto\sbe|reads|ist|lautet|es|est|é|è)\s(?:now\s|still\s)?|,?\s(?:it['’]s|which\sis|namely)\s|\s-\s|\s+)
    ["'“`(]{0,2}(?P<value>[^\s"'”`<>,;]{1,300})"""
)
_SCOPE: Final = deferred(
    r"\s(?:for|of|to|at|on|in|from|that|which|i|we|they)(?:\s[^\s.,;:=!?]{1,40}){1,6}?(?=\s?:|\s?=|\sis\s|\swas\s)"
)
_GROUPS: Final = deferred(r"(?i)(?:[a-z2-7]{4}\s){3,15}[a-z2-7]{4}(?![a-z0-9])")
_PRODUCT: Final = deferred(
    r"(?<![A-Za-z0-9-])(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){2,7}(?![A-Za-z0-9-])"
)
# Characters of a key with digits, of one that is a word, of one after a bare "key", of one without digits.
_KEY_MIN: Final = 6
_PLAIN_KEY_MIN: Final = 8
_LONE_KEY_MIN: Final = 16
_LONG_KEY_MIN: Final = 20
_STEMS: Final = (
    "key", "token", "secret", "licen", "serial", "product", "game", "steam", "code", "pat", "seed", "activation",
    "auth", "credential", "cookie", "session", "xprv",
)  # fmt: skip
_ANSWER_STEMS: Final = ("question", "answer", "memorable", "security q")

_PAIR: Final = deferred(
    r"""(?x)\b(?:credentials?|creds?|log-?ins?|log\sin|sign\sin|logged\sin|account|access)\b[^.!?\n]{0,30}?[\s:]
    (?P<user>[\w.@+-]{2,40})\s*(?:/|:|\||\sand\s|\swith\s)\s*(?P<value>(?=[^\s/]*[\d@\#$%^&*!_+=~?])[^\s/]{3,})"""
)
_NETWORK: Final = deferred(
    r"\b(?:wi-?fi|wlan|ssid|hotspot)\b[^.!?\n]{0,40}?[/|,]\s*(?:(?:wpa\d?|key|pw)\s?:?\s?)?(?P<value>[^\s/|,]{6,})"
)
# A name of a network is short; a quoted row of words is what is typed to join it.
_NETWORK_PHRASE: Final = deferred(r"\b(?:wi-?fi|wlan|hotspot)\s?(?:is|:)\s[\"“](?P<value>[a-z]+(?:\s[a-z]+){2,7})[\"”]")
_LOGIN_AS: Final = deferred(
    r"\b(?:log|sign|logged|get)\s?(?:in|on|into)\b[^.!?\n]{0,40}?\s(?:with|using)\s"
    r"(?:[\w.@+-]{2,40}\s?(?:and|/|,|:)\s?)?(?P<value>\S{4,})"
)
_USER_PASS: Final = deferred(
    r"\b(?:user(?:name)?|login|id|account|benutzer|usuario|utilisateur)\b[ \t:=]+[^\s,;]{1,40}[ \t,;/&]+"
    r"(?:and\s)?(?:the\s)?(?:pass|pw|pwd|password|passwort)\b(?:\sis)?[ \t:=]+(?P<value>\S{3,})"
)
_CLIENTS: Final = r"(?:mysql\w*|mariadb|mongo(?:sh|dump)?|twine|docker|podman|sshpass|influx|ldapsearch|psql)"
_COMMANDS: Final = (
    deferred(rf"\b{_CLIENTS}\b[^\n]{{0,120}}?\s-[pw]\s?['\"]?(?P<value>[^\s'\"]{{3,}})"),
    deferred(r"\s(?:-u|--user|-U|--proxy-user)[\s=]['\"]?[^\s:%'\"]{1,60}[:%](?P<value>[^\s'\"]{2,})"),
    deferred(r"\s(?:--?pass(?:word|wd)?|--pwd|--token|--secret|--api-key)[\s=]['\"]?(?P<value>[^\s'\"]{3,})"),
    deferred(r"\bredis-cli\b[^\n]{0,80}?\s-a\s(?P<value>\S{3,})"),
    deferred(r"/user:\S{1,60}\s(?:/pass(?:word)?:)?(?P<value>\S{3,})"),
    deferred(r"\bauth init\b[^\n]{0,40}?\s-t\s(?P<value>\S{8,})"),
)  # fmt: skip
_PAIR_BEFORE: Final = deferred(
    r"(?<!\S)\S{2,40}\s?[/:]\s?(?P<value>\S{4,60})\s(?:is|are)\s(?:my|the|our|their)\s(?:\w+\s)?(?:login|logins|creds|credentials)\b"
)
_SERIAL: Final = deferred(
    r"\b(?:serial|licen[cs]e|product\skey|activation)\b[^.\n]{0,30}?(?P<value>\d{4,6}(?:-\d{4,6}){3,7})(?![\d-])"
)
_COMMAND_STEMS: Final = (" -p", " -u", " -w", "--", " -a ", "/user:", " -t ")
_LOGIN_STEMS: Final = (
    *_COMMAND_STEMS,
    "log", "sign", "cred", "acc", "pass", "pw", "wifi", "wi-fi", "hotspot", "wlan", "ssid",
)  # fmt: skip
_ANSWER: Final = deferred(
    r"""(?x)(?:\b(?:security|secret|challenge)[\s_-](?:question|answer|q)s?\b|\bmemorable\sword\b)
    (?: [^\n]{0,80}?(?:\ba(?:nswer)?(?:\s\w+){0,3}?\s?(?:is|:|=)|\b(?:say|put|answer|use|type|enter|reply)\b|\?|\s=)
      | (?:\s(?:for|to|of|on)\s[^.,;:!?\n]{1,40}?)?(?:\s?[:=→]|\s(?:is|was)) )\s*
    (?P<value>[^\s.,;!?][^.,;!?\n]{1,60})"""
)
_ANSWER_OF: Final = deferred(r"\banswer\sto\s[^.!?\n]{1,40}?\s(?:is|was)\s(?P<value>[^.,;!?\n]{2,60})")
_ANSWER_TO: Final = deferred(
    r"\banswer\sto\s(?:my|the|your|our|his|her)\s(?:\w+\s){0,3}?(?:security|secret)\squestion\S*(?:\s\w+){0,5}?\s(?:is|was)"
    r"\s(?P<value>[^.,;!?\n]{2,60})"
)


def key_spans(said: Said) -> Iterator[SecretSpan]:
    """Values announced as a key, token, secret, licence, login or answer."""
    if said.has(_STEMS):
        for word in _STRONG.finditer(said.low):
            yield from _announced(said, word, is_strong=True)
        for word in _WEAK.finditer(said.low):
            yield from _announced(said, word, is_strong=False)
        if _LICENSED.search(said.low):
            for match in (*_PRODUCT.finditer(said.text), *_SERIAL.finditer(said.low)):
                start = match.start("value") if "value" in match.groupdict() else match.start()
                yield SecretSpan(start=start, end=match.end(), kind="license_key")
    yield from _logins(said)
    if said.has(_ANSWER_STEMS):
        yield from _answers(said)


def _announced(said: Said, word: re.Match[str], *, is_strong: bool) -> Iterator[SecretSpan]:
    if _PUBLIC.search(said.low, max(0, word.start() - 20), word.start()) or "public" in word.group():
        return
    start = word.end()
    scope = _SCOPE.match(said.low, start)
    link = _LINK.match(said.text, scope.end() if scope else start)
    if link is None:
        return
    groups = _GROUPS.match(said.text, link.start("value"))
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
    if not said.has(_LOGIN_STEMS):
        return
    patterns: list[re.Pattern[str]] = []
    if "log" in said.low or "sign" in said.low or "cred" in said.low or "acc" in said.low:
        patterns += [_PAIR, _LOGIN_AS]
    if ("login" in said.low or "cred" in said.low) and ("/" in said.low or ":" in said.low):
        patterns.append(_PAIR_BEFORE)
    if "pass" in said.low or "pw" in said.low:
        patterns.append(_USER_PASS)
    if "fi" in said.low or "wlan" in said.low or "ssid" in said.low:
        patterns += [_NETWORK, _NETWORK_PHRASE]
    if said.has(_COMMAND_STEMS):
        patterns += _COMMANDS
    for pattern in patterns:
        for match in pattern.finditer(said.text if pattern in _COMMANDS else said.low):
            value = trimmed(said.text[match.start("value") : match.end("value")])
            is_sure = pattern in {_USER_PASS, _NETWORK_PHRASE, *_COMMANDS}
            ports = re.fullmatch(r"[\d:./-]+", value)
            if not is_placeholder(value) and (
                is_value(value) or (is_sure and not ports and not is_predicate(value.lower()))
            ):
                yield SecretSpan(start=match.start("value"), end=match.start("value") + len(value), kind="login")


def _answers(said: Said) -> Iterator[SecretSpan]:
    for pattern in (_ANSWER, _ANSWER_TO, *([_ANSWER_OF] if "security question" in said.low else [])):
        for match in pattern.finditer(said.low):
            value = said.text[match.start("value") : match.end("value")]
            if not describes(value, kind="answer") and not is_placeholder(value):
                yield SecretSpan(start=match.start("value"), end=match.end("value"), kind="security_answer")
