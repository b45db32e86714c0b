"""PINs, keys and passwords in other languages, what the same words say without giving one, and announced keys."""

from __future__ import annotations

import pytest

from wellkept.policies.secrets.detector import has_secret, mask
from wellkept.policies.secrets.forms import Said
from wellkept.policies.secrets.passwords import key_spans

TOLD = (
    ("銀行の暗証番号は7392です", "7392"),
    ("APIキーは zx81-Rocket9 です", "zx81-Rocket9"),
    ("家のWi-Fiのパスワードは mango!Tree88 です", "mango!Tree88"),
    ("我的API密钥是zx81Rocket9", "zx81Rocket9"),
    ("银行卡密码是739204", "739204"),
    ("제 핀번호는 7392예요", "7392"),
    ("회사 API 키는 zx81Rocket9 입니다", "zx81Rocket9"),
    ("Мой пин-код 7392", "7392"),
    ("API-ключ: zx81Rocket9", "zx81Rocket9"),
    ("Пароль от почты: берёзка41", "берёзка41"),
    ("Мій пін-код: 7392", "7392"),
    ("Το PIN της κάρτας μου είναι 7392", "7392"),
    ("ο κωδικός μου είναι θάλασσα41", "θάλασσα41"),
    ("رمز PIN الخاص بي هو 7392", "7392"),
    ("مفتاح API هو zx81Rocket9", "zx81Rocket9"),
    ("הקוד הסודי שלי הוא 7392", "7392"),
    ("मेरा एटीएम पिन 7392 है", "7392"),
    ("मेरा पासवर्ड mangotree है", "mangotree"),
    ("আমার পিন হলো 7392", "7392"),
    ("รหัส PIN ของผมคือ 7392", "7392"),
    ("PIN kodum 7392", "7392"),
    ("API anahtarım zx81Rocket9", "zx81Rocket9"),
    ("Il mio codice segreto è 7392", "7392"),
    ("Mon code secret est le 7392", "7392"),
    ("a chave da API é zx81Rocket9", "zx81Rocket9"),
    ("mijn API-sleutel is zx81Rocket9", "zx81Rocket9"),
    ("Mój klucz API to zx81Rocket9", "zx81Rocket9"),
    ("mã PIN của mình là 7392", "7392"),
    ("PIN saya 7392", "7392"),
    ("Password saya zx81!Rocket", "zx81!Rocket"),
    ("min pinkod är 7392", "7392"),
    ("PIN-koodini on 7392", "7392"),
    ("Můj PIN je 7392", "7392"),
    ("A PIN kódom 7392", "7392"),
    ("PIN-ul meu este 7392", "7392"),
    ("La contrasenya és zx81!Rocket", "zx81!Rocket"),
    ("எனது கடவுச்சொல் zx81!Rocket", "zx81!Rocket"),
)
ORDINARY = (
    "暗証番号を忘れてしまいました",
    "パスワードは定期的に変えています",
    "APIキーの管理が面倒です",
    "私は1998年に東京で生まれました",
    "我又忘记密码了",
    "密码要求8到16位字符",
    "API密钥应该放在环境变量里",
    "핀번호는 4자리입니다",
    "비밀번호를 바꿔야 해요",
    "Пароль меняют каждые 90 дней",
    "API-ключ хранится в сейфе",
    "Ключ к успеху — терпение",
    "Ξέχασα το PIN μου",
    "ο κωδικός είναι πολύ μεγάλος",
    "نسيت الرقم السري",
    "سياسة كلمة المرور صارمة",
    "שכחתי את הסיסמה שלי",
    "मेरा पिन कोड 110001 है",
    "मैं पासवर्ड भूल गया",
    "ฉันลืมรหัสผ่านอีกแล้ว",
    "Şifremi yine unuttum",
    "PIN kodu 4 haneli olmalı",
    "Mon mot de passe est compliqué",
    "La clé du succès est la patience",
    "Mi contraseña es complicada",
    "La mia password è semplice",
    "Mijn wachtwoord is ingewikkeld",
    "Minha senha é complexa",
    "Klucz do sukcesu to praca",
    "Tôi quên mật khẩu rồi",
    "Saya lupa password saya",
    "Jag har glömt min pinkod",
    "Unohdin PIN-koodini",
    "Zapomněl jsem PIN",
)


@pytest.mark.parametrize(("text", "value"), TOLD)
def test_what_is_told_in_another_language_is_found_and_masked(text, value):
    assert has_secret(text)
    assert value not in mask(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_speaking_of_it_is_no_secret(text):
    assert not has_secret(text)


def keys_of(text: str) -> dict[str, str]:
    return {text[span.start : span.end]: span.kind for span in key_spans(Said(text=text, low=text.lower()))}


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("our API key is 9f8b7c6d5e4f3a2b", "9f8b7c6d5e4f3a2b", "api_key"),
        ("client_secret = Zq83hfKd92", "Zq83hfKd92", "api_key"),
        ("the Windows product key is ABCD1-EFGH2-IJKL3-MNOP4", "ABCD1-EFGH2-IJKL3-MNOP4", "license_key"),
        ("login: admin / Tiger99!", "Tiger99!", "login"),
        ("mysql -u root -pTiger99 shop", "Tiger99", "login"),
        ("the answer to my security question is Rosebud", "Rosebud", "security_answer"),
    ],
)
def test_announced_keys_are_found(text, value, kind):
    assert keys_of(text)[value] == kind


@pytest.mark.parametrize(
    "text",
    [
        "the key to success is patience",
        "the public key is 9f8b7c6d5e4f3a2b",
        "API key: <your-key-here>",
        "I log in with my phone",
        "the primary key is an integer",
    ],
)
def test_other_keys_pass(text):
    assert keys_of(text) == {}
