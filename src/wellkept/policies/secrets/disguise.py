"""Undoes what hides a secret: invisible and look-alike characters, spacing, escapes, base64 and hexadecimal."""

from __future__ import annotations

import base64
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from wellkept.patterns import Patterns, has_long_word, has_single_spaces
from wellkept.policies.secrets.forms import SecretSpan, is_card, is_compact_phrase
from wellkept.values import frozen

_RE: Final = Patterns("secrets/disguise.txt")


@frozen
class View:
    """A reading of a text; ``places`` says for each character where it came from, none means that nothing moved."""

    text: str
    places: tuple[tuple[int, int], ...] | None = None

    def origin(self, span: SecretSpan) -> SecretSpan:
        """The span in the text that the view was made from."""
        if self.places is None:
            return span
        one, two = self.places[span.start], self.places[span.end - 1]
        return SecretSpan(start=min(one[0], two[0]), end=max(one[1], two[1]), kind=span.kind)

    def place(self, index: int) -> tuple[int, int]:
        return (index, index + 1) if self.places is None else self.places[index]

    def slice(self, start: int, end: int) -> Iterable[tuple[int, int]]:
        """The places of the characters from ``start`` up to ``end``."""
        if self.places is None:
            return zip(range(start, end), range(start + 1, end + 1), strict=True)
        return self.places[start:end]


Change = tuple[int, int, str]
"""From where to where, and what stands there instead."""

_DROPPED: Final = frozenset({"Cf", "Cc", "Cs", "Co"})
_MARKS: Final = frozenset({"Mn", "Me"})
_PICTURES: Final = frozenset({"So", "Sk"})
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")

# Letters of other scripts that look like Latin ones.
_LOOKALIKES: Final = {
    ord(other): latin
    for others, latins in (
        ("абвезикмнорстухѕіјԁһӏԛԝүьєё", "abbe3ukmhopctyxsijdhlqwybee"),
        ("АВСЕНІЈКМОРЅТХУҮЗԌ", "ABCEHIJKMOPSTXYY3G"),
        ("αβεικνορτυχγωϲϳ", "abeikvoptuxywcj"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC"),
        ("օոսցհյզե", "onughjqe"),
        ("ɑɡıɩȷʟɴʀʏꜱᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢʙꜰɢʜɪ", "agiijlnrysacdejkmoptuvwzbfghi"),
    )
    for other, latin in zip(others, latins, strict=True)
}
_COVERED: Final = ("pass", "pin", "code", "key", "token", "secret", "pwd")
# Words of one letter, which end the sentence that a spaced value follows: "la password è h u n …".
_SHORT_WORDS: Final = frozenset("aeioyéèàuвикосуя—–-:=")
_DOTTED_MIN: Final = 5
_PERCENT_LENGTH: Final = len("%20")
_LONG_WORD: Final = 10
_BITS_MIN: Final = 48
_REVERSED: Final = ("drowssap", "esarhpssap", "trowssap", "edocssap")
_ROTATED: Final = ("cnffjbeq", "cnffcuenfr", "ncv xrl")
_ROT13: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM"
)
_JOINTS_MIN: Final = 2
_REACH: Final = 400
"""Characters to either side of a change within which a rule may find something else than in the plain text."""
# Keys written in groups of equal size.
_GROUPS_MIN: Final = 4
# A run of four has two letters that stand alone, whatever its ends touch.
_ALONE_MIN: Final = 2
_GROUP_SIZES: Final = range(2, 9)
# Shorter, even "pin 1234" would not fit in.
_BASE64_LENGTH_MIN: Final = 10


def folded(text: str) -> View:
    """The text without invisible characters and marks, full-width and styled letters made plain; case is kept."""
    is_kept = (text.isprintable() or not _RE.control.search(text)) if text.isascii() else _RE.kept.fullmatch(text)
    if is_kept:
        return View(text=text)
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    for index, letter in enumerate(text):
        plain = _plain(letter, letters)
        if plain is None:
            if places:
                places[-1] = (places[-1][0], index + 1)
            continue
        letters += plain
        places += [(index, index + 1)] * len(plain)
    return View(text="".join(letters), places=tuple(places))


