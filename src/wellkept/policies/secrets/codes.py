"""Finds secret numbers that a sentence announces: PINs, door codes, combinations, one-time and backup codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.lexicon import words
from wellkept.policies.secrets.shapes import Said, SecretSpan, is_credential, known, stems_in

# A code is typed as digits, perhaps in groups, perhaps with a closing key; what follows must not make it a quantity.
UNITS: Final = (
    r"(?!\s*(?:%|°|lines?|characters?|chars|digits?|letters?|words?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|mins?"
    r"|times|pages?|bytes?|[kmgt]b|miles?|k?m|[cm]m|met(?:er|re)s?|kilos?|kg|g|grams?|euros?|dollars?|pounds?|francs?|people"
    r"|persons?|users?|cars?|pieces?|items?|rows?|tests?|files?|percent|inch(?:es)?|feet|degrees|zeilen|zeichen|líneas|lignes"
    r"|commits?|errors?|steps?|buttons?|keys?|pins?|rooms?|houses?)\b)"
)
_DIGITS: Final = (
    r"(?:(?<![a-z0-9_.,$€£+-])|(?<=\bg-))(?P<code>[*#]?(?:\d(?:[ .-]?\d){2,11}[#*]?[a-d]?|\d{2,4}[a-d]\d{1,4}))"
    rf"(?![\d:/%°]|[.,]\d|[a-z]){UNITS}"
)
_SPELLED_DIGIT: Final = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun)"
)
_SPELLED: Final = rf"(?P<spelled>{_SPELLED_DIGIT}(?:[\s,-]*{_SPELLED_DIGIT}){{3,11}})\b"
_NUMBER: Final = rf"(?:{_DIGITS}|{_SPELLED}|left\s(?P<turns>\d+,?\s(?:right|left)\s\d+(?:,?\s(?:right|left)\s\d+)*))"
_LINK: Final = (
    r"(?:\s*[:=：→|—–]\s*|\s*->\s*|['’]s\s|,?\s+(?:it['’]?s|it\sis|which\sis|c['’]est|namely)\s+(?:now\s)?|\s+-\s+|\s*[#(]\s*"
    r"|\s(?:is|was|are|reads|remains|becomes|will\sbe|has\sbeen|used\sto\sbe|happens\sto\sbe|ist|lautet|es|est|é|è|luidt|sont|son)\s"
    r"|\s(?:is|was|got|has\sbeen)?\s?(?:set|changed|reset|updated)\s(?:to|auf|a|en|in|para)\s|\s(?:to|as|of|no\.?|nr\.?|number)\s)"
)
_FILLERS: Final = r"(?:(?:now|still|currently|always|also|just|the|le|el|il|o|probably|again|number)\s)?"
# At most eight words that tell what the code is for; no sentence border in between.
_SCOPE: Final = r"(?:\s[^\s.,;:=!?|]+){0,8}?"

_LOCKS: Final = (
    r"(?:doors?|gate|alarm|safe|garage|entry|entrance|access|lock|locker|keypad|lock-?box|key\s?(?:box|safe)|vault|unlock"
    r"|lock\sscreen|screen|phone|iphone|ipad|tablet|house|building|apartment|flat|lobby|intercom|buzzer|elevator|lift|shed"
    r"|barn|cabin|cottage|airbnb|gym|parking|pool|mailbox|storage|stairwell|stairs|burglar|disarm|panic|duress|master"
    r"|voicemail|parental|luggage|suitcase|briefcase|bike|bicycle|padlock|deadbolt|warehouse|server\sroom|key-?card|office"
    r"|security\ssystem|card|tür|haustür|tor|tresor|handy|karte|puerta|portón|alarma|garaje|caja\sfuerte|edificio|tarjeta"
    r"|móvil|porte|portail|immeuble|alarme|coffre|téléphone|carte|portão|porta|cofre|prédio|cart(?:ã|a)o|celular|cancello"
    r"|allarme|cassaforte|bancomat|telefono|sblocco|desbloqueo|poort|deur|kluis|voordeur)"
)
# Places that have codes, but whose own numbers mostly are none ("room 1204").
_PLACES: Final = (
    r"(?:room|store|laundry|basement|cellar|attic|bathroom|toilets?|restroom|lab|archive|studio|clinic|shop|church|school|dorm"
    r"|hostel|hotel|rental|van|trailer|boat|marina|dock|camp|chest|cabinet|drawer|box|trunk|car|bin|club|courtyard|yard)"
)
_CODE_WORD: Final = (
    r"(?:codes?|combination|combo|digits|c(?:ó|o)digo|codice|zahlencode|cijfercode|combinazione|combinaci(?:ó|o)n|combinaison"
    r"|kombination|combinatie)"
)
_COMPOUND_CODE: Final = (
    r"(?:(?:t(?:ü|u)r|tor|alarm|zugangs|eingangs|zahlen|safe|tresor|garagen|haus|keller|deur|poort|kluis|toegangs|door|gate)"
    r"-?(?:code|kombination|combinatie|pin)|digicode|key\s?(?:safe|box)|lock-?box|keypad)"
)
_PURPOSE: Final = (
    r"(?:\s(?:to|for)\s(?:get(?:ting)?\s(?:in|into|inside)|open(?:ing)?|enter(?:ing)?|unlock(?:ing)?|access(?:ing)?"
    r"|disarm(?:ing)?)\b[^.,;:!?\d\n]{0,40}?)"
)
_BRANDS: Final = (
    r"whatsapp|telegram|google|facebook|instagram|uber|lyft|paypal|amazon|apple|microsoft|discord|signal|steam|netflix"
    r"|twitter|tiktok|snapchat|linkedin|venmo|binance|coinbase|viber|wechat|yahoo|dropbox|github|slack|zoom|ebay|okta|duo"
)
_ONE_TIME: Final = (
    r"(?:(?:verification|verify|one[\s-]?time|2fa|mfa|two[\s-]factor|two[\s-]step|auth(?:entication|enticator|orization)?"
    r"|login|log[\s-]in|sign[\s-]?in|security|confirmation|sms|text|access|activation|reset|magic|temporary|backup|recovery"
    rf"|scratch|emergency|rescue|apple\sid|guard|{_BRANDS})[\s-](?:pass)?codes?|one[\s-]?time[\s-](?:password|passcode|pin)|\botp\b"
    r"|\btotp\b|\btan\b|authenticator(?:\sapp)?\s(?:is\s)?(?:shows|showing|says|displays|gives)|token\s(?:on|from|in)\s(?:\w+\s)?authenticator"
    r"|code\sde\s(?:v(?:é|e)rification|confirmation)|c(?:ó|o)digo\sde\s(?:verifica|confirma)\S+"
    r"|codice\sdi\s(?:verifica|conferma)|(?:best(?:ä|a)tigungs|verifizierungs|einmal|sicherheits)code|verificatiecode"
    r"|验证码|驗證碼|認証コード|確認コード|код\s(?:подтверждения|из\sсмс|доступа)|인증번호)"
)
_PIN: Final = (
    r"(?:(?<![a-z0-9])(?:pin|puk|p\.i\.n\.)(?:[\s-]?(?:code|number|nummer|no\.?|nr\.?|码|コード|код))?(?![a-z])|pincode|geheimzahl"
    r"|passcode|numer\spin|暗証番号|пин(?:-?код)?(?:а|ом)?|(?:金庫|ロッカー|玄関)の(?:番号|コード))"
)
_OTHER_RUSSIAN: Final = r"(?:города|страны|региона|товара|ошибки|цвета|валюты|программы|проекта)"
# "area code", "pin 13": another code, or the pin of a chip.
OTHER_CODE: Final = deferred(
    r"(?:area|zip|post(?:al|code)?|dress|country|dial(?:l?ing)?|error|exit|status|return|source|bar|qr|morse|colou?r|hex|paint|dye"
    r"|thread|yarn|airport|course|product|promo|discount|coupon|voucher|tax|http|genetic|sector|commodity|hs|icd|cpt"
    r"|diagnostic|fault|trouble|currency|language|region|state|station|swift|bic|train|bus|flight|model|part|stock|sku|job|room"
    r"|lot|gpio|arduino|chip|connector|bowling|lapel|rolling|hair|safety|drawing|map|grid|sort|civil|fiscal\w*|postale?)\s*$"
)

_LOCK_ITEM: Final = (
    r"(?:lock|padlock|keypad|safe|vault|lock-?box|suitcase|locker|phone|tablet|door|gate|alarm|elevator|lift|intercom)"
)
_LOCK_VERB: Final = r"(?:opens?|unlocks?|takes|needs|wants|is\s(?:opened|unlocked))"
_CODE_ADJECTIVE: Final = r"(?:(?:\w+-digit|new|old|current|temporary|secret|private)\s)"
_CODE_ORIGIN: Final = r"(?:\s(?:for\sit|from|by|they|he|she|you|we|i|sent)\b[^.,;:!?\d\n]{0,40}?)"
_CONFIRM: Final = r"(?:log|sign|verify|confirm|finish|continue|complete|reset|activate|access|your)"
_VALUE: Final = rf"{_LINK}{_FILLERS}{_NUMBER}"
_NOUN_PHRASE: Final = r"(?:\s[^\s.,;:=!?]+)"
_CODE_STEMS: Final = "code codice combin combo digits digo kombination"
# A rule is tried on a sentence in which one of its stems stands; in another script than Latin every one is.
_RULES: Final = tuple(
    (kind, known(stems.split()), deferred(pattern))
    for kind, stems, pattern in (
        (
            "one_time_code",
            "code codice otp tan authenticator time digo",
            rf"{_ONE_TIME}{_SCOPE}(?:{_LINK}|[\s#(：「]+|は|是|为){_FILLERS}(?:g-)?{_NUMBER}",
        ),
        ("one_time_code", "2fa mfa otp verification", rf"\b(?:2fa|mfa|otp|totp|verification)\s?[:=]\s?{_NUMBER}"),
        (
            "one_time_code",
            "code",
            rf"\b(?:sent|texted|gave|got|received)\s(?:me\s|us\s)?(?:the\s|a\s)?(?:\w+\s)?code\s(?:g-)?{_NUMBER}",
        ),
        ("one_time_code", "code pin", rf"\byour{_NOUN_PHRASE}{{1,3}}?\s(?:code|pin){_VALUE}"),
        (
            "one_time_code",
            "use enter type input with",
            rf"\b(?:use|enter|type|input|with)\s(?:the\s)?(?:code\s)?{_NUMBER}\s(?:to|as)\s{_CONFIRM}",
        ),
        ("pin", "", rf"(?<!\w)(?:мой\s)?(?:пин|код)\S*(?:\s(?!{_OTHER_RUSSIAN})[а-яё]+){{0,3}}?[\s:—–-]+{_NUMBER}"),
        (
            "pin",
            "pin puk p.i.n geheimzahl passcode",
            rf"{_PIN}(?:{_SCOPE}{_LINK}{_FILLERS}|[\s#(：「]+|は|是|为){_NUMBER}",
        ),
        ("pin", "unlock", rf"\bunlock\s(?:\w+\s){{1,3}}with\s{_NUMBER}"),
        (
            "door_code",
            _CODE_STEMS,
            rf"\b{_LOCKS}(?:['’]s)?(?:\s\w+){{0,2}}?\s{_CODE_WORD}{_SCOPE}(?:{_LINK}|\s|,\s){_FILLERS}{_NUMBER}",
        ),
        ("door_code", _CODE_STEMS, rf"\b{_CODE_WORD}{_NOUN_PHRASE}{{1,4}}?[\s'’]{_LOCKS}\b{_SCOPE}{_VALUE}"),
        ("door_code", _CODE_STEMS, rf"\b{_CODE_WORD}{_PURPOSE}{_VALUE}"),
        ("door_code", "# *", rf"\b{_LOCK_ITEM}\s(?=\d+[#*]){_NUMBER}"),
        ("door_code", "need", rf"\bneed\s{_NUMBER}\sto\s(?:get|open|enter|unlock)\b"),
        ("ssn", "ssn social", rf"\b(?:ssn|social\ssecurity(?:\snumber)?)(?:\sis|\s?:)\s{_SPELLED}"),
        ("door_code", "code", rf"\bcode\s(?:for|to|of)(?:\s[^\s.,;:=!?]+){{0,3}}?\s{_PLACES}\b{_SCOPE}{_VALUE}"),
        (
            "door_code",
            "code kombination combinatie pin key lockbox lock-box",
            rf"\b{_COMPOUND_CODE}\b[^.\d\n!?]{{0,40}}{_NUMBER}",
        ),
        (
            "door_code",
            "code",
            rf"\b(?:the|my|your|our|this|that|a|his|her|their)\s{_CODE_ADJECTIVE}?code{_CODE_ORIGIN}?{_VALUE}",
        ),
        ("door_code", "code", rf"(?:^|[.!?\n]\s?)code\s?[:=]\s?{_NUMBER}"),
        (
            "door_code",
            "alarm safe vault lock gate door garage",
            rf"\b(?:alarm|safe|vault|locker|padlock|gate|door|garage)\s?[:=]\s?{_NUMBER}",
        ),
        ("door_code", "open unlock disarm", rf"\b(?:open|unlock|disarm)\s(?:\w+\s){{1,4}}?(?:with|using)\s{_NUMBER}"),
        (
            "door_code",
            "lock keypad safe vault suitcase phone tablet door gate alarm elevator lift intercom",
            rf"\b{_LOCK_ITEM}(?:\s\w+){{0,2}}?\s{_LOCK_VERB}(?:\s(?:with|by|using|on))?\s{_NUMBER}",
        ),
        (
            "door_code",
            "lock",
            rf"\b(?:suitcase|bike|bicycle|luggage|gym|locker|combination|tsa)\slock\s?(?:is\sset\sto|is|takes|:)\s?{_NUMBER}",
        ),
        (
            "door_code",
            "combin combo kombination",
            rf"\b(?:combination|combo|combinazione|kombination)\b(?:\s(?:for|to|of|on){_NOUN_PHRASE}{{1,5}}?)?{_VALUE}",
        ),
    )
)
_TYPED: Final = deferred(
    r"\b(?:enter(?:ing)?|typ(?:e|ing)|punch(?:ing)?(?:\sin)?|key(?:ing)?\sin|press(?:ing)?|dial(?:ling)?|buzz|us(?:e|ing)"
    rf"|put(?:ting)?\sin|tap(?:ping)?(?:\sin)?)\s(?:in\s)?(?:the\s)?(?:code\s)?{_NUMBER}"
)
_OPENS: Final = deferred(rf"{_NUMBER}\s(?:opens|unlocks|disarms|gets\syou\sin|works\s(?:for|on|at))\b")
_IS_CODE: Final = deferred(
    rf"(?:g-)?{_NUMBER}\s?(?:\s(?:is|as|for|was)|[=:,–—-])\s(?:[^\s.,;:!?]+\s){{0,5}}?"
    rf"(?:pin|passcode|otp|{_CODE_WORD}|one-time\spassword)\b"
)
_IS_CODE_STEMS: Final = known(("pin", "otp", "time", *_CODE_STEMS.split()))
_LOCK_NEARBY: Final = deferred(rf"\b{_LOCKS}\b|\bget\sin(?:to)?\b|\blet\syourself\sin\b")
_BACKUP: Final = deferred(
    r"\b(?:backup|recovery|scratch|emergency|rescue|reset|2fa|two-factor|restore)\s(?:\w+\s){0,2}?(?:codes?|keys?)\b"
    r"(?:\s(?:for|of|to)(?:\s[^\s.,;:=!?]+){1,5}?)?(?:\s*[:=]\s*|\s(?:is|are|was|were)\s|\s)(?P<code>\S.{3,160})"
)
_LETTERED: Final = deferred(
    r"\b(?:verification|security|login|one-time|2fa|guard|auth|authentication|reset|sign-in)\scode"
    r"(?:\s(?:for|they|i|from|you)\b[^.,;:!?\n]{0,40}?)?(?:\s?[:=]\s?|\s(?:is|was)\s)(?P<code>[a-z0-9]{5,10})\b"
)
_BACKUP_DIGITS_MIN: Final = 6
_BACKUP_STEMS: Final = known(
    ("backup", "recovery", "scratch", "emergency", "rescue", "reset", "2fa", "factor", "restore")
)
_STEMS: Final = known(
    words(
        """pin puk code combin kombin combo lock keypad safe vault open suitcase disarm gets otp tan authenticator time
        enter typ punch press dial buzz use using put tap takes needs digo codice geheimzahl digits p.i.n key 2fa mfa
        verification alarm gate door garage elevator lift intercom need ssn social"""
    )
)
_OTHER_SCRIPT: Final = deferred(r"[^\x00-\u024f]")
_SENTENCE_END: Final = deferred(r"[.!?;]\s+|\n\s*\n|(?<=[。！？])")
_HAS_DIGITS: Final = deferred(r"\d(?:\W?\d\W?\d|[a-z]|(?<=[a-z]\d)|(?<=left\s\d))")
_HAS_SPELLED: Final = deferred(rf"{_SPELLED_DIGIT}\s{_SPELLED_DIGIT}")
SPELLED_STEMS: Final = known(re.findall(r"[^\W_]+", _SPELLED_DIGIT))
# A number that is typed, and no word for a code beside it; the words are found by their first letters.
_TYPED_NUMBER: Final = "|".join(
    rf"{verbs}(?:\sin){{0,2}}(?:\sthe)?\s[*#]?\d"
    for verbs in (
        "enter(?:ing)?", "t(?:yp(?:e|ing)|ap(?:ping)?)", "p(?:unch(?:ing)?|ress(?:ing)?|ut(?:ting)?)",
        "dial(?:ling)?", "buzz", "us(?:e|ing)", "input", "with", "need",
    )
)  # fmt: skip
CODE_SIGNS: Final = (
    r"code|codice|digo|combin|kombin|combo|digits|pin|p\.i\.n|puk|pass|otp|tan\b(?<=\btan)|authenticator|mfa|verification|geheimzahl"
    r"|key|lock|safe|vault|suitcase|phone|tablet|door|gate|alarm|garage|elevator|lift|intercom|open|disarm"
    rf"|left\s\d|\d[#*]?\s(?:gets|works)|{_TYPED_NUMBER}"
)
"""In a Latin text one of these stands in every sentence in which a number in digits is a code."""


def code_spans(said: Said) -> Iterator[SecretSpan]:
    """Numbers that open, unlock or confirm something."""
    if not _has_number(said.low, said):
        return
    if said.has_other_script or not _STEMS.isdisjoint(said.stems):
        yield from _sentence_by_sentence(said)
    if not _BACKUP_STEMS.isdisjoint(said.stems):
        yield from _backup_codes(said)


def _sentence_by_sentence(said: Said) -> Iterator[SecretSpan]:
    start = 0
    for border in (*_SENTENCE_END.finditer(said.low), None):
        end = border.end() if border else len(said.low)
        sentence = said.low[start:end]
        is_whole = sentence == said.low
        if is_whole or _has_number(sentence, said):
            stems = said.stems if is_whole else stems_in(sentence)
            if not _STEMS.isdisjoint(stems) or _OTHER_SCRIPT.search(sentence):
                yield from _in_sentence(sentence, start, stems)
        start = end


def _has_number(part: str, said: Said) -> bool:
    """Whether a part of the message may have a code, in digits or spelled out."""
    if said.digits and _HAS_DIGITS.search(part):
        return True
    return not SPELLED_STEMS.isdisjoint(said.stems) and _HAS_SPELLED.search(part) is not None


def _keyword_start(match: re.Match[str]) -> int:
    """Where the word "code" or "pin" of a match begins, so that the word before it can be looked at."""
    word = re.search(r"code|pin|c(?:ó|o)digo|codice", match.group())
    return match.start() + (word.start() if word else 0)


def _span(match: re.Match[str], kind: str, offset: int = 0) -> SecretSpan:
    group = next(name for name, value in match.groupdict().items() if value is not None)
    return SecretSpan(start=offset + match.start(group), end=offset + match.end(group), kind=kind)


def _in_sentence(sentence: str, offset: int, stems: frozenset[str]) -> Iterator[SecretSpan]:
    """Numbers that the sentence announces, or that are typed at or open something that it names."""
    for kind, pattern in _tried(sentence, stems):
        for match in pattern.finditer(sentence):
            if not OTHER_CODE.search(sentence, 0, _keyword_start(match)):
                yield _span(match, kind, offset)
    yield from _named(sentence, offset, stems)
    if _LOCK_NEARBY.search(sentence):
        for pattern in (_TYPED, _OPENS):
            for match in pattern.finditer(sentence):
                yield _span(match, "door_code", offset)


def _tried(sentence: str, there: frozenset[str]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The rules that could find something in the sentence."""
    is_foreign = _OTHER_SCRIPT.search(sentence) is not None
    for kind, stems, pattern in _RULES:
        if is_foreign or not stems.isdisjoint(there):
            yield kind, pattern


