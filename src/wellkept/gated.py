"""Regular expressions that are tried only on texts in which letters stand that every find of theirs has."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import count
from typing import Protocol, cast

from wellkept.patterns import deferred

_RUNS_MAX = 32
"""Different runs of letters that one place of a pattern may be; beyond that it tells nothing."""
_TEXTS_KEPT, _WORDS_KEPT = 64, 4096
_WORD_MAX = 32
_ASCII_SIGNS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
_TOKEN = deferred(
    r"(?P<word>[A-Za-z ]{2,}(?![?*+{]))|(?P<escape>\\.)"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<open>\((?:\?(?:P<\w+>|[a-zA-Z]*(?:-[a-zA-Z]+)?:|<?[=!]))?)"
    r"|(?P<close>\))|(?P<bar>\|)|(?P<repeat>(?:[?*+]|\{\d*,?\d*\})[?+]?)|(?P<plain>.)",
    re.DOTALL,
)
_FLAGS = deferred(r"^\(\?[a-z]+\)")
_STRANGE = deferred(r"^\(\?[a-z]*x|\(\?(?:P[=>]|[>(#])")
"""What the reader of patterns does not know: spaces that mean nothing, groups that are referred to."""
_SIGNS = deferred(r"\[(?:[^\w\\\]^-]|\\[sW])+-?\]")
"""A set of nothing but signs and blanks: each of them is a blank here."""
_TELLING = frozenset("@#$%&*+/<=>\\^|~")
"""Signs that stand in few texts."""
_TWO_CASED = frozenset("ıſKİ")
"""Letters beyond ASCII that are a letter of ASCII in another case."""
_SIGN = "\0"
"""Before a sign that must stand in the text as it is."""
_SHORTEST = 2
_WORTH_MAX = 5
"""Longer runs tell no more."""
_COMMON = frozenset(
    "a an the to of in on at for from with by and or is are am was be it i me my you we he she they his her not do "
    "have has had that this".split()
)
"""Words of which many texts have one: as runs they tell hardly more than a letter."""
_NOTHING = ("",)
_EDGE = ("escape", r"\b")
_NO_WORD = [("open", "(?!"), ("escape", r"\w"), ("close", ")")]
_ALWAYS = 0
"""The number of a pattern that tells nothing of what it needs."""
_TRIES_BEFORE = 5
"""To read what a pattern needs takes as long as to compile it: a command that asks once or twice does without."""

Runs = frozenset[str]


class _Register:
    """What patterns need that were tried often enough, by the words it stands in: a text is held against all at once.

    It only grows, by steps that no thread can come between.
    """

    def __init__(self) -> None:
        self._numbers = count(_ALWAYS + 1)
        self.by_part: dict[str, list[tuple[int, str]]] = {}
        self.signs: list[tuple[int, str]] = []
        self.last = _ALWAYS
        """The pattern that is there last with all it needs: what was found before it came is found anew."""

    def add(self, runs: Runs) -> int:
        """The number of a pattern that needs one of these runs."""
        if any(run.isspace() for run in runs):
            return _ALWAYS
        number = next(self._numbers)
        for run in sorted(runs):
            if run[0] == _SIGN:
                self.signs.append((number, run[1:]))
            else:
                self.by_part.setdefault(_longest_part(run), []).append((number, run))
        self.last = number
        return number


_REGISTER = _Register()


def _longest_part(run: str) -> str:
    """The longest word of a run, whole or not, with the blanks at its ends.

    >>> _longest_part(" in the hosp"), _longest_part("ill at"), _longest_part("owe")
    (' hosp', 'ill ', 'owe')
    """
    parts = [run[max(one.start() - 1, 0) : one.end() + 1] for one in re.finditer(r"\S+", run)]
    return max(parts, key=lambda part: len(part.strip()))


@lru_cache(maxsize=_WORDS_KEPT)
def _of_word(word: str, _last: int) -> tuple[frozenset[int], tuple[tuple[int, str], ...]] | None:
    """The patterns that need no more than this word has, and those that need others, too; None: too many parts."""
    if len(word) > _WORD_MAX:
        return None
    edged = f" {word} "
    size, by_part = len(edged), _REGISTER.by_part
    parts = {edged[start:end] for start in range(size) for end in range(start + 1, size + 1)}
    near = [entry for part in by_part.keys() & parts for entry in by_part[part]]
    there = frozenset([number for number, run in near if run in edged])
    return there, tuple([(number, run) for number, run in near if number not in there])


@lru_cache(maxsize=_TEXTS_KEPT)
def _possible(text: str, last: int) -> set[int] | None:
    """The patterns that may find something in a text; None, which is all, where the letters are not so plain."""
    # An apostrophe may be curled; other letters beyond ASCII may be the same as others in another case.
    plain = text.replace("’", "'")
    if not plain.isascii():
        return None
    if (small := plain.lower()) != text:
        return _possible(small, last)  # for which some patterns ask
    low = f" {text.translate(_ASCII_SIGNS)} "
    found = {_ALWAYS}
    for word in dict.fromkeys(low.split()):
        of_word = _of_word(word, last)
        if of_word is None:
            return None
        found |= of_word[0]
        for number, run in of_word[1]:
            if number not in found and run in low:
                found.add(number)
    found.update([number for number, sign in _REGISTER.signs if sign in text])
    return found


@cache
def needed(source: str) -> Runs | None:
    r"""Runs of letters, with a blank for every sign, of which one stands in each text that the pattern finds.

    >>> sorted(needed(r"(?i)\b(?:ow(?:e|ed)|debts?) \w+|in (?:the )?hospital") or ())
    [' debt', ' hospital', ' owe', ' owed']
    >>> needed(r"\w+ing|[ab]{3}") is None
    True
    """
    return None if _STRANGE.search(source) else _Reader(_FLAGS.sub("", source)).needed()


class _Part:
    """What stands in a row of a pattern: the letters that are being read, and the best that was read before."""

    def __init__(self) -> None:
        self.best: Collection[str] = ()
        self.worth = (0, 0)
        self.runs: Collection[str] = _NOTHING
        self.is_word_start = False
        self.is_literal = True
        """Nothing but letters so far: what stands around it may go on from it."""

    def join(self, *more: str) -> None:
        """One of these goes on from the letters."""
        if self.runs is _NOTHING:
            leads = self.is_word_start
            self.runs = [f" {one}" if leads and one and one[0] != " " else one for one in more]
        else:
            self.runs = [run + one for run in self.runs for one in more]
        self.is_word_start = False

    def begins_word(self) -> bool:
        """Whether what follows is a word of its own: nothing, or a blank, stands before it."""
        return self.is_word_start if self.runs is _NOTHING else all(run.endswith(" ") for run in self.runs)

    def shut(self) -> None:
        """No word goes on where the row ends."""
        if self.runs is not _NOTHING:
            whole = [run if run.endswith(" ") else f"{run} " for run in self.runs]
            if (worth := _worth(whole)) > self.worth:
                self.best, self.worth = whole, worth

    def end(self, found: Collection[str] | None = None) -> None:
        """The letters go on no further; `found`: runs of a group, of which one is there."""
        for one in (self.runs, found):
            if one is not None and one is not _NOTHING and (worth := _worth(one)) > self.worth:
                self.best, self.worth = one, worth
        self.runs, self.is_word_start, self.is_literal = _NOTHING, False, False

    def closed(self) -> None:
        """No word goes on here."""
        if self.runs is not _NOTHING and not any(run.endswith(" ") for run in self.runs):
            self.join(" ")
        self.end()

    def opened(self) -> None:
        """No word goes on from before: what begins here is a word of its own."""
        self.end()
        self.is_word_start = True


def _worth(runs: Collection[str]) -> tuple[int, int]:
    """Long runs say more than short ones, and few more than many; none at all is what no text has."""
    least = min([_WORTH_MAX, *(len(run) if set(run.split()) - _COMMON or run.isspace() else _SHORTEST for run in runs)])
    return least, -len(runs)


def _known(rows: Sequence[_Part]) -> Collection[str] | None:
    """Runs of which one is there whichever of the rows it is; None when one of them may be anything."""
    if any(row.worth[0] < _SHORTEST for row in rows):
        return None
    return [run for row in rows for run in row.best]


class _Reader:
    """Reads a pattern from left to right, one group in another."""

    def __init__(self, source: str) -> None:
        self._tokens = [(str(one.lastgroup), one.group()) for one in _TOKEN.finditer(source)]
        self._at = 0

    def needed(self) -> Runs | None:
        found = _known(self._rows())
        return None if found is None else frozenset(found)

    def _rows(self, *, is_word_start: bool = False) -> list[_Part]:
        """The rows up to the end of a group."""
        rows = [self._row(is_word_start=is_word_start)]
        while self._at < len(self._tokens) and self._tokens[self._at][0] == "bar":
            self._at += 1
            rows.append(self._row(is_word_start=is_word_start))
        self._at += 1
        return rows

    def _row(self, *, is_word_start: bool) -> _Part:
        """Its best, its letters where it is nothing else, and whether a word begins behind it."""
        part = _Part()
        part.is_word_start = is_word_start
        while self._at < len(self._tokens) and self._tokens[self._at][0] not in {"bar", "close"}:
            self._item(part, *self._tokens[self._at])
        runs, is_literal, begins_word = part.runs, part.is_literal, part.begins_word()
        part.end()
        part.runs, part.is_literal, part.is_word_start = runs, is_literal, begins_word
        return part

    def _item(self, part: _Part, name: str, given: str) -> None:
        self._at += 1
        if name == "open":
            self._group(part, given)
            return
        if given == r"\b":
            part.closed()
            part.opened()
            return
        if given in {"^", "$", r"\A", r"\Z", r"\B"}:
            if given in {"^", r"\A"} and part.runs is _NOTHING:
                part.opened()
            return
        letter = _letter(name, given)
        is_there, is_once = self._repeat()
        if letter is None or not is_there:
            begins_word = letter == " " and part.begins_word()
            part.end()
            part.is_word_start = begins_word
            return
        if name != "set" and given[-1] in _TELLING and part.worth[0] < _SHORTEST:
            part.best, part.worth = [_SIGN + given[-1]], (_SHORTEST, -1)
        part.join(letter)
        if not letter.isascii():
            part.end(())
        elif not is_once:
            part.end()
            part.is_word_start = letter == " "

    def _group(self, part: _Part, opening: str) -> None:
        start, begins_word = self._at, part.begins_word()
        is_word_start = part.is_word_start and part.runs is _NOTHING and not opening.endswith(("=", "!"))
        rows = self._rows(is_word_start=is_word_start)
        if opening.endswith(("=", "!")):
            # What is only looked at counts where it is the end or the beginning of a word.
            if [one for _, one in self._tokens[start : self._at]] == [r"\w", ")"]:
                edges = {"(?<!": part.opened, "(?!": part.closed}
                edges.get(opening, lambda: None)()
            if opening == "(?<=" and part.runs is _NOTHING and all(row.is_word_start for row in rows):
                part.opened()
            return
        if self._tokens[self._at : self._at + 1] == [_EDGE] or self._tokens[self._at : self._at + 3] == _NO_WORD:
            for row in rows:
                row.shut()
        is_there, is_once = self._repeat()
        follows_blank = all(row.is_word_start for row in rows)
        if not is_there:
            part.end()
            part.is_word_start = begins_word and follows_blank
            return
        letters = {run for row in rows for run in row.runs} if all(row.is_literal for row in rows) else ()
        if letters and len(letters) * len(part.runs) <= _RUNS_MAX:
            part.join(*letters)
            if is_once:
                return
            part.end()
        else:
            part.end(_known(rows))
        part.is_word_start = follows_blank

    def _repeat(self) -> tuple[bool, bool]:
        """Whether the item before must be there, and whether exactly once."""
        if self._at == len(self._tokens) or self._tokens[self._at][0] != "repeat":
            return True, True
        sign = self._tokens[self._at][1]
        self._at += 1
        return not (sign[0] in "?*" or re.match(r"\{0*[,}]", sign)), False


def _letter(name: str, token: str) -> str | None:
    """The letter that an item stands for, a blank for any sign; None for what may be several."""
    if name == "word":
        return token.lower()
    if name == "plain":
        sign = token.lower()
        if sign in ".^$" or token in _TWO_CASED:
            return None
        return sign if sign.isalnum() or sign == "_" or not (sign.isascii() or sign == "’") else " "
    if name == "escape":
        return " " if token in {r"\s", r"\W", r"\n", r"\t"} or not (token[1].isalnum() or token[1] == "_") else None
    return " " if name == "set" and _SIGNS.fullmatch(token) else None


class Gate:
    """What a text must have before any of these patterns is tried: one look, where none of them may find anything."""

    def __init__(self, *sources: str) -> None:
        self._sources = sources
        self._tries_left = _TRIES_BEFORE
        self._number = _ALWAYS

    def may_find(self, text: str) -> bool:
        """Whether the letters of one of the alternatives stand in the text."""
        if self._tries_left > 0:
            self._try()
        if self._number == _ALWAYS:
            return True
        found = _possible(text, _REGISTER.last)
        return found is None or self._number in found

    def _try(self) -> None:
        self._tries_left -= 1
        if self._tries_left == 0:
            runs = [needed(source) for source in self._sources]
            known = [one for one in runs if one is not None]
            self._number = _REGISTER.add(frozenset().union(*known)) if len(known) == len(runs) else _ALWAYS


class Gated(Gate):
    """A pattern, and what a text must have before it is tried."""

    def __init__(self, make: Callable[[], re.Pattern[str]], source: str) -> None:
        super().__init__(source)
        self._make, self.pattern = make, source

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return self._make()

    def search(self, text: str, *within: int) -> re.Match[str] | None:
        # What `may_find` says, in the same call: a sentence is searched for dozens of patterns.
        if self._tries_left > 0:
            self._try()
        if self._number != _ALWAYS:
            found = _possible(text, _REGISTER.last)
            if found is not None and self._number not in found:
                return None
        return self.compiled.search(text, *within)

    def match(self, text: str, *within: int) -> re.Match[str] | None:
        return self.compiled.match(text, *within) if self.may_find(text) else None

    def fullmatch(self, text: str, *within: int) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, *within) if self.may_find(text) else None

    def finditer(self, text: str, *within: int) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, *within) if self.may_find(text) else iter(())

    def findall(self, text: str, *within: int) -> list[str]:
        return self.compiled.findall(text, *within) if self.may_find(text) else []

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self.compiled.sub(new, text, count) if self.may_find(text) else text


class Written(Protocol):
    """A pattern, or what stands for one."""

    @property
    def pattern(self) -> str:
        """Its source."""


def gate(*patterns: Written) -> Gate:
    """One gate before several patterns."""
    return Gate(*(one.pattern for one in patterns))


def gated(source: str, make: Callable[[], re.Pattern[str]] | None = None) -> re.Pattern[str]:
    """A pattern that is compiled and tried only where it may find something: most texts have nothing of most patterns.

    `make`: what compiles it, where that is not the source as it stands.
    """
    return cast("re.Pattern[str]", Gated(make or (lambda: re.compile(source)), source))