def _plain(letter: str, before: list[str]) -> str | None:
    """What a character is read as; nothing for one that is not seen."""
    if letter.isascii():
        return None if _RE.control.match(letter) else letter
    category = unicodedata.category(letter)
    if category in _DROPPED or letter in _INVISIBLE:
        return None
    if category in _PICTURES:
        return " "
    if category in _MARKS and before:
        composed = unicodedata.normalize("NFC", before[-1] + letter)
        if len(composed) == 1:
            before[-1] = composed
            return None
        return None if _RE.hiding_mark.match(letter) or _RE.latin.match(before[-1]) else letter
    digit = unicodedata.decimal(letter, None)
    return str(digit) if digit is not None else unicodedata.normalize("NFKC", letter)


def views(base: View) -> Iterator[View]:
    """Every reading in which a secret may show itself, the plainest first."""
    opened = unescaped(base)
    if opened:
        inner = folded(opened.text)
        opened = View(text=inner.text, places=tuple(opened.place(inner.place(at)[0]) for at in range(len(inner.text))))
    plain = [base, *latinised(base)]
    for view in [*plain, *([opened, *latinised(opened)] if opened else [])]:
        yield squeezed(view)
    for view in plain:
        yield from map(squeezed, despaced(view))
    apart = separated(base)
    if apart:
        yield apart
    yield from map(squeezed, grouped(base))
    low = base.text.lower()
    if [word for word in _ROTATED if word in low]:
        yield View(text=base.text.translate(_ROT13), places=base.places)
    if [word for word in _REVERSED if word in low]:
        yield View(text=base.text[::-1], places=tuple(base.place(index) for index in reversed(range(len(base.text)))))


def latinised(view: View) -> list[View]:
    """Look-alikes read as Latin letters: everywhere, and only in words that have Latin letters or digits too."""
    if view.text.isascii():
        return []
    everywhere = view.text.translate(_LOOKALIKES)
    bare = _without_accents(everywhere)
    mixed = _RE.mixed_word.sub(lambda word: word.group().translate(_LOOKALIKES), view.text)
    # In many languages accents are ordinary: without them the text is read only where that uncovers such a word.
    low, bare_low = view.text.lower(), bare.lower()
    texts = [everywhere, mixed, *([bare] if any(word in bare_low and word not in low for word in _COVERED) else [])]
    return [View(text=text, places=view.places) for text in dict.fromkeys(texts) if text != view.text]


def _without_accents(text: str) -> str:
    return _RE.not_ascii.sub(lambda letter: unicodedata.normalize("NFD", letter.group())[0], text)


def squeezed(view: View) -> View:
    """Runs of blanks as one space, so that the rules need not count them."""
    if has_single_spaces(view.text):
        return view
    changes = [
        (match.start(), match.end(), "\n" if "\n" in match.group() else " ")
        for match in _RE.whitespace.finditer(view.text)
    ]
    return _replaced(view, changes) if changes else view


