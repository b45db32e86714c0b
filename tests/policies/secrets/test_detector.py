"""What is refused, what passes, and what is left of a text when its secrets are masked."""

from __future__ import annotations

import base64

import pytest

from wellkept.policies.secrets.detector import (
    REDACTED,
    Echoes,
    SecretSpan,
    echoes,
    find_secrets,
    find_split_secrets,
    has_secret,
    has_split_secret,
    mask,
    redact,
)

# Keys are put together here, so that no scanner takes this file for a leak.
GITHUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
STRIPE = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
AWS = "AKIA" + "IOSFODNN7EXAMPLE"
SLACK = "xox" + "b-123456789012-abcDEF123456"
PEM = "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE" + " KEY-----"
SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow"

SECRETS = [
    ("The wifi at the cabin is RedFox2019!", "RedFox2019!"),
    ("our gate is 8842#", "8842#"),
    ("My password is swordfish.", "swordfish"),
    ("my password is correct horse battery staple", "correct horse battery staple"),
    ("pwd=hunter2", "hunter2"),
    ("The wifi password for the cabin is tunafish.", "tunafish"),
    ("the password is password", "password"),
    ("I changed my password to Tiger99! yesterday", "Tiger99!"),
    ("swordfish is my password", "swordfish"),
    ("Use Tiger99 as the password", "Tiger99"),
    ('"password": "hunter2"', "hunter2"),
    ("Mein Passwort ist sonnenschein", "sonnenschein"),
    ("Mi contraseña es mariposa", "mariposa"),
    ("Mon mot de passe est papillon", "papillon"),
    ("A minha senha é borboleta", "borboleta"),
    ("La mia password è farfalla", "farfalla"),
    ("Mijn wachtwoord is vlinder", "vlinder"),
    ("我的密码是hudie99", "hudie99"),
    ("パスワードはchocho99です", "chocho99"),
    ("Мой пароль: babochka", "babochka"),
    ("My passphrase is tango melon river cactus", "tango melon river cactus"),
    ("My PIN is 4471", "4471"),
    ("My PIN is four four seven one", "four four seven one"),
    ("The gate code is 4471#", "4471#"),
    ("4471 opens the side gate", "4471"),
    ("The safe combination is 12-34-56", "12-34-56"),
    ("Your verification code is 482913", "482913"),
    ("482913 is your Acme one-time password", "482913"),
    ("Backup codes: k3v9x-q2w8e", "k3v9x-q2w8e"),
    ("The answer to my security question is Rex", "Rex"),
    ("login: admin / Tiger99", "Tiger99"),
    ("mysql -u root -pTiger99 shop", "Tiger99"),
    ("API key: 9f8a7b6c5d4e", "9f8a7b6c5d4e"),
    ("api-key 9f8a7b6c5d4e", "9f8a7b6c5d4e"),
    ("api_key=9f8a7b6c5d4e", "9f8a7b6c5d4e"),
    (f"my token is {GITHUB}", GITHUB),
    (STRIPE, STRIPE),
    (AWS, AWS),
    (SLACK, SLACK),
    (f"the key is\n{PEM}", PEM),
    ("postgres://app:Tiger99@db/shop", "Tiger99"),
    ("Authorization: Bearer abc123def456ghi789", "abc123def456ghi789"),
    ("Cookie: sessionid=9f8a7b6c5d4e3f2a", "9f8a7b6c5d4e3f2a"),
    ("My SSN is 078-05-1120", "078-05-1120"),
    ("4111-1111-1111-1111", "4111-1111-1111-1111"),
    ("my card is 3782 822463 10005", "3782 822463 10005"),
    ("cvv 737", "737"),
    ("Send it to DE89 3704 0044 0532 0130 00 please", "DE89 3704 0044 0532 0130 00"),
    ("routing number 021000021", "021000021"),
    (SEED, SEED),
    ("My license key is K7QWE-2RTYU-9OPAS-4DFGH-1JKLZ", "K7QWE-2RTYU-9OPAS-4DFGH-1JKLZ"),
]