def _named(sentence: str, offset: int, stems: frozenset[str]) -> Iterator[SecretSpan]:
    """Numbers that are said to be a code after them, and codes of a login."""
    if not _IS_CODE_STEMS.isdisjoint(stems):
        for match in _IS_CODE.finditer(sentence):
            if not OTHER_CODE.search(match.group().rsplit(" ", 1)[0] + " "):
                yield _span(match, "one_time_code", offset)
    if "code" in sentence:
        yield from _lettered(sentence, offset)


def _lettered(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Codes of digits and letters, where the sentence says that they are for a login."""
    for match in _LETTERED.finditer(sentence):
        code = match.group("code")
        if any(map(str.isdigit, code)) and not code.isdigit():
            yield SecretSpan(start=offset + match.start("code"), end=offset + match.end("code"), kind="one_time_code")


def _backup_codes(said: Said) -> Iterator[SecretSpan]:
    for match in _BACKUP.finditer(said.low):
        start = match.start("code")
        for token in re.finditer(r"[^\s,;]+", said.text[start : match.end("code")]):
            value = token.group().rstrip(".")
            if is_credential(value) or (value.isdigit() and len(value) >= _BACKUP_DIGITS_MIN):
                yield SecretSpan(
                    start=start + token.start(), end=start + token.start() + len(value), kind="backup_code"
                )
