"""Finds secret numbers that a sentence announces: PINs, door and alarm codes, combinations, one-time and backup codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from recollect.policies.secret_shapes import Said, SecretSpan, is_credential

# A code is typed as digits, perhaps in groups, perhaps with a closing key; what follows must not make it a quantity.
_UNITS: Final = (
    r"(?!\s*(?:%|°|lines?|characters?|chars|digits?|letters?|words?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|mins?"
    r"|times|pages?|bytes?|[kmgt]b|miles?|k?m|[cm]m|met(?:er|re)s?|kilos?|kg|g|grams?|euros?|dollars?|pounds?|francs?|people"
    r"|persons?|users?|cars?|pieces?|items?|rows?|tests?|files?|percent|inch(?:es)?|feet|degrees|zeilen|zeichen|líneas|lignes"
    r"|commits?|errors?|steps?|buttons?|keys?|pins?|rooms?|houses?)\b)"
)
_DIGITS: Final = rf"(?<![a-z0-9_.,$€£+-])(?P<code>\d(?:[ .-]?\d){{2,11}}[#*]?[a-d]?)(?![\d:/%°]|[.,]\d|[a-z]){_UNITS}"
_SPELLED_DIGIT: Final = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun)"
)
_SPELLED: Final = rf"(?P<spelled>{_SPELLED_DIGIT}(?:[\s,-]*{_SPELLED_DIGIT}){{3,11}})\b"
_NUMBER: Final = rf"(?:{_DIGITS}|{_SPELLED}|left\s(?P<turns>\d+,?\s(?:right|left)\s\d+(?:,?\s(?:right|left)\s\d+)*))"
_LINK: Final = (
    r"(?:\s*[:=：→|—–]\s*|\s*->\s*|['’]s\s|,?\s+(?:it['’]?s|it\sis|which\sis|c['’]est|namely)\s+(?:now\s)?|\s+-\s+|\s*[#(]\s*"
    r"|\s(?:is|was|are|reads|remains|becomes|will\sbe|has\sbeen|ist|lautet|es|est|é|è|luidt|sont|son)\s"
    r"|\s(?:is|was|got|has\sbeen)?\s?(?:set|changed|reset|updated)\s(?:to|auf|a|en|in|para)\s|\s(?:to|as|of|no\.?|nr\.?|number)\s)"
)
_FILLERS: Final = r"(?:(?:now|still|currently|always|also|just|the|le|el|il|o|probably|again|number)\s)?"
# At most eight words that tell what the code is for; no sentence border in between.
_SCOPE: Final = r"(?:\s[^\s.,;:=!?|]+){0,8}?"

_LOCKS: Final = (
    r"(?:door|doors|gate|alarm|safe|garage|entry|entrance|access|lock|locker|keypad|lock-?box|key\s?(?:box|safe)|vault|unlock|lock"
    r"\sscreen|screen|phone|iphone|ipad|tablet|house|building|apartment|flat|lobby|intercom|buzzer|elevator|lift|shed|barn|cabin"
    r"|cottage|airbnb|gym|parking|pool|mailbox|storage|stairwell|stairs|burglar|disarm|panic|duress|master|voicemail|parental"
    r"|luggage|suitcase|briefcase|bike|bicycle|padlock|deadbolt|warehouse|server\sroom|key-?card|office|security\ssystem"
    r"|tür|haustür|tor|tresor|puerta|portón|alarma|garaje|caja\sfuerte|edificio|porte|portail|immeuble|alarme|coffre"
    r"|portão|porta|cofre|prédio|cancello|allarme|cassaforte|poort|deur|kluis|voordeur)"
)
_CODE_WORD: Final = r"(?:codes?|combination|combo|digits|c(?:ó|o)digo|codice|zahlencode|cijfercode)"
_COMPOUND_CODE: Final = (
    r"(?:t(?:ü|u)rcode|torcode|alarmcode|zugangscode|zahlencode|deurcode|poortcode|alarmcode|toegangscode|digicode|door-?code"
    r"|gate-?code|key\s?(?:safe|box)|lock-?box|keypad)"
)
_ONE_TIME: Final = (
    r"(?:(?:verification|verify|one[\s-]?time|2fa|mfa|two[\s-]factor|two[\s-]step|auth(?:entication|enticator|orization)?|login"
    r"|log[\s-]in|sign[\s-]?in|security|confirmation|sms|text|access|activation|reset|magic|temporary|backup|recovery|scratch"
    r"|emergency|rescue|apple\sid)[\s-](?:pass)?codes?|one[\s-]?time[\s-](?:password|passcode|pin)|\botp\b|\btotp\b|\btan\b"
    r"|authenticator(?:\sapp)?\sshows|code\sde\s(?:v(?:é|e)rification|confirmation)|c(?:ó|o)digo\sde\s(?:verifica|confirma)\S+"
    r"|codice\sdi\s(?:verifica|conferma)|(?:best(?:ä|a)tigungs|verifizierungs|einmal|sicherheits)code|verificatiecode"
    r"|验证码|驗證碼|認証コード|確認コード|код\s(?:подтверждения|из\sсмс|доступа)|인증번호)"
)
_PIN: Final = (
    r"(?:(?<![a-z0-9])(?:pin|puk|p\.i\.n\.)(?:[\s-]?(?:code|number|nummer|no\.?|nr\.?|码|コード|код))?(?![a-z])|pincode|geheimzahl"
    r"|passcode|numer\spin|暗証番号|пин(?:-?код)?(?:а|ом)?|(?:金庫|ロッカー|玄関)の(?:番号|コード)|(?:код|пин(?:-код)?)\s(?:от|для|к|на)\s\S+)"
)
# "area code", "pin 13": another code, or the pin of a chip.
_OTHER_CODE: Final = re.compile(
    r"(?:area|zip|post(?:al|code)?|dress|country|dial(?:l?ing)?|error|exit|status|return|source|bar|qr|morse|colou?r|hex|paint|dye"
    r"|thread|yarn|airport|course|product|promo|discount|coupon|voucher|tax|http|genetic|building|sector|commodity|hs|icd|cpt"
    r"|diagnostic|fault|trouble|currency|language|region|state|station|swift|bic|train|bus|flight|model|part|stock|sku|job|room"
    r"|lot|gpio|arduino|chip|connector|bowling|lapel|rolling|hair|safety|drawing|map|grid|sort|civil|fiscal\w*|postale?)\s*$"
)

_RULES: Final = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("one_time_code", rf"{_ONE_TIME}{_SCOPE}(?:{_LINK}|[\s#(：「]+|は|是|为){_FILLERS}(?:g-)?{_NUMBER}"),
        ("pin", rf"{_PIN}(?:{_SCOPE}{_LINK}{_FILLERS}|[\s#(：「]+|は|是|为){_NUMBER}"),
        ("door_code", rf"\b{_LOCKS}(?:['’]s)?(?:\s\w+){{0,2}}?\s{_CODE_WORD}{_SCOPE}(?:{_LINK}|\s|,\s){_FILLERS}{_NUMBER}"),
        ("door_code", rf"\b{_CODE_WORD}(?:\s[^\s.,;:=!?]+){{1,4}}?[\s'’]{_LOCKS}\b{_SCOPE}{_LINK}{_FILLERS}{_NUMBER}"),
        ("door_code", rf"\b{_COMPOUND_CODE}\b[^.\d\n!?]{{0,40}}{_NUMBER}"),
        ("door_code", rf"\b(?:the|my|your|our|this|that|a)\scode(?:\sfor\sit|\s(?:they|he|she|you|we|i)\s\w+(?:\s\w+)?)?{_LINK}{_FILLERS}{_NUMBER}"),
        ("one_time_code", rf"\byour(?:\s[^\s.,;:=!?]+){{1,3}}?\s(?:code|pin){_LINK}{_FILLERS}{_NUMBER}"),
        ("one_time_code", rf"\b(?:use|enter|type|input|with)\s(?:the\s)?(?:code\s)?{_NUMBER}\s(?:to|as)\s(?:log|sign|verify|confirm|finish|continue|complete|reset|activate|access|your)"),
        ("door_code", rf"\b(?:lock|padlock|keypad|safe|vault|lock-?box|suitcase|locker|phone|tablet|door|gate|alarm|elevator|lift|intercom)(?:\s\w+){{0,2}}?\s(?:opens?|unlocks?|takes|needs|wants|is\sopened|is\sunlocked)(?:\s(?:with|by|using|on))?\s{_NUMBER}"),
        ("door_code", rf"\b(?:suitcase|bike|bicycle|luggage|gym|locker|combination)\slock\s?(?:is|takes|:)\s?{_NUMBER}"),
        ("door_code", rf"\b(?:combination|combo)\b(?:\s(?:for|to|of|on)(?:\s[^\s.,;:=!?]+){{1,5}}?)?{_LINK}{_FILLERS}{_NUMBER}"),
        ("pin", rf"\bunlock\s(?:\w+\s){{1,3}}with\s{_NUMBER}"),
    )
)  # fmt: skip
_TYPED: Final = re.compile(
    rf"\b(?:enter|entering|type|typing|punch(?:ing)?(?:\sin)?|key(?:ing)?\sin|press|pressing|dial|dialling|use|using|put(?:ting)?\sin"
    rf"|tap(?:ping)?(?:\sin)?)\s(?:in\s)?(?:the\s)?(?:code\s)?{_NUMBER}"
)
_OPENS: Final = re.compile(rf"{_NUMBER}\s(?:opens|unlocks|disarms|gets\syou\sin|works\s(?:for|on|at))\b")
_IS_CODE: Final = re.compile(
    rf"(?:g-)?{_NUMBER}\s(?:is|as|for|=|was)\s(?:[^\s.,;:!?]+\s){{0,5}}?(?:pin|passcode|otp|{_CODE_WORD}|one-time\spassword)\b"
)
_LOCK_NEARBY: Final = re.compile(rf"\b{_LOCKS}\b|\bget\sin(?:to)?\b|\blet\syourself\sin\b")
_BACKUP: Final = re.compile(
    r"\b(?:backup|recovery|scratch|emergency|rescue|reset|2fa|two-factor|restore)\s(?:\w+\s){0,2}?(?:codes?|keys?)\b"
    r"(?:\s(?:for|of|to)(?:\s[^\s.,;:=!?]+){1,5}?)?(?:\s*[:=]\s*|\s(?:is|are|was|were)\s|\s)(?P<code>\S.{3,160})"
)
_STEMS: Final = (
    "pin", "puk", "code", "passcode", "combin", "combo", "lock", "keypad", "key safe", "key box", "safe", "vault", "opens", "suitcase",
    "disarm", "gets you", "otp", "tan ", "authenticator", "one-time", "one time", "enter", "typ", "punch", "key in", "press", "dial", "use",
    "digo", "codice", "geheimzahl", "digits", "p.i.n", "backup", "recovery", "scratch", "takes", "needs", "tap", "using", "put",
)  # fmt: skip
_OTHER_SCRIPT: Final = re.compile(r"[^\x00-\u024f]")
_SENTENCE: Final = re.compile(r"[^.!?\n;]*(?:[.!?;](?!\s)[^.!?\n;]*)*")
_HAS_NUMBER: Final = re.compile(rf"\d\W?\d\W?\d|{_SPELLED_DIGIT}\s{_SPELLED_DIGIT}|left\s\d|\d[a-z]|[a-z]\d")


def code_spans(said: Said) -> Iterator[SecretSpan]:
    """Numbers that open, unlock or confirm something."""
    if not _HAS_NUMBER.search(said.low):
        return
    if any(stem in said.low for stem in _STEMS) or _OTHER_SCRIPT.search(said.low):
        for kind, pattern in _RULES:
            for match in pattern.finditer(said.low):
                if not _OTHER_CODE.search(said.low, 0, _keyword_start(match)):
                    yield _span(match, kind)
        for sentence in _SENTENCE.finditer(said.low):
            if sentence.group():
                yield from _in_sentence(sentence.group(), sentence.start())
        yield from _backup_codes(said)


def _keyword_start(match: re.Match[str]) -> int:
    """Where the word "code" or "pin" of a match begins, so that the word before it can be looked at."""
    word = re.search(r"code|pin|c(?:ó|o)digo|codice", match.group())
    return match.start() + (word.start() if word else 0)


def _span(match: re.Match[str], kind: str, offset: int = 0) -> SecretSpan:
    group = next(name for name in ("code", "spelled", "turns") if match.group(name) is not None)
    return SecretSpan(start=offset + match.start(group), end=offset + match.end(group), kind=kind)


def _in_sentence(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Numbers that are typed at, or open, something that the same sentence names."""
    for match in _IS_CODE.finditer(sentence):
        if not _OTHER_CODE.search(match.group().rsplit(" ", 1)[0] + " "):
            yield _span(match, "one_time_code", offset)
    if _LOCK_NEARBY.search(sentence):
        for pattern in (_TYPED, _OPENS):
            for match in pattern.finditer(sentence):
                yield _span(match, "door_code", offset)


def _backup_codes(said: Said) -> Iterator[SecretSpan]:
    for match in _BACKUP.finditer(said.low):
        start = match.start("code")
        for token in re.finditer(r"[^\s,;]+", said.text[start : match.end("code")]):
            value = token.group().rstrip(".")
            if is_credential(value) or (value.isdigit() and len(value) > 5):
                yield SecretSpan(
                    start=start + token.start(), end=start + token.start() + len(value), kind="backup_code"
                )