ORDINARY = [
    "the router is a FritzBox 7590",
    "The wifi upstairs is 5GHz only",
    "the safe is 120cm tall",
    "Secret santa is on Friday",
    "token ring",
    "the key to success is patience",
    "The monkey ate my keyboard",
    "my password manager is Bitwarden",
    "I forgot my password again",
    "I need to reset my password tomorrow",
    "passwords should be long",
    "what is my password?",
    "My password is too short.",
    "The password is on the fridge.",
    "My password expired in 2023.",
    "the meeting code of conduct",
    "room 4421",
    "pin the note",
    "I pinned it",
    "Pin 13 drives the LED.",
    "she works in key accounts",
    "The area code is 4155 in the old plan.",
    "The code is 2000 lines long.",
    "Call me on +44 20 7946 0958",
    "ISBN 978-0-14-044913-6",
    "The commit is 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "Its id is 550e8400-e29b-41d4-a716-446655440000",
    "The coordinates are 52.5200 N, 13.4050 E.",
    "password = getpass.getpass()",
    "password: ${DB_PASSWORD}",
    "password=********",
    "https://example.org/a?page=2",
    "postgres://app:<password>@db/shop",
    "4111-1111-1111-1112",
    "DE89 3704 0044 0532 0130 01",
    "666-12-3456",
    "Passwort vergessen",
    "¿Cuál es la contraseña?",
    "密码是什么？",
    "H A P P Y  B I R T H D A Y",
    "K-O-W-A-L-S-K-I",
    "",
]


@pytest.mark.parametrize(("text", "value"), SECRETS)
def test_secrets_are_found_and_masked(text, value):
    assert has_secret(text)
    assert value not in mask(text)
    assert any(
        text[span.start : span.end] == value or value in text[span.start : span.end] for span in find_secrets(text)
    )


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_passes(text):
    assert find_secrets(text) == ()
    assert mask(text) == text
    assert redact(text) == text


def test_a_span_says_where_and_of_which_kind():
    assert find_secrets("My PIN is 4471, my SSN 078-05-1120.") == (
        SecretSpan(start=10, end=14, kind="pin"),
        SecretSpan(start=23, end=34, kind="ssn"),
    )


def test_masking_keeps_the_rest_of_the_sentence():
    assert mask("My password is Tiger99, and my cat is Tom.") == f"My password is {REDACTED}, and my cat is Tom."


def test_masking_takes_every_echo_of_the_value():
    assert mask("Tiger99! That is it: my password is Tiger99! for all.").count("Tiger99") == 0


def test_masked_text_passes_and_stays():
    for text, _ in SECRETS:
        masked = mask(text)
        assert mask(masked) == masked
        assert not has_secret(masked)


def test_redaction_takes_the_whole_value_or_cuts_it():
    assert redact("My password is Tiger99") == REDACTED
    assert redact("a" * 200) == "a" * 200
    assert redact("a" * 201) == "a" * 200 + "... (truncated)"


@pytest.mark.parametrize(
    ("previous", "text", "left"),
    [
        (["my password is"], "hunter2", REDACTED),
        (["my", "password is"], "swordfish", REDACTED),
        (["What's the door code?"], "4471", REDACTED),
        (["my pin"], "is 4471", f"is {REDACTED}"),
        ([GITHUB[:20]], GITHUB[20:], REDACTED),
        ([f"half of it: {GITHUB[:22]}"], f"the rest: {GITHUB[22:]}", f"the rest: {REDACTED}"),
        (["4111 1111"], "1111 1111", REDACTED),
        (["my password starts with hun"], "and the second half is ter2", f"and the second half is {REDACTED}"),
        ([" ".join(SEED.split()[:6])], " ".join(SEED.split()[6:]), REDACTED),
    ],
)
def test_a_secret_split_over_messages_is_found(previous, text, left):
    assert has_split_secret(previous, text)
    assert mask(text, previous) == left


