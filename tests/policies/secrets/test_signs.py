"""What is said at a glance: no text in which a rule finds a secret is passed over, and most ordinary texts are."""

from __future__ import annotations

import random
import re
import unicodedata

import pytest

from evals.secrets.make import cases
from wellkept.policies.secrets import detector, disguise, signs
from wellkept.policies.secrets.disguise import View, folded, latinised
from wellkept.policies.secrets.lexicon import EVERYDAY_WORDS
from wellkept.policies.secrets.seed_words import SEED_WORDS

LETTERS = [
    chr(code)
    for ranges in (signs.LATIN, signs._SCRIPT)
    for first, last in re.findall("(.)-(.)", ranges)
    for code in range(ord(first), ord(last) + 1)
]
# What announces a secret, in ordinary words alone.
NAMES = """
    my password|kennwort|la contraseña|mot de passe|senha|palavra passe|wachtwoord|hasło|lösenord|salasana|heslo|şifre
    parola|mật khẩu|kata sandi|clave|clé|safe word|schlüssel|login|memorable word|pw|paswrd|wifi|network key|hotspot
    my pin|puk|geheimzahl|mã pin|code secret|codice segreto|código pin|door code|combo|the safe:|garage:|unlock it with
    need|use|enter the|opens with|the vault takes|verification code|otp|tan|authenticator shows|backup code|API key
    klucz API|API avain|password ko|client secret|product key|token|cookie|my ssn|social security number|account number
    cuenta|routing|cvv|number on the back|secret answer|answer to my security question|log in with admin and|wallet
    密码|パスワード|暗証番号|비밀번호|كلمة المرور|הסיסמה|पासवर्ड|รหัสผ่าน|验证码|アクセスキー|एटीएम पिन
"""
NAMED = [name.strip() for line in NAMES.strip().splitlines() for name in line.split("|")]
LINKS = (" ", " is ", ": ", " is now ", ", it’s ", " for the cabin is ", " to ", " jest ", "は", " हैं ")
VALUES = (
    "sunshine",
    "correct horse battery staple",
    "4471",
    "123456789",
    "12 34 56",
    "one two three four",
    "onetwothreefour to finish by 4471",
    "left 12 right 30",
    "4111 1111 1111 1111",
    "4471 opens the door",
    "abcdefghijklmnopqrst",
)
CODED = ["Note 70 77 20 69 73 20 34 34 37 31", "Say Qihwdzphamdhamth to them"]


def test_every_text_in_which_a_rule_finds_something_has_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [name + link + value for name in NAMED for link in LINKS for value in VALUES]
    chance = random.Random(7)
    seeds = [" ".join(chance.choices(SEED_WORDS.split(), k=12)) for _ in range(50)]
    texts = [*told, *seeds, *CODED, *(case.text for case in list(cases("train"))[::7])]
    monkeypatch.setattr(detector, "may_hold_secret", lambda _: True)
    found = [text for text in texts if detector.has_secret(text)]
    assert [text for text in found if not signs.may_hold_secret(text)] == []
    assert [name for name in NAMED if not any(text.startswith(name) and "4111" not in text for text in found)] == []
    assert {*CODED} < {*found}
    assert len(found) < len(texts)


def test_everyday_words_are_passed_over_only_where_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(9)
    loud = [*" ".join(NAMED).split(), *" ".join(VALUES).split(), *"I a with in use -p left bed face don't Anna".split()]
    everyday = EVERYDAY_WORDS.split()
    rows = [chance.choices(everyday, k=9) + chance.choices(loud, k=chance.randint(0, 4)) for _ in range(3_000)]
    for row in rows:
        chance.shuffle(row)
    alone = [f"{beside} {word} {beside}" for word in everyday for beside in ("1234", "one")]
    gaps = ["tea  for two", " tea for me", "tea for me ", *(f"{word}  " for word in loud)]
    texts = [*alone, *map(" ".join, rows), *gaps]
    found = {text: signs.may_hold_secret(text) for text in texts}
    assert not any(found[text] for text in alone)
    assert len({*found.values()}) == 2
    monkeypatch.setattr(signs, "_is_everyday", lambda _: False)
    assert found == {text: signs.may_hold_secret(text) for text in texts}


def test_letters_that_are_kept_are_read_as_nothing_else() -> None:
    kept = [chr(code) for code in range(0x10000) if disguise._KEPT.fullmatch(chr(code))]
    assert len(kept) > 30_000
    assert [letter for letter in kept for before in "aक" if disguise._plain(letter, [before]) != letter] == []


def test_letters_of_ordinary_words_hide_no_other() -> None:
    assert latinised(View(text=" ".join(LETTERS))) == []
    assert [letter for letter in LETTERS if len(letter.lower()) > 1] == []
    read = [
        folded(before + letter).text for before in "नก" for letter in LETTERS if unicodedata.category(letter) == "Mn"
    ]
    assert len(read) > 50
    assert [text for text in read if not re.fullmatch(f"[{signs._SCRIPT}]+", text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "The meeting about topic 312 was long",
        "Ich wohne jetzt in Köln, und das Bundesministerium auch.",
        "Vivo en Bogotá con mi perro desde 2019.",
        "It’s my grandmother's birthday – she’s (almost) 90!",
        "私は東京に住んでいます。",
        "나는 서울에 살고 있어요",
        "मैं दिल्ली में रहता हूँ",
        "أنا أعيش في القاهرة",
        "Noted.",
    ],
)
def test_ordinary_words_have_no_sign(text: str) -> None:
    assert not signs.may_hold_secret(text)


def test_most_ordinary_sentences_have_none() -> None:
    plain = {"daily", "food_garden", "health_life", "home_hobby", "people_family", "travel_sport", "work_school"}
    texts = [case.text for case in cases("train") if case.group in plain]
    assert len(texts) > 100
    assert len([text for text in texts if not signs.may_hold_secret(text)]) > 0.8 * len(texts)


def test_many_words_do_not_take_for_ever() -> None:
    for word in ("tea ", "Tea-time's ", "teA. ", "1.234, ", "Köln “a”, ", "日本。 ", "three four ", "\n\nabcdefgh"):
        assert signs.may_hold_secret(word * 2_000 + "%")
        assert isinstance(signs.may_hold_secret((word * 2_000).strip()), bool)