def _replaced(view: View, changes: list[Change]) -> View:
    """The view with parts of it replaced; a replaced part comes from all the characters it replaces."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    last = 0
    for start, end, new in changes:
        letters += view.text[last:start]
        places += view.slice(last, start)
        letters += new
        places += [(view.place(start)[0], view.place(end - 1)[1])] * len(new)
        last = end
    letters += view.text[last:]
    places += view.slice(last, len(view.text))
    return View(text="".join(letters), places=tuple(places))


def unescaped(view: View) -> View | None:
    """Percent, HTML and backslash escapes opened; in such text a plus sign may stand for a space."""
    if not ("%" in view.text or "&#" in view.text or "\\" in view.text or "+" in view.text):
        return None
    changes = [(match.start(), match.end(), _opened(match)) for match in _RE.escape.finditer(view.text)]
    if changes or not any(letter.isspace() for letter in view.text):
        inside = {index for start, end, _ in changes for index in range(start, end)}
        pluses = [index for index, letter in enumerate(view.text) if letter == "+" and index not in inside]
        changes = sorted(changes + [(index, index + 1, " ") for index in pluses])
    return _per_letter(view, changes) if changes else None


def _opened(match: re.Match[str]) -> str:
    if match.group("percent"):
        return bytes.fromhex(match.group("percent").replace("%", "")).decode("utf-8", errors="replace")
    code = int(match.group("decimal")) if match.group("decimal") else 0
    for name in ("entity", "unicode", "hex"):
        if match.group(name):
            code = int(match.group(name), 16)
    return chr(code) if code <= sys.maxunicode and unicodedata.category(chr(code)) != "Cs" else "\ufffd"


def _per_letter(view: View, changes: list[Change]) -> View:
    """Like ``_replaced``, but a run of escapes for ASCII letters keeps the place of each."""
    fine: list[Change] = []
    for start, end, new in changes:
        if len(new) > 1 and end - start == _PERCENT_LENGTH * len(new):
            starts = range(start, end, _PERCENT_LENGTH)
            fine += [(at, at + _PERCENT_LENGTH, letter) for at, letter in zip(starts, new, strict=True)]
        else:
            fine.append((start, end, new))
    return _replaced(view, fine)


def excerpts(text: str, changes: Sequence[Change]) -> Iterator[tuple[int, int, list[Change]]]:
    """The parts of a text around its changes, from left to right, with the changes in each: the rest reads the same.

    >>> [part[:2] for part in excerpts("a" * 5_000, [(10, 20, ""), (700, 710, ""), (4_000, 4_001, "")])]
    [(0, 1110), (3600, 4401)]
    """
    near: list[Change] = []
    for change in (*changes, None):
        if near and (change is None or change[0] - near[-1][1] > 2 * _REACH):
            yield max(0, near[0][0] - _REACH), min(len(text), near[-1][1] + _REACH), near
            near = []
        if change is not None:
            near.append(change)


def _changed(view: View, changes: Sequence[Change]) -> Iterator[View]:
    """The view with its changes made; of a long text only what stands around them."""
    for start, end, near in excerpts(view.text, changes):
        part = View(text=view.text[start:end], places=tuple(view.slice(start, end)))
        yield _replaced(part, [(first - start, last - start, new) for first, last, new in near])


def despaced(view: View) -> Iterator[View]:
    """Letters written one by one ("p a s s", "p.a.s.s") put together; wider gaps stay as spaces.

    A run may begin with the last word of the sentence before it ("è h u n …"), so that there are two readings.
    """
    runs = list(spaced_runs(view.text))
    dots = _dots(view.text)
    if runs or dots:
        yield from _changed(view, sorted([*(gap for run in runs for gap in _gaps(run, first="")), *dots]))
    if any(run.group()[0].lower() in _SHORT_WORDS and run.start() for run in runs):
        yield from _changed(view, sorted([*(gap for run in runs for gap in _gaps(run, first=" ")), *dots]))


def _gaps(run: re.Match[str], *, first: str) -> Iterator[Change]:
    has_wide = re.search(r"[ \t]{2,}", run.group()) is not None
    new = first
    for gap in re.finditer(r"[ \t\n]+", run.group()):
        yield run.start() + gap.start(), run.start() + gap.end(), " " if has_wide and len(gap.group()) > 1 else new
        new = ""


def _dots(text: str) -> list[Change]:
    if text.replace(" ", "").isalnum() or not _RE.dotted.search(text):
        return []
    tokens = list(_RE.dotted_word.finditer(text))
    if not any(len(token.group(1)) >= _DOTTED_MIN for token in tokens):
        return []
    return [(at, at + 1, "") for token in tokens for at in range(token.start(1) + 1, token.end(1), 2)]


def grouped(view: View) -> Iterator[View]:
    """Four and more groups of equal size put together, with the prefix before them: "ghp_ 1aB2 c3D4 …"."""
    if not _RE.digit.search(view.text) or not has_row(map(len, view.text.split())):
        return
    tokens = list(re.finditer(r"[^\s]+", view.text))
    sizes = [len(token.group()) for token in tokens]
    changes: list[Change] = []
    start = 0
    while start < len(tokens):
        stop = start + 1
        while stop < len(tokens) and sizes[stop] == sizes[start] in _GROUP_SIZES:
            stop += 1
        if stop - start >= _GROUPS_MIN:
            first = start - (start > 0 and tokens[start - 1].group()[-1] in "-_")
            last = min(stop, len(tokens) - 1)
            changes += [(one.end(), two.start(), "") for one, two in pairwise(tokens[first : last + 1])]
        start = stop
    yield from _changed(view, changes)


def has_row(sizes: Iterable[int]) -> bool:
    """Whether words of equal size follow one another that often at all."""
    before, row = 0, 0
    for size in sizes:
        row = row + 1 if size == before else 1
        before = size
        if row >= _GROUPS_MIN:
            return True
    return False


def spaced_runs(text: str) -> Iterator[re.Match[str]]:
    if list(map(len, text.split())).count(1) >= _ALONE_MIN:
        yield from _RE.spaced.finditer(text)


def separated(view: View) -> View | None:
    """A text without any space whose words are joined by the same sign or by capitals: "my_password_is_…"."""
    text = view.text
    if text.split(maxsplit=1) != [text]:
        return None
    sign = max("_+.-/", key=text.count)
    if text.count(sign) >= _JOINTS_MIN:
        return View(text=text.replace(sign, " "), places=view.places)
    humps = [(hump.start(), hump.start() + 1, f" {hump.group()}") for hump in _RE.hump.finditer(text)]
    return _replaced(view, humps) if len(humps) >= _JOINTS_MIN else None


def encoded_parts(text: str) -> Iterator[tuple[int, int, str]]:
    """Parts that are readable text in another coding: where they stand, and what they say."""
    codings: list[tuple[re.Pattern[str], Callable[[str], bytes]]] = []
    if _RE.digit.search(text):
        codings.append((_RE.hex, _from_hex))
        if text.count("0") + text.count("1") >= _BITS_MIN:
            codings.append((_RE.binary, _from_binary))
    if has_long_word(text, _LONG_WORD):
        codings += [(_RE.base32, _from_base32), (_RE.base64, _from_base64)]
    for pattern, decode in codings:
        for match in pattern.finditer(text):
            try:
                opened = decode(match.group()).decode("utf-8")
            except ValueError:
                continue
            if opened and all(letter.isprintable() or letter in "\n\r\t" for letter in opened):
                yield match.start(), match.end(), opened


def _from_hex(part: str) -> bytes:
    return bytes.fromhex(part.removeprefix("0x").replace(":", ""))


def _from_binary(part: str) -> bytes:
    bits = "".join(part.split())
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def _from_base32(part: str) -> bytes:
    body = part.rstrip("=")
    return base64.b32decode(body + "=" * (-len(body) % 8))


def _from_base64(part: str) -> bytes:
    # Words and numbers are valid base64 too, and say nothing when they are decoded.
    if part.islower():
        return b""
    body = "".join(part.split()).rstrip("=").replace("-", "+").replace("_", "/")
    if body.isdigit() or len(body) < _BASE64_LENGTH_MIN:
        return b""
    return base64.b64decode(body + "=" * (-len(body) % 4))


# --- Letters that were written one by one without word gaps, read as one long word: "m y p a s s w o r d i s …".


_RANDOM_LENGTH_MIN: Final = 5
_COMPACT_ANSWER_LENGTH_MIN: Final = 21
_REST_MIN: Final = 5


def compact_kind(run: str) -> str | None:
    """The class of the secret in a run of letters without gaps, or nothing.

    Nobody writes letter by letter around the word "password" without a reason, so little else is asked for.
    """
    low = run.lower()
    word = _RE.compact_password.search(low)
    if word and len(low) - len(word.group()) >= _REST_MIN and not _RE.other_thing.match(low[word.end() :]):
        return "password"
    if word and any(map(str.isdigit, low[: word.start()])):
        return "password"
    if _RE.compact_code.search(low) and (_RE.compact_digits.search(low) or _RE.compact_spelled.search(low)):
        return "code"
    keyed = _RE.compact_key.search(low)
    if keyed and _has_key(run[keyed.end() :]):
        return "api_key"
    if _RE.compact_answer.search(low) and len(low) >= _COMPACT_ANSWER_LENGTH_MIN:
        return "security_answer"
    if any(is_card(digits[:size]) for digits in re.findall(r"\d{15,}", low) for size in (15, 16)):
        return "payment_card"
    letters = re.sub(r"[^a-z]", "", low)
    return "seed_phrase" if is_compact_phrase(letters) else None


def _has_key(rest: str) -> bool:
    digits = sum(map(str.isdigit, rest))
    return len(rest) >= _RANDOM_LENGTH_MIN and digits > 1
