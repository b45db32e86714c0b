"""Whether what a text costs grows with its size alone: worst known texts and drawn ones, through every verb that reads.

    wellkept bench hostile-text [--drawn 12] [--seed 1] [--quadratic]

A short token is repeated to 4, 16 and 64 KB and told to `remember`, `observe`, `chat` and `recall` of a memory
without an embedder: what is measured is the processor time of all but the model. Two things fail: a text that takes
more for each KB than the bounds below, beside a fixed part that the judge may take for the sentences it reads, and one
of 64 KB that takes more for each KB than one of 16 KB does. The bounds are those of one machine; a reference that is
measured in the same run tells how fast this one is. `--quadratic` adds a verb that compares every piece with every
other; it must fail.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

import wellkept
from wellkept.api import Memory, Viewpoint
from wellkept.config import Config, EmbedderTable
from wellkept.errors import InvalidInput

SIZES = (4, 16, 64)
"""KB of each text."""
KB = 1_000
MS_PER_KB_MAX = 2.0
"""Of ordinary text, on the machine on which the reference takes REFERENCE_MS."""
HOSTILE_TIMES_MAX = 8.0
"""How many times that a KB of the worst text may take: each of its words announces a secret that must be looked for."""
READ_MS_MAX = 500.0
"""What the judge may take for the sentences that it reads of one text, however long that is."""
GROWTH_MAX = 2.0
"""How much more a KB of the longest text may take than one of the middle text."""
REFERENCE_MS = 3.5
QUICK_MS = 20.0
"""What takes less is no sign of growth: a commit alone varies by that much."""
WORST: Mapping[str, str] = {
    "negations and entities": "n't á&#65;",
    "abbreviations": "Mr. ",
    "names of a secret": "password is ",
    "sentences of a letter": "a.",
    "words of a letter": "a ",
    "numbers": "4 ",
    "brackets": "(",
    "mixed letters": "aA1",
    "lines": "a\n",
    "encoded": "cGFzc3dvcmQ=",
    "open markers": "<<<memory a>>>",
    "first person": "I live in Rome and I like tea, but I hate rain. ",
}
ORDINARY = "ordinary text"
SENTENCES = (
    "We walked to the {} on the {}th and bought {} kilos of apples. Ana said that the {} of plan {} was too long. "
)
NOUNS = ("market", "harbour", "library", "station", "meeting", "report", "garden", "concert", "museum", "workshop")
NUMBERS = count()
LETTERS = str.maketrans("0123456789", "abcdefghij")
PARTS = (
    "n't", "'s", "á", "&#65;", "Mr.", "my", "is", "pin", "key", "no", "I", "a", "=", ":", "%41", "\\u0041", "-", "@",
    "1", "0x", "“", "”", "(", "]", ",", ";", "!", "?", "…", "ß", "中", "\u200b", "e", "St.", "and", "if", "to", "\n",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one text cost one verb, by its size in KB; milliseconds of the processor."""

    verb: str
    text: str
    took: Mapping[int, float]

    @property
    def growth(self) -> float:
        """How much more a KB takes in the longest text than in the middle one."""
        _, middle, longest = SIZES
        if self.took[longest] < QUICK_MS:
            return 1.0
        return (self.took[longest] / longest) / max(self.took[middle] / middle, QUICK_MS / longest)

    def is_good(self, speed: float) -> bool:
        """`speed`: of this machine, against the one that the bounds are told of."""
        most = MS_PER_KB_MAX * (1.0 if self.text == ORDINARY else HOSTILE_TIMES_MAX)
        bounded = all(ms * speed <= READ_MS_MAX + most * size for size, ms in self.took.items())
        return bounded and self.growth <= GROWTH_MAX


