"""Finds PINs, keys and passwords that a sentence in another language than English announces, by its words for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.shapes import Said, SecretSpan
from wellkept.policies.secrets.stems import known
from wellkept.policies.secrets.values import is_value, trimmed

# One of these stands in every word below that is in Latin letters; most sentences have none.
FOREIGN_STEMS: Final = known(
    ("pin", "api", "код", "codice", "code", "digo", "пин", "пін", "password", "contrasenya", "token")
)

_PINS: Final = (
    r"(?<![a-z])pin(?:[ -]?(?:code|kod(?:u|um|umuz|e[nt]?|en)?|kode[nt]?|koodi(?:ni|n)?|k(?:ó|ő|o)d(?:om|ja|unk)?|ul))?"
    r"|(?<![a-z])mã pin|code (?:secret|confidentiel)|codice (?:segreto|pin)|c(?:ó|o)digo (?:secreto|pin)"
    r"|п[иі]н(?:[ -]?код(?:ът|а|у)?)?|(?<!\w)секретный код"
    r"|핀 ?번호|pin ?번호|暗証コード|pin ?(?:码|碼|コード|番号)|个人识别码"
    r"|(?:رمز|رقم) (?:ال)?(?:pin|تعريف الشخصي)|الرمز السري|رمز (?:کارت|پین)|پین ?کد"
    r"|ה?קוד ה?(?:סודי|pin)|(?:एटीएम |कार्ड का )?पिन(?! ?कोड)|(?:এটিএম )?পিন|รหัส ?(?:pin|atm|เอทีเอ็ม)|κωδικός pin"
)
# Between the word and its number nothing but whose it is, what it is of, and the verb "to be".
_LINKS: Final = (
    r"(?:[\s,]*(?:[:：=–—→-]|(?:μου|μας|είναι|του|της|κάρτας|κινητού|τηλεφώνου|البطاقة|بطاقتي|الهاتف|телефона|le|il|el|o|هو|هي|لي|الخاص(?:ة)?|بي|شما|من|است|של|שלי|שלנו|הוא|היא|मेरा|मेरी|है|का|की"
    r"|আমার|হলো|হল|của|tôi|mình|là|saya|aku|kami|adalah|ialah|ko|ay|min|mitt|mi|mio|mia|min|minun|är|er|on"
    r"|je|to|jest|este|e|meu|minha|é|è|es|est|ist|is|mijn|mój|moje|můj|mea|ni|мой|моя|ми|мій|это|це|е|от|для"
    r"|карты|картки|telefonu|karty|carte|card|kart(?:ım)?|luidt|lautet)(?!\w)|[는은이가はがの]|是|为|為|ของ|ฉัน|ผม|เรา|คือ))"
)
_PIN: Final = deferred(
    rf"(?:{_PINS}){_LINKS}{{0,5}}[\s「『\"'“«]*(?P<value>\d(?:[ -]?\d){{3,7}})"
    r"(?![a-z\d-]|\s?(?:자리|haneli|цифр|ψηφ|位|桁|ครั้ง|หลัก|अंक))"
)
FOREIGN_KEYS: Final = deferred(
    r"api[ -]?(?:キー|密钥|密鑰|金鑰|秘钥|키|ключа?|कुंजी|की(?=\s)|คีย์|anahtar(?:ı|ım|ımız)|sleutel|nyckeln?"
    r"|n(?:ø|o)(?:gle|kkel)[nt]?|avain|kl(?:í|i)(?:č|c)|kulcs(?:om|unk)?|schl(?:ü|u)ssel)"
    r"|(?:ключ|κλειδί|مفتاح|کلید|מפתח|คีย์|klucz|kh(?:ó|o)a|kho(?:á|a)|kunci|cheia?) ?(?:της |του |ה-?)?api"
    r"|(?:chave|clave|chiave|cl(?:é|e)) (?:da |de |do |del |della |dell['’]|d['’])?api"
    r"|एपीआई कुंजी|アクセスキー|シークレットキー|访问令牌|訪問令牌|アクセストークン|액세스 토큰|비밀 키"
    r"|секретный ключ|токен(?:а|ом)?(?: доступа)?|секретен ключ|gizli anahtar(?:ı|ım)?"
    # A borrowed word for a password, with whose it is before or after it.
    r"|password (?:ko|ku|saya|kami|aku|namin|mo|gua)|contrasenya|கடவுச்சொல்|సంకేతపదం|പാസ്‌?വേഡ്|ಪಾಸ್‌?ವರ್ಡ್|પાસવર્ડ|ਪਾਸਵਰਡ|پاس ?ورڈ"
    r"|პაროლი|գաղտնաբառ|құпия ?сөз|ពាក្យសម្ងាត់|စကားဝှက်"
)
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
    for match in _PIN.finditer(said.low):
        yield SecretSpan(start=match.start("value"), end=match.end("value"), kind="pin")
    for word in FOREIGN_KEYS.finditer(said.low):
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
