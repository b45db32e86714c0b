"""Finds what a sentence of any of a dozen languages gives away: a number that opens something, a login with its word.

Two vocabularies and a few shapes: a word that announces (a code, a lock, a password), and near it, in the same clause,
a value that has the shape of what it announces. The finer rules for English stand in `codes` and `phrases`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.codes import OTHER_CODE, UNITS
from wellkept.policies.secrets.shapes import Said, SecretSpan, is_credential

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

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
_DIGITS: Final = (
    r"(?P<code>(?:\d{4,8}|\d{2}[a-zа-я]\d{2,4}|\d{4}[a-z]|\d{3,4}[ -]\d{3,4}|\d(?:[ -]\d){2,7}"
    r"|\d{1,2}(?:-\d{1,2}){2})[#*]?)"
    r"(?![a-z\dа-я]|[:/%°]|[.,]\d|-\d)"
)
_YEAR: Final = deferred(r"(?:1[5-9]|20)\d\d")
_COUNTED: Final = deferred(
    rf"{UNITS[3:-1]}|\s*(?:uhr|sekunden|minuten|stunden|jahre|secondes|heures|segundos|horas|secondi|ore|seconden|uur|mails?"
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
_SHAPED: Final = deferred(_DIGITS)
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
_SPELLED: Final = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|f(?:ü|u)nf|sechs|sieben|acht|neun"
    r"|z(?:é|e)ro|un|deux|trois|quatre|cinq|sept|huit|neuf|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|due|tre"
    r"|quattro|cinque|sei|sette|otto|nove|um|dois|tr(?:ê|e)s|quatro|sete|oito|nul|een|twee|drie|vijf|zes|zeven|negen"
    r"|jeden|dwa|trzy|cztery|pi(?:ę|e)(?:ć|c)|sze(?:ś|s)(?:ć|c)|siedem|osiem|dziewi(?:ę|e)(?:ć|c)|ноль|один|два|три|четыре"
    r"|пять|шесть|семь|восемь|девять|s(?:ı|i)f(?:ı|i)r|bir|iki|(?:ü|u)(?:ç|c)|d(?:ö|o)rt|be(?:ş|s)|alt(?:ı|i)|yedi"
    r"|sekiz|dokuz)"
)
_SPELLED_CODE: Final = deferred(
    rf"{_CODE}[^.!?;\n\d]{{0,20}}?(?<![^\W\d_])(?P<code>{_SPELLED}(?:[\s,-]+{_SPELLED}){{3,11}})(?![^\W\d_])"
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
_ANNOUNCES: Final = deferred(rf"{_CODE}|{_LOCK}|{_WORD_FOR_IT}|ssh|root|admin|{_TURN}|/\s|:\S+@")
_HINT: Final = deferred(rf"\d|[!#$_]|{_SPELLED}[\s,-]+{_SPELLED}|[零〇一二三四五六七八九]{{4}}|\?\s*\S+\s*$|/\s")


def may_announce(low: str) -> bool:
    """Whether the rules here may find something in a text in lower case."""
    return _HINT.search(low) is not None and _ANNOUNCES.search(low) is not None


def announced_spans(said: Said) -> Iterator[SecretSpan]:
    """Values that stand near a word that announces them, in their shape."""
    if not may_announce(said.low):
        return
    for pattern in (_TURNS, _SPELLED_CODE, _SHORT):
        for found in pattern.finditer(said.low):
            yield _span(found, "script" if found.groupdict().get("script") else "code")
    for found in _ASKED.finditer(said.low):
        if said.text[found.start("code")].isupper() or is_credential(found["code"]):
            yield _span(found)
    for pattern in (_PAIR, _ACCOUNT):
        for found in pattern.finditer(said.text):
            if is_credential(found["code"].rstrip(".,;")) and "/" not in found["code"]:
                yield _span(found)
    for clause in _CLAUSE.finditer(said.low):
        yield from _numbers(clause)
        yield from _credentials(said, clause)


def _span(found: re.Match[str], group: str = "code", offset: int = 0) -> SecretSpan:
    return SecretSpan(start=found.start(group) + offset, end=found.end(group) + offset, kind="unlocking")


def _numbers(clause: re.Match[str]) -> Iterator[SecretSpan]:
    """Numbers in the shape of a code, shortly after a word for a code, or for what is opened and how."""
    text = clause.group()
    words = list(_AROUND.finditer(text))
    for found in _SHAPED.finditer(text) if words else ():
        before, after = text[: found.start()], text[found.end() :]
        is_within = before[-1:].isalnum() and before[-1:].isascii()
        if not is_within and not _COUNTED.match(after) and _opens(text, found, words):
            yield _span(found, offset=clause.start())


def _opens(text: str, found: re.Match[str], words: Sequence[re.Match[str]]) -> bool:
    """Whether a number is given as what opens something, not as a year, a count or the name of a thing."""
    before, after = text[: found.start()], text[found.end() :]
    near = [word for word in words if _is_shortly_before(text, word, found)]
    is_linked = _WITH.search(before) is not None
    stands_alone = any(not text[word.end() : found.start()].strip(" ,:：-はの是") for word in near)
    is_named = _NUMBERED.search(before) is not None and not is_linked
    if is_named or (_YEAR.fullmatch(found["code"]) and not (is_linked or stands_alone)):
        return False
    is_grouped = not found["code"].strip("#*").isalnum()
    is_private = is_grouped or _PRIVATE.search(text) is not None
    is_strong = any(word["strong"] or (word["plain"] and is_private and _is_of_ours(text, word)) for word in near)
    is_lock = any(word["weak"] for word in near) and (is_linked or stands_alone)
    is_behind = any(word["strong"] and 0 <= word.start() - found.end() <= _BEHIND_MAX for word in words)
    return is_strong or (is_lock and _AFTER_LOCK.match(after) is not None) or (is_grouped and is_behind)


def _is_shortly_before(text: str, word: re.Match[str], found: re.Match[str]) -> bool:
    is_near = 0 <= found.start() - word.end() <= _NEAR_MAX
    return is_near and not _DIGIT.search(text[word.end() : found.start()])


def _is_of_ours(text: str, word: re.Match[str]) -> bool:
    """Whether it is no area code, error code or other code that everybody may know."""
    return OTHER_CODE.search(text[: word.start()].rstrip()) is None


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
            if not is_marked and _NAMED_FOR.search(text[: found.start()].lower()):
                continue
            start = at + found.start() + found["code"].index(value)
            yield SecretSpan(start=start, end=start + len(value), kind="unlocking")
