"""Changes that replace, end to end: an old fact and then what was said later, told to an empty store.

`python -m training.pairs [--by remember observe chat] [--every N] [--show]` tells the development lines of
`pairs*.jsonl` to the installed package, and counts how often the old fact was replaced, merged with, or stands.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import wellkept
from training.corpus import HERE
from training.examples import lines_of
from training.product import Clock

VERBS = ("remember", "observe", "chat", "overheard")
"""How the new words are told after the old ones were given to `remember`; `overheard`: `observe` is told both."""
_NAMED = re.compile(r"^([^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?): ")


@dataclass(frozen=True)
class Pair:
    """An old fact and what was said later, by whom, and what the two are to each other."""

    old: str
    new: str
    name: str | None
    relation: str
    source: str

    @classmethod
    def of(cls, line: Mapping[str, str], source: str) -> Pair:
        """Whoever is named before the new words says both."""
        named = _NAMED.match(line["new"])
        if named is None:
            return cls(old=line["old"], new=line["new"], name=None, relation=line["rel"], source=source)
        old, new = line["old"].removeprefix(named[0]), line["new"][named.end() :]
        return cls(old=old, new=new, name=named[1], relation=line["rel"], source=source)


def pairs(every: int) -> list[Pair]:
    """The development pairs, every Nth of each file."""
    return [
        Pair.of(line, path.stem)
        for path in sorted(HERE.glob("pairs*.jsonl"))
        for line in list(lines_of(path, key="old", development=True))[::every]
    ]


def _tell(text: str, verb: str, speaker: wellkept.Viewpoint, memory: wellkept.Memory) -> None:
    if verb == "remember":
        speaker.remember(text)
    elif verb == "chat":
        speaker.chat(text)
    else:
        speaker.observe([{"role": "user", "content": text}], wait=True)
        memory.upkeep.finish()


def tell(pair: Pair, verb: str, folder: Path) -> str:
    """What became of the old fact: replaced, one memory, both stand; or which of the two was never kept."""
    clock = Clock()
    memory = wellkept.open(folder / "memory.db", clock=clock, worker="off")
    speaker = memory.at(user="u", display_name=pair.name)
    _tell(pair.old, "observe" if verb == "overheard" else "remember", speaker, memory)
    old = {one.id: one.version for one in speaker.list(limit=20)}
    clock.now += timedelta(hours=3)
    _tell(pair.new, verb, speaker, memory)
    now = {one.id: one.version for one in speaker.list(limit=50)}
    retired = {one.id for one in speaker.list(limit=50, state="superseded")}
    memory.close()
    if not old:
        return "old not kept"
    if retired.intersection(old):
        return "replaced"
    if not old.keys() <= now.keys():
        return "old gone"
    if any(now[one] != version for one, version in old.items()):
        return "one memory"
    return "both stand" if len(now) > len(old) else "new not kept"


def report(verb: str, every: int, *, shows: bool) -> Iterator[str]:
    """By file and relation: how often the old fact was replaced, merged with, or stands."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for pair in pairs(every):
        with tempfile.TemporaryDirectory() as folder:
            found = tell(pair, verb, Path(folder))
        counts[pair.source, pair.relation][found] += 1
        counts["all", pair.relation][found] += 1
        if shows:
            print(pair.source, pair.relation, found, pair.old, pair.new, sep=" | ", file=sys.stderr)
    for (source, relation), found_ones in sorted(counts.items()):
        total = found_ones.total()
        parts = ", ".join(f"{name} {count}" for name, count in found_ones.most_common())
        yield f"{verb}, {source}, {relation}: replaced {found_ones['replaced'] / total:.3f} of {total} ({parts})"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", nargs="+", choices=VERBS, default=VERBS[:2])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth pair")
    parser.add_argument("--show", action="store_true", help="print every pair with what became of it")
    options = parser.parse_args(arguments)
    for verb in options.by:
        print(*report(verb, options.every, shows=options.show), sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
