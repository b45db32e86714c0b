"""Makes secret values of every kind from a seed, so that no real-looking key stands in the repository."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

from wellkept.policies.secrets.seed_words import SEED_WORDS

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = string.ascii_letters + DIGITS
HEX = "0123456789abcdef"
BASE64 = ALNUM + "+/"
URL64 = ALNUM + "-_"
BASE32 = UPPER + "234567"
BASE58 = "".join(sorted(set(ALNUM) - set("0OIl")))
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
WORDS = SEED_WORDS.split()

Maker = Callable[[random.Random], str]

# Weak passwords and answers differ between the halves, so that a list of them would not help.
WEAK = {
    "train": "sunshine dragon letmein trustno1 princess starwars chocolate Liverpool qwertz butterfly iloveyou hunter2 "
    "swordfish snowflake Michael99 abc123 football opensesame batman pepper1",
    "test": "monkey123 superman welcome1 tinkerbell shadow master cheesecake Barcelona asdfgh marigold bluebird "
    "rosebud Juventus wombat peanutbutter mustang ninja77 cinnamon galaxy Valentina",
}
ANSWERS = {
    "train": "Rex;Kowalski;Volvo;Lincoln Primary;Fluffy;Mrs Abara;Tbilisi;Novak;Sparky;Blue Heron Street",
    "test": "Biscuit;Okafor;Trabant;St Brigid's;Whiskers;Mr Tanaka;Cartagena;Lindqvist;Pongo;Harbour View",
}


def pick(rng: random.Random, alphabet: str, length: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(length))


def mixed(alphabet: str, length: int) -> Maker:
    """Random characters among which lower case, upper case and digits all occur."""

    def make(rng: random.Random) -> str:
        while True:
            value = pick(rng, alphabet, length)
            if all(set(value) & set(kind) for kind in (LOWER, UPPER, DIGITS)):
                return value

    return make


def plain(alphabet: str, length: int) -> Maker:
    return lambda rng: pick(rng, alphabet, length)


def prefixed(prefix: str, alphabet: str, length: int, suffix: str = "") -> Maker:
    return lambda rng: prefix + pick(rng, alphabet, length) + suffix


def password(symbols: str) -> Maker:
    """What people choose: a word with a year and a mark, two words with digits, or eight and more random characters."""

    def make(rng: random.Random) -> str:
        word, other = rng.choice(WORDS), rng.choice(WORDS)
        style = rng.randrange(4)
        if style == 0:
            return word.capitalize() + str(rng.randrange(10, 2030)) + rng.choice(symbols)
        if style == 1:
            return f"{word}{rng.choice(symbols)}{other}{rng.randrange(10, 99)}"
        if style == 2:
            return word.replace("o", "0").replace("a", "4").capitalize() + str(rng.randrange(100, 999))
        inner = mixed(ALNUM, rng.randrange(6, 12))(rng)
        return rng.choice(ALNUM) + inner[:4] + rng.choice(symbols) + inner[4:]

    return make


def words(count: int, separator: str = " ") -> Maker:
    return lambda rng: separator.join(rng.choice(WORDS) for _ in range(count))


def numbered_words(count: int) -> Maker:
    return lambda rng: " ".join(f"{index}. {rng.choice(WORDS)}" for index in range(1, count + 1))


def digits(low: int, high: int | None = None) -> Maker:
    return lambda rng: pick(rng, DIGITS, rng.randint(low, high or low))


def pin_words(rng: random.Random) -> str:
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    return " ".join(rng.choice(names) for _ in range(4))


def combination(rng: random.Random) -> str:
    return "-".join(f"{rng.randrange(1, 60):02d}" for _ in range(3))


def luhn_digit(body: str) -> str:
    doubled = [int(digit) * (2 if index % 2 == 0 else 1) for index, digit in enumerate(reversed(body))]
    return str(-sum(value - 9 if value > 9 else value for value in doubled) % 10)


def card(prefixes: str, length: int, groups: tuple[int, ...], separator: str) -> Maker:
    def make(rng: random.Random) -> str:
        prefix = rng.choice(prefixes.split())
        body = prefix + pick(rng, DIGITS, length - 1 - len(prefix))
        number, parts = body + luhn_digit(body), []
        for size in groups:
            parts.append(number[:size])
            number = number[size:]
        return separator.join(parts)

    return make


CARDS = "4 51 52 53 54 55 2221 2720 6011 65 3528"


def iban(rng: random.Random) -> str:
    country, form = rng.choice(
        [("DE", "d" * 18), ("FR", "d" * 10 + "c" * 11 + "dd"), ("GB", "aaaa" + "d" * 14), ("NL", "aaaa" + "d" * 10),
         ("ES", "d" * 20), ("CH", "d" * 5 + "c" * 12), ("PL", "d" * 24), ("NO", "d" * 11), ("AT", "d" * 16)]
    )  # fmt: skip
    kinds = {"d": DIGITS, "a": UPPER, "c": DIGITS + UPPER}
    body = "".join(rng.choice(kinds[kind]) for kind in form)
    number = "".join(str(int(letter, 36)) for letter in body + country + "00")
    return f"{country}{98 - int(number) % 97:02d}{body}"


def iban_spaced(rng: random.Random) -> str:
    value = iban(rng)
    return " ".join(value[start : start + 4] for start in range(0, len(value), 4))


def ssn(separator: str) -> Maker:
    def make(rng: random.Random) -> str:
        area = rng.choice([number for number in range(1, 900) if number != 666])
        return separator.join((f"{area:03d}", f"{rng.randrange(1, 100):02d}", f"{rng.randrange(1, 10000):04d}"))

    return make


def routing(rng: random.Random) -> str:
    body = f"{rng.randrange(1, 13):02d}" + pick(rng, DIGITS, 6)
    total = sum(int(digit) * weight for digit, weight in zip(body, (3, 7, 1, 3, 7, 1, 3, 7), strict=True))
    return body + str(-total % 10)


def grouped(alphabet: str, size: int, count: int, separator: str = "-") -> Maker:
    """Groups of characters with at least one letter and one digit in the whole."""

    def make(rng: random.Random) -> str:
        while True:
            value = separator.join(pick(rng, alphabet, size) for _ in range(count))
            if any(letter.isdigit() for letter in value) and any(letter.isalpha() for letter in value):
                return value

    return make


def pem(kind: str, lines: int = 6) -> Maker:
    def make(rng: random.Random) -> str:
        body = "\n".join(pick(rng, BASE64, 64) for _ in range(lines))
        return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"

    return make


def pgp(rng: random.Random) -> str:
    title = "PGP PRIVATE KEY BLOCK"
    body = "\n".join(pick(rng, BASE64, 64) for _ in range(6))
    return f"-----BEGIN {title}-----\n\n{body}\n={pick(rng, BASE64, 4)}\n-----END {title}-----"


def ppk(rng: random.Random) -> str:
    body = "\n".join(pick(rng, BASE64, 64) for _ in range(4))
    head = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 4"
    return f"{head}\n{body}\nPrivate-MAC: {pick(rng, HEX, 64)}"


def jwt(rng: random.Random) -> str:
    head = '{"alg":"HS256","typ":"JWT"}'
    body = f'{{"sub":"{rng.randrange(10**9)}","name":"{rng.choice(WORDS)}","iat":{rng.randrange(10**9, 2 * 10**9)}}}'
    parts = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in (head, body)]
    return ".".join([*parts, pick(rng, URL64, 43)])


def basic(rng: random.Random) -> str:
    return base64.b64encode(f"{rng.choice(WORDS)}:{password('!_-')(rng)}".encode()).decode()


def uuid(rng: random.Random) -> str:
    return "-".join(pick(rng, HEX, size) for size in (8, 4, 4, 4, 12))


def service_account(rng: random.Random) -> str:
    key = pem("")(rng).replace("\n", "\\n")
    return (
        f'{{"type": "service_account", "project_id": "{rng.choice(WORDS)}", "private_key_id": "{pick(rng, HEX, 40)}", '
        f'"private_key": "{key}\\n", "client_email": "robot@{rng.choice(WORDS)}.iam.gserviceaccount.com"}}'
    )


def joined(*parts: Maker | str) -> Maker:
    return lambda rng: "".join(part if isinstance(part, str) else part(rng) for part in parts)
