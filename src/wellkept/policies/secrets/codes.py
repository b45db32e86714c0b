"""Finds what opens, unlocks or confirms something: PINs, door codes, combinations, one-time and backup codes.

First the finer rules for English and its neighbours; then, for a dozen languages, a word that announces (a code, a
lock, a password) and near it, in the same clause, a value that has the shape of what it announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.shapes import Said, SecretSpan, has_other_script, is_any_in, is_credential

# A code is typed as digits, perhaps in groups, perhaps with a closing key; what follows must not make it a quantity.
_UNITS: Final = (
    r"(?!\s*(?:%|°|lines?|characters?|chars|digits?|letters?|words?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|mins?"
    r"|times|pages?|bytes?|[kmgt]b|miles?|k?m|[cm]m|met(?:er|re)s?|kilos?|kg|g|grams?|euros?|dollars?|pounds?|francs?|people"
    r"|persons?|users?|cars?|pieces?|items?|rows?|tests?|files?|percent|inch(?:es)?|feet|degrees|zeilen|zeichen|líneas|lignes"
    r"|commits?|errors?|steps?|buttons?|keys?|pins?|rooms?|houses?)\b)"
)
_DIGITS: Final = (
    r"(?:(?<![a-z0-9_.,$€£+-])|(?<=\bg-))(?P<code>[*#]?(?:\d(?:[ .-]?\d){2,11}[#*]?[a-d]?|\d{2,4}[a-d]\d{1,4}))"
    rf"(?![\d:/%°]|[.,]\d|[a-z]){_UNITS}"
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
_OTHER_CODE: Final = deferred(
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
# A rule is tried on a sentence in which one of its stems stands.
_RULES: Final = tuple(
    (kind, tuple(stems.split()), deferred(pattern))
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
_IS_CODE_STEMS: Final = ("pin", "otp", "time", *_CODE_STEMS.split())
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
_BACKUP_STEMS: Final = ("backup", "recovery", "scratch", "emergency", "rescue", "reset", "2fa", "factor", "restore")
_STEMS: Final = tuple(
    """pin puk code combin kombin combo lock keypad safe vault open suitcase disarm gets otp tan authenticator time
        enter typ punch press dial buzz use using put tap takes needs digo codice geheimzahl digits p.i.n key 2fa mfa
        verification alarm gate door garage elevator lift intercom need ssn social""".split()
)
_SENTENCE_END: Final = deferred(r"[.!?;]\s+|\n\s*\n|(?<=[。！？])")
_HAS_DIGITS: Final = deferred(r"\d(?:\W?\d\W?\d|[a-z]|(?<=[a-z]\d)|(?<=left\s\d))")
_HAS_SPELLED: Final = deferred(rf"{_SPELLED_DIGIT}\s{_SPELLED_DIGIT}")
_SPELLED_STEMS: Final = tuple(re.findall(r"[^\W_]+", _SPELLED_DIGIT))


def code_spans(said: Said) -> Iterator[SecretSpan]:
    """Numbers that open, unlock or confirm something."""
    if not _has_number(said.low):
        return
    if said.has_other_script or said.has(_STEMS):
        yield from _sentence_by_sentence(said.low)
    if said.has(_BACKUP_STEMS):
        yield from _backup_codes(said)


def _sentence_by_sentence(low: str) -> Iterator[SecretSpan]:
    start = 0
    for border in (*_SENTENCE_END.finditer(low), None):
        end = border.end() if border else len(low)
        sentence = low[start:end]
        if _has_number(sentence):
            yield from _in_sentence(sentence, start)
        start = end


def _has_number(part: str) -> bool:
    """Whether a part of the message may have a code, in digits or spelled out."""
    return _HAS_DIGITS.search(part) is not None or (is_any_in(_SPELLED_STEMS, part) and bool(_HAS_SPELLED.search(part)))


def _keyword_start(match: re.Match[str]) -> int:
    """Where the word "code" or "pin" of a match begins, so that the word before it can be looked at."""
    word = re.search(r"code|pin|c(?:ó|o)digo|codice", match.group())
    return match.start() + (word.start() if word else 0)


def _span(match: re.Match[str], kind: str, offset: int = 0) -> SecretSpan:
    group = next(name for name, value in match.groupdict().items() if value is not None)
    return SecretSpan(start=offset + match.start(group), end=offset + match.end(group), kind=kind)


def _in_sentence(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Numbers that the sentence announces, or that are typed at or open something that it names."""
    is_foreign = has_other_script(sentence)
    for kind, stems, pattern in _RULES:
        # In another script than Latin every rule is tried.
        for match in pattern.finditer(sentence) if is_foreign or is_any_in(stems, sentence) else ():
            if not _OTHER_CODE.search(_before(sentence, _keyword_start(match))):
                yield _span(match, kind, offset)
    yield from _named(sentence, offset)
    if _LOCK_NEARBY.search(sentence):
        for pattern in (_TYPED, _OPENS):
            for match in pattern.finditer(sentence):
                yield _span(match, "door_code", offset)


