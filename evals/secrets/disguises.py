"""Hides a secret the way people and scripts do: spaced, invisible, look-alike, encoded, or split over two messages."""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable
from urllib.parse import quote, quote_plus

Disguise = Callable[[str, tuple[str, ...], random.Random], str]

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
LOOKALIKE = dict(
    zip(
        "aceijopsxyABCEHIJKMOPSTXYogvnu",
        "\u0430\u0441\u0435\u0456\u0458\u043e\u0440\u0455\u0445\u0443"
        "\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u03a5"
        "\u03bf\u0261\u03bd\u0578\u057d",
        strict=True,
    )
)
LEET = str.maketrans("aeiostAEIOST", "4310$74310$7")
WORD = re.compile(r"[A-Za-z]{4,}")


def spaced(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return re.sub(r" {4,}", "   ", " ".join(text.replace(" ", "  ")))


def spaced_flat(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return " ".join("".join(text.split()))


def dotted(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return " ".join(".".join(word) for word in text.split())


def spaced_value(text: str, values: tuple[str, ...], _rng: random.Random) -> str:
    for value in values:
        text = text.replace(value, " ".join("".join(value.split())))
    return text


def zero_width(text: str, _values: tuple[str, ...], rng: random.Random) -> str:
    return "".join(letter + (rng.choice(INVISIBLE) if rng.random() < 0.4 else "") for letter in text)


def homoglyph(text: str, _values: tuple[str, ...], rng: random.Random) -> str:
    return "".join(LOOKALIKE.get(letter, letter) if rng.random() < 0.7 else letter for letter in text)


def fullwidth(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)


def base64_text(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return base64.b64encode(text.encode()).decode()


def base64_url(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return "note to self " + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def percent(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return quote(text, safe="")


def percent_all(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())


def percent_plus(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return quote_plus(text)


def hexadecimal(text: str, _values: tuple[str, ...], _rng: random.Random) -> str:
    return text.encode().hex()


def leet(text: str, values: tuple[str, ...], _rng: random.Random) -> str:
    """Only the words around the value change; a value written otherwise would be another value."""
    pieces = re.split("(" + "|".join(re.escape(value) for value in values) + ")", text)
    return "".join(
        piece if piece in values else WORD.sub(lambda word: word.group().translate(LEET), piece) for piece in pieces
    )


DISGUISES: dict[str, Disguise] = {
    "spaced": spaced,
    "spaced without word gaps": spaced_flat,
    "dotted": dotted,
    "value spaced": spaced_value,
    "zero-width": zero_width,
    "homoglyph": homoglyph,
    "fullwidth": fullwidth,
    "base64": base64_text,
    "base64 url-safe": base64_url,
    "percent": percent,
    "percent, every byte": percent_all,
    "percent, plus for space": percent_plus,
    "hexadecimal": hexadecimal,
    "leet keyword": leet,
}