def repeated(token: str, kilobytes: int) -> str:
    size = kilobytes * KB - 100
    return (token * (size // len(token) + 1))[:size]


def ordinary(kilobytes: int) -> str:
    """Plain sentences, no two of them alike."""
    chance, told = random.Random(7), ""
    while len(told) < kilobytes * KB:
        noun = chance.choice
        told += SENTENCES.format(noun(NOUNS), chance.randrange(999), chance.randrange(999), noun(NOUNS), len(told))
    return told[: kilobytes * KB - 100]


def drawn(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Tokens put together by chance."""
    chance = random.Random(seed)
    for _ in range(count):
        token = "".join(chance.choice((part, f"{part} ")) for part in chance.choices(PARTS, k=chance.randint(1, 4)))
        yield repr(token), token


def reference_ms() -> float:
    """Plain Python work that has nothing to do with the memory: words of a text, counted and searched."""
    text, words = ordinary(64), re.compile(r"\w+(?:'\w+)?")
    best = float("inf")
    for _ in range(5):
        started = time.process_time()
        counts: dict[str, int] = {}
        for word in words.findall(text):
            counts[word.lower()] = counts.get(word.lower(), 0) + 1
        best = min(best, time.process_time() - started)
    return best * 1_000


def verbs(memory: Memory) -> Mapping[str, Callable[[str], object]]:
    """Each with a viewpoint of its own for each text: nothing is there already."""

    def at() -> Viewpoint:
        number = next(NUMBERS)
        return memory.at(user=f"user{number}", chat=f"chat{number}")

    return {
        "remember": lambda text: at().remember(text),
        "observe": lambda text: at().observe([{"role": "user", "content": text}], wait=True),
        "chat": lambda text: at().chat(text),
        "recall": lambda text: at().recall(text),
    }


def every_pair(text: str) -> int:
    """The negative control: each piece against each other."""
    pieces = [text[start : start + 40] for start in range(0, len(text), 40)]
    return sum(one == other for one in pieces for other in pieces)


def measured(verb: str, work: Callable[[str], object], name: str, made: Callable[[int], str]) -> Row:
    took = {}
    for size in SIZES:
        text, best = made(size), float("inf")
        for _ in range(2):
            # No cache has it; in letters, as digits behind a word for a code are a secret.
            fresh = text + str(next(NUMBERS)).translate(LETTERS)
            started = time.process_time()
            with suppress(InvalidInput):  # too long is an answer, too, and must be as quick
                work(fresh)
            best = min(best, (time.process_time() - started) * 1_000)
        took[size] = best
    return Row(verb=verb, text=name, took=took)


def rows(memory: Memory, texts: Mapping[str, str], *, is_quadratic: bool) -> Iterator[Row]:
    tried = dict(verbs(memory))
    if is_quadratic:
        tried["every pair"] = every_pair
    for verb, work in tried.items():
        yield measured(verb, work, ORDINARY, ordinary)
        for name, token in texts.items():
            yield measured(verb, work, name, partial(repeated, token))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drawn", type=int, default=12, help="tokens that are put together by chance")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quadratic", action="store_true", help="the negative control")
    asked = parser.parse_args()
    texts = {**WORST, **dict(drawn(asked.drawn, asked.seed))}
    speed, bad = REFERENCE_MS / reference_ms(), 0
    print(f"{'verb':10} {'text':28}" + "".join(f"{f'{size} KB, ms':>12}" for size in SIZES) + f"{'growth':>9}")
    with tempfile.TemporaryDirectory(prefix="wellkept-bench-") as folder:
        config = Config(embedder=EmbedderTable(provider="none"))
        with wellkept.open(Path(folder) / "memory.db", config=config, worker="off") as memory:
            memory.at(user="warm", chat="warm").chat("I live in Rome. My password is hunter2!x, don't tell Ana.")
            for row in rows(memory, texts, is_quadratic=asked.quadratic):
                bad += not row.is_good(speed)
                told = "".join(f"{row.took[size]:12.1f}" for size in SIZES)
                print(f"{row.verb:10} {row.text[:28]:28}{told}{row.growth:9.2f}{'' if row.is_good(speed) else '  BAD'}")
    print(f"{bad} over the bound or growing faster than their size; this machine's speed {speed:.2f}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
