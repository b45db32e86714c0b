"""Judges letters that were written one by one without word gaps: "m y p a s s w o r d i s …" as one long word."""

from __future__ import annotations

import re
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.lexicon import SCRIPT_WORDS
from wellkept.policies.secrets.numbers import is_card
from wellkept.policies.secrets.seeds import is_compact_phrase

_PASSWORD: Final = deferred(
    rf"""(?x)pass(?:word|wort|wr?d|phrase|code|ord)|pwd|contrase[ñn]a|motdepasse|mdp|senha|palavra-?passe|wachtwoord|kennwort|parolad
|has[łl]o|l[öo]senord|salasana|heslo|[şs]ifre|jelsz|parola|k?atasandi|m[ậa]tkh[ẩa]u|(?:wpa2?|wifi|wep|network|shared)key
|psk=|pass[=:]|clave|chiave|memorableword|(?:(?<![a-z])|my|id|the)pw|pw(?:is|[:=])|securitykey|requirepass|sshpass|adgangskode
|kodeord|login:|{SCRIPT_WORDS}"""
)
_OTHER_THING: Final = deferred(r"^(?:manager|reset|policy|protected|field|s?$)")
_NUMBERED: Final = deferred(
    r"pin|puk|code|c[óo]digo|codice|combo|combination|cv[vc]|otp|tan|safe|vault|lock|keypad|gate|door|unlock|verif|account|acct"
    r"|routing|aba|ssn|social|konto|alarm|security|authenticator|backup|recovery|threedigits|opens|signin|logi?n|sortcode"
    r"|checking|savings|shows|код|пин|коддоступа|番号|コード|验证码|elevator|iban|card|left\d+,?right"
)
_DIGITS: Final = deferred(r"\d(?:[-#.]?\d){2,}")
_SPELLED: Final = deferred(r"left\d+,?right\d|(?:zero|one|two|three|four|five|six|seven|eight|nine){4,}")
_KEYED: Final = deferred(
    r"key|token|secret|bearer|auth|licen[sc]e|serial|hash|cookie|session|credential|creds|login|logi?nas|user|seed|basic|sid=|(?:recovery|backup)codes?"
)
_ANSWERED: Final = deferred(r"(?:security|secret)(?:question|answer)|answerto")
_RANDOM_LENGTH_MIN: Final = 5
_ANSWERED_LENGTH_MIN: Final = 21
_REST_MIN: Final = 5


def compact_kind(run: str) -> str | None:
    """The class of the secret in a run of letters without gaps, or nothing.

    Nobody writes letter by letter around the word "password" without a reason, so little else is asked for.
    """
    low = run.lower()
    word = _PASSWORD.search(low)
    if word and len(low) - len(word.group()) >= _REST_MIN and not _OTHER_THING.match(low[word.end() :]):
        return "password"
    if word and any(map(str.isdigit, low[: word.start()])):
        return "password"
    if _NUMBERED.search(low) and (_DIGITS.search(low) or _SPELLED.search(low)):
        return "code"
    keyed = _KEYED.search(low)
    if keyed and _has_key(run[keyed.end() :]):
        return "api_key"
    if _ANSWERED.search(low) and len(low) >= _ANSWERED_LENGTH_MIN:
        return "security_answer"
    if any(is_card(digits[:size]) for digits in re.findall(r"\d{15,}", low) for size in (15, 16)):
        return "payment_card"
    letters = re.sub(r"[^a-z]", "", low)
    return "seed_phrase" if is_compact_phrase(letters) else None


def _has_key(rest: str) -> bool:
    digits = sum(map(str.isdigit, rest))
    return len(rest) >= _RANDOM_LENGTH_MIN and digits > 1