def _named(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Numbers that are said to be a code after them, and codes of a login."""
    if is_any_in(_IS_CODE_STEMS, sentence):
        for match in _IS_CODE.finditer(sentence):
            if not _OTHER_CODE.search(match.group().rsplit(" ", 1)[0] + " "):
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


# --- In any of a dozen languages: a word that announces, and a value of its shape near it.


_CODE: Final = (
    r"(?:(?<![^\W\d_])(?:sim[\s-])?(?:pin|puk|tan|otp|2fa|atm)(?:[\s-]?(?:code|kod\w*|код\w*))?(?![^\W\d_])"
    r"|(?<![^\W\d_])(?:(?:door|gate|alarm|t(?:ü|u)r|tor|zugangs|sperr|backup-?|back-up|reserve|poort)-?)?code(?![^\W\d_])"
    r"|c(?:ó|o)digo|codice|digicode|(?<![^\W\d_])kod(?:u|em|y|um)?(?![^\W\d_])|(?<![^\W\d_])код(?:ом|а|у)?(?![^\W\d_])"
    r"|пин(?:-?код)?|combination|combo(?:['’]s)?(?![^\W\d_])|combinaci(?:ó|o)n|combinazione|combinaison|kombination"
    r"|clave(?![^\W\d_])|geheimzahl|authenticator|暗証番号|認証コード|コード|验证码|驗證碼|备用码|密码|密碼|PIN"
    r"|رمز|الرقم السري)"
)
_PLAIN_CODE: Final = (
    r"(?:(?<![^\W\d_])code(?![^\W\d_])|c(?:ó|o)digo|codice|(?<![^\W\d_])kod(?:u|em|y|um)?(?![^\W\d_])"
    r"|(?<![^\W\d_])код(?:ом|а|у)?(?![^\W\d_])|コード|(?<![^\W\d_])clave(?![^\W\d_])|رمز)"
)
_LOCK: Final = (
    r"(?:(?<![^\W\d_])(?:alarm(?:e|a|anlage|(?:ı|i))?|allarme|safe|vault|tresor|coffre|cofre|cassaforte|kluis|sejf|kasa"
    r"|caja fuerte|gate|garage|garaje|portail|port(?:ó|ã|o|a)o?n?|portal|cancello|poort|bram(?:a|y|ę)"
    r"|kap(?:ı|i)(?:s(?:ı|i))?"
    r"|door|t(?:ü|u)r|porte|puerta|deur|lock|locker|padlock|shed|schloss|cadenas|candado|lucchetto|cadeado|slot"
    r"|k(?:ł|l)(?:ó|o)dk\w*|kili(?:t|di)|intercom|domofon|citofono|digicode|taquilla|airbnb|phone|handy|telefoon|telefon"
    r"|t(?:é|e)l(?:é|e)phone|telefono|celular|m(?:ó|o)vil)(?![^\W\d_])"
    r"|(?:unlocks?|entsperr\w*|d(?:é|e)verrouill\w*|desbloque\w*|desbloqueia|sblocc\w*|odblok\w*|disarms?)(?![^\W\d_])"
    r"|сейф|ворот\w*|замок|замк\w*|домофон|телефон\w*|сигнализац\w*|金庫|門|警報|鍵|スマホ|ロック|保险箱|大门|警报|车锁|手机"
    r"|قفل|باب|الباب)"
)
_WORD_FOR_IT: Final = (
    r"(?:(?<![^\W\d_])(?:admin-?)?(?:password|passwort|passphrase|kennwort|wachtwoord|senha|contrase(?:ñ|n)a|clave|has(?:ł|l)o"
    r"|pass|pw|pwd|mdp|ww|login|creds|credentials|identifiants)(?![^\W\d_])|mot de passe|parola d['’]ordine"
    r"|(?<![^\W\d_])(?:ş|s)ifre(?:m|si|yi|miz)?(?![^\W\d_])|парол(?:ь|я|ем)(?![^\W\d_])|パスワード|密码|密碼"
    r"|كلمة\s(?:المرور|السر|سر))"
)
_BE: Final = (
    r"(?:is|are|was|['’]s|ist|lautet|steht|est|c['’]est|es|è|é|to|zu|auf|as|como|come|naar|na|на|à|a|para|это|be|now|still|="
    r"|[:：=,、，—–-]|は|是|成|هي|هو|إلى)"
)
_CODE_DIGITS: Final = (
    r"(?P<code>(?:\d{4,8}|\d{2}[a-zа-я]\d{2,4}|\d{4}[a-z]|\d{3,4}[ -]\d{3,4}|\d(?:[ -]\d){2,7}"
    r"|\d{1,2}(?:-\d{1,2}){2})[#*]?)"
    r"(?![a-z\dа-я]|[:/%°]|[.,]\d|-\d)"
)
_YEAR: Final = deferred(r"(?:1[5-9]|20)\d\d")
_COUNTED: Final = deferred(
    rf"{_UNITS[3:-1]}|\s*(?:uhr|sekunden|minuten|stunden|jahre|secondes|heures|segundos|horas|secondi|ore|seconden|uur|mails?"
    r"|correos|fotos?|foto|mensagens|mensajes|messages|kilometer|metros|metri|zł|руб|лет|年|日|時|円|元|号|本|通|封|朵)"
)
_NUMBERED: Final = deferred(
    r"(?<![^\W\d_])(?:number|nummer|no\.?|nr\.?|n(?:ú|u)mero|numero|numer|номер|№|room|zimmer|chambre|train|zug|flight|page|seite|born|in|since|from"
    r"|at|on|um|im|seit|von|en|desde|dal|nel|em|om|w|o|в|на|for|für|about|over|than|las|à|a|le|der|die|the)\s*$"
)
_WITH: Final = deferred(
    r"(?:with|by|mit|auf|avec|au|con|com|met|kodem|кодом|tapes|type|press|enter|marca|tapez|wants|want|is|ist|est|es|è|é|to|goes"
    r"|['’]s|code|[:：=,]|は|の|用|(?:ل|ب))\s*$"
)
_AFTER_LOCK: Final = deferred(
    r"\s*(?:$|[.!,;。！#*]|(?:and|then|und|puis|et|y|e|en|to|ile|で|解除|press|hash|on)(?![^\W\d_])|で|解)"
)
_CLAUSE: Final = deferred(r"(?:[^.!?;\n。！？]|[.!?](?=[^\s.!?]))+")
_SHAPED: Final = deferred(_CODE_DIGITS)
_NEAR_MAX: Final = 45
_BEHIND_MAX: Final = 25
_AROUND: Final = deferred(rf"(?P<plain>{_PLAIN_CODE})|(?P<strong>{_CODE})|(?P<weak>{_LOCK})")
# What makes any code one that opens something, or that was sent to somebody.
_PRIVATE: Final = deferred(
    rf"{_LOCK}|(?<![^\W\d_])(?:sms\w*|backup|back-up|respaldo|recupero|reserva|zapasow\w*|yedek|secours|lleg(?:ó|o)|arrivato|chegou|kreeg"
    r"|gelen|re(?:ç|c)u|got|secret\w*|segret\w*|secreto|acc(?:è|e)s|access|accesso|acceso|zugang\w*|sperr\w*|parking|bo(?:î|i)te"
    r"|immeuble|enter|app|carte|tarjeta|cart(?:ã|a)o|karty?|kart\w*|bank\w*|office|building)(?![^\W\d_])|смс|резерв\w*|карт\w*|تحقق|الباب"
)
_DIRECTION: Final = (
    r"(?:left|right|links|rechts|gauche|droite|izquierda|derecha|sinistra|destra|esquerda|direita|lewo|prawo|влево|вправо"
    r"|sola|sa(?:ğ|g)a)"
)
_TURN: Final = (
    rf"(?:\d{{1,2}}\s(?:(?:to the|à|a la|a|w|na|nach)\s)?{_DIRECTION}|[左右]\s?\d{{1,2}}|{_DIRECTION}\s\d{{1,2}})"
)
_TURNS: Final = deferred(rf"(?P<code>{_TURN}(?:[\s,;、，]*(?:(?:then|and|und|puis|y|e|en|dann)\s)?{_TURN}){{2,}})")
_SPELLED_ANY: Final = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|f(?:ü|u)nf|sechs|sieben|acht|neun"
    r"|z(?:é|e)ro|un|deux|trois|quatre|cinq|sept|huit|neuf|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|due|tre"
    r"|quattro|cinque|sei|sette|otto|nove|um|dois|tr(?:ê|e)s|quatro|sete|oito|nul|een|twee|drie|vijf|zes|zeven|negen"
    r"|jeden|dwa|trzy|cztery|pi(?:ę|e)(?:ć|c)|sze(?:ś|s)(?:ć|c)|siedem|osiem|dziewi(?:ę|e)(?:ć|c)|ноль|один|два|три|четыре"
    r"|пять|шесть|семь|восемь|девять|s(?:ı|i)f(?:ı|i)r|bir|iki|(?:ü|u)(?:ç|c)|d(?:ö|o)rt|be(?:ş|s)|alt(?:ı|i)|yedi"
    r"|sekiz|dokuz)"
)
_SPELLED_CODE: Final = deferred(
    rf"{_CODE}[^.!?;\n\d]{{0,20}}?(?<![^\W\d_])(?P<code>{_SPELLED_ANY}(?:[\s,-]+{_SPELLED_ANY}){{3,11}})(?![^\W\d_])"
    r"|(?:密码|密碼|暗証番号)[是は]?\s?(?P<script>[零〇一二三四五六七八九]{4,8})"
)
_SHORT: Final = deferred(
    rf"{_WORD_FOR_IT}(?:\s(?:of|for|do|del?|vom|van|от)\s\S+)?\s?{_BE}?\s*(?P<code>\d{{1,12}})(?=\s*(?:$|[.!;。]|です|だ))"
)
_ASKED: Final = deferred(rf"{_WORD_FOR_IT}[^.!?;\n]{{0,40}}\?\s*(?P<code>[^\s?.!]+[^\s]*)\s*$")
_PAIR: Final = deferred(r"(?:^|[:\s])(?P<user>[\w.@+-]{2,40})\s?/\s(?P<code>\S{6,40})")
_ACCOUNT: Final = deferred(
    r"(?<!\S)(?!(?:mailto|sip|xmpp|acct|https?):)[\w.-]{2,30}:(?P<code>[^\s:@/]{4,40})@[\w-]+(?:\.[\w-]+)*"
)
_WORD: Final = deferred(
    rf"{_WORD_FOR_IT}|(?<![^\W\d_])(?:ssh(?=\s)|root|admin|unlocks|log in|inloggen|einloggen)(?![^\W\d_])"
)
_TOKEN: Final = deferred(r"(?P<code>[^\s「」『』()\"“”‘’,、，]{5,40})")
_MARK: Final = deferred(r"[!#$&*_+=]")
_NAMED_FOR: Final = deferred(
    r"(?:for|on|für|pour|para|per|voor|для|için|the|my|our|his|her|an?|un|una|le|la|el|il|mein)\s$"
)
_READ_MAX: Final = 60
_CHOSEN_MAX: Final = 30
_DIGIT: Final = deferred(r"\d")


def announced_spans(said: Said) -> Iterator[SecretSpan]:
    """Values that stand near a word that announces them, in their shape."""
    for pattern in (_SPELLED_CODE, *((_TURNS, _SHORT) if said.digits else ())):
        for found in pattern.finditer(said.low):
            yield _unlocking(found, "script" if found.groupdict().get("script") else "code")
    for found in _ASKED.finditer(said.low) if "?" in said.low else ():
        if said.text[found.start("code")].isupper() or is_credential(found["code"]):
            yield _unlocking(found)
    for sign, pattern in (("/", _PAIR), ("@", _ACCOUNT)):
        for found in pattern.finditer(said.text) if sign in said.text else ():
            if is_credential(found["code"].rstrip(".,;")) and "/" not in found["code"]:
                yield _unlocking(found)
    for clause in _CLAUSE.finditer(said.low) if said.digits else ():
        if _DIGIT.search(clause.group()):
            yield from _numbers(clause)
            yield from _credentials(said, clause)


def _unlocking(found: re.Match[str], group: str = "code", offset: int = 0) -> SecretSpan:
    return SecretSpan(start=found.start(group) + offset, end=found.end(group) + offset, kind="unlocking")


def _numbers(clause: re.Match[str]) -> Iterator[SecretSpan]:
    """Numbers in the shape of a code, shortly after a word for a code, or for what is opened and how."""
    text, numbers = clause.group(), list(_SHAPED.finditer(clause.group()))
    if not numbers or not _AROUND.search(text):
        return
    is_private = _PRIVATE.search(text) is not None
    for found in numbers:
        start, end = found.span()
        is_within = text[start - 1 : start].isalnum() and text[start - 1 : start].isascii()
        if is_within or _COUNTED.match(text, end):
            continue
        words = list(_AROUND.finditer(text, max(0, start - _READ_MAX), end + _READ_MAX))
        if words and _opens(text, found, words, is_private=is_private):
            yield _unlocking(found, offset=clause.start())


def _opens(text: str, found: re.Match[str], words: Sequence[re.Match[str]], *, is_private: bool) -> bool:
    """Whether a number is given as what opens something, not as a year, a count or the name of a thing."""
    before, after = _before(text, found.start()), text[found.end() : found.end() + _READ_MAX]
    near = [word for word in words if _is_shortly_before(text, word, found)]
    is_linked = _WITH.search(before) is not None
    stands_alone = any(not text[word.end() : found.start()].strip(" ,:：-はの是") for word in near)
    is_named = _NUMBERED.search(before) is not None and not is_linked
    if is_named or (_YEAR.fullmatch(found["code"]) and not (is_linked or stands_alone)):
        return False
    is_grouped = not found["code"].strip("#*").isalnum()
    is_ours = is_grouped or is_private
    is_strong = any(word["strong"] or (word["plain"] and is_ours and _is_of_ours(text, word)) for word in near)
    is_lock = any(word["weak"] for word in near) and (is_linked or stands_alone)
    is_behind = any(word["strong"] and 0 <= word.start() - found.end() <= _BEHIND_MAX for word in words)
    return is_strong or (is_lock and _AFTER_LOCK.match(after) is not None) or (is_grouped and is_behind)


def _before(text: str, end: int) -> str:
    """As much of the text before a place as the rules read."""
    return text[max(0, end - _READ_MAX) : end]


def _is_shortly_before(text: str, word: re.Match[str], found: re.Match[str]) -> bool:
    is_near = 0 <= found.start() - word.end() <= _NEAR_MAX
    return is_near and not _DIGIT.search(text[word.end() : found.start()])


def _is_of_ours(text: str, word: re.Match[str]) -> bool:
    """Whether it is no area code, error code or other code that everybody may know."""
    return _OTHER_CODE.search(_before(text, word.start()).rstrip()) is None


def _credentials(said: Said, clause: re.Match[str]) -> Iterator[SecretSpan]:
    """Words in the shape of a password, shortly after a word for one in the same clause."""
    text, at = said.text[clause.start() : clause.end()], clause.start()
    for word in _WORD.finditer(clause.group()):
        for found in _TOKEN.finditer(text, word.end(), min(len(text), word.end() + _READ_MAX)):
            value = found["code"].lstrip("=:").rstrip(".,;:?")
            digits = sum(letter.isdigit() for letter in value)
            is_marked = _MARK.search(value[1:]) is not None and digits > 0
            is_chosen = digits >= 1 and value[:1].isalpha() and value[-1:].isdigit()
            if not is_credential(value) or not (is_marked or is_chosen) or "%" in value or len(value) > _CHOSEN_MAX:
                continue
            if not is_marked and _NAMED_FOR.search(_before(text, found.start()).lower()):
                continue
            start = at + found.start() + found["code"].index(value)
            yield SecretSpan(start=start, end=start + len(value), kind="unlocking")