@pytest.mark.parametrize(
    ("previous", "text"),
    [
        ([], "hunter2"),
        ([""], "hunter2"),
        (["my password is"], " "),
        (["I forgot my password"], "brb"),
        (["What's my password?"], "I don't know"),
        (["My password is too short."], "The weather is nice"),
        (["The hash is 9f86d081884c7d659a2feaa0c55ad015"], "The build is green"),
        (["My PIN is 4471"], "Thanks!"),
        (["Hello"], "My PIN is 4471"),
    ],
)
def test_two_messages_that_split_no_secret(previous, text):
    assert find_split_secrets(previous, text) == ()


@pytest.mark.parametrize("opened", ["my password is hunter2", GITHUB, "The gate code is 4471"])
@pytest.mark.parametrize(
    "disguise",
    [
        " ".join,
        lambda text: "   ".join(" ".join(word) for word in text.split()),
        lambda text: " ".join(".".join(word) for word in text.split()),
        lambda text: " ".join("-".join(word) for word in text.split()),
        "\u200b".join,
        lambda text: text.replace("a", "а").replace("o", "ο").replace("e", "е").replace("p", "р"),
        lambda text: "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text),
        lambda text: base64.b64encode(text.encode()).decode(),
        lambda text: base64.b64encode(base64.b64encode(text.encode())).decode(),
        lambda text: base64.b32encode(text.encode()).decode(),
        lambda text: text.encode().hex(),
        lambda text: " ".join(f"{byte:08b}" for byte in text.encode()),
        lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
        lambda text: "".join(f"&#{ord(letter)};" for letter in text),
        lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
        "\u0336".join,
    ],
)
def test_disguises_do_not_hide_it(disguise, opened):
    assert has_secret(disguise(opened))
    assert disguise(opened) not in mask(disguise(opened))


@pytest.mark.parametrize(
    "text",
    [
        "my p4ssw0rd is swordfish",
        "my pa$$word is swordfish",
        "my pasword is swordfish",
        "my pásswórd is swordfish",
        "my password 🔑 is swordfish",
        "my_password_is_swordfish",
        "my+password+is+swordfish",
        "myPasswordIsSwordfish",
        "hsifdrows si drowssap ym",
        "zl cnffjbeq vf fjbeqsvfu",
        "m y p a s s w o r d i s s w o r d f i s h",
        "my password is s w o r d f i s h",
        AWS[:4] + " " + " ".join(AWS[start : start + 4] for start in range(4, 20, 4)),
        "my password is **swordfish**",
        "4️⃣4️⃣7️⃣1️⃣ is my PIN",
        "٤٤٧١ is my PIN",
    ],
)
def test_ways_of_writing_do_not_hide_it(text):
    assert has_secret(text)


def test_the_place_of_a_disguised_value_is_its_place_in_the_text():
    assert mask("my pass\u200bword is hun\u200bter2 ok") == f"my pass\u200bword is {REDACTED} ok"
    assert mask("pass%77ord%3Ahunter%32") == f"pass%77ord%3A{REDACTED}"
    assert mask("2retnuh si drowssap ym") == f"{REDACTED} si drowssap ym"


@pytest.mark.parametrize(
    ("values", "text", "masked"),
    [
        (["hunter22"], "hunter22, hunter22!", f"{REDACTED}, {REDACTED}!"),
        (["hunter22", "hunter22xyz"], "a hunter22xyz b hunter22x", f"a {REDACTED} b {REDACTED}x"),
        (["abcdef", "defghi"], "<abcdefghi>", f"<{REDACTED}>"),
        (["xabcdeY", "abcde"], "xabcdeZ", f"x{REDACTED}Z"),
        (["aaaaab"], "aaaaaaaaab", f"aaaa{REDACTED}"),
        (["abcd"], "abcd", "abcd"),
        ([], "nothing", "nothing"),
    ],
)
def test_every_value_is_masked_wherever_it_stands(values, text, masked):
    assert Echoes(values).masked(text) == masked


def test_many_values_that_begin_alike_are_masked_in_one_reading():
    told = [f"my password is aaaaa{number}Z!" for number in range(200)]
    found = echoes(told)
    assert all(found.masked(f"so aaaaa{number}Z! it is") == f"so {REDACTED} it is" for number in range(200))
