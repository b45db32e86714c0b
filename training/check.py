"""Check the corpus and print its counts: form, balance, repeated frames, near-duplicates across splits, dates, links.

    python -m training.check [--frozen] [--voices]

Exits with 1 when something is malformed, a count is below its floor, or a frozen file has changed. `--frozen` writes
the hashes of the test files, once, before the first training.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from pathlib import Path

from training import corpus
from training.corpus import HERE, Conversation
from training.examples import Pair, read_relations

FROZEN = HERE / "frozen.json"
FLOORS = {
    "conversations": 320, "turns": 24_000, "questions": 12_000, "changed": 2_500, "privacy statements": 6_000,
    "pairs": 6_000,
    "voices": 40, "test conversations": 30, "strangers' turns": 300, "strangers' questions": 150,
}  # fmt: skip
LABEL_MIN = 150
EMPTY_SHARE = (0.55, 0.75)
SENSITIVE_MAX = 0.35
NONE_SHARE_MIN = 0.22
FRAME_MAX = 12
FRAME_WORDS = 5
SHINGLE = 8

_WORD = re.compile(r"[a-z']+|\d+")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = "january february march april may june july august september october november december".split()
_DATED = re.compile(
    rf"\b({'|'.join(_WEEKDAYS)}),? (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({'|'.join(_MONTHS)})(?:,? (\d{{4}}))?",
    re.IGNORECASE,
)
# Words that hold a sentence together: what is left when everything else is replaced by its class is its frame.
_FRAME_WORDS = frozenset(
    "i i'm i've i'll i'd my me we we're our you your he she it they his her their the a an this that to of in on at for"
    " with and but or so if is am are was were be been have has had do did don't didn't can can't will won't would not"
    " no just now then there here what when where who why how up out off about from by as than too".split()
)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--frozen", action="store_true", help="write the hashes of the test files")
    parser.add_argument("--voices", action="store_true", help="print every person with their turns and facts")
    options = parser.parse_args(arguments)
    if options.frozen:
        FROZEN.write_text(json.dumps(hashes(), indent=1) + "\n", encoding="utf-8")
    talks, wrong = _read(corpus.TRAIN)
    tests, wrong_tests = _read(corpus.TEST)
    strangers, wrong_strangers = _read(corpus.STRANGERS)
    faults = [*wrong, *wrong_tests, *wrong_strangers, *_changed_tests()]
    counts = counted(talks, tests, strangers)
    for name, number in counts.items():
        print(f"{name:>24} {number:,}" + (f"  (floor {FLOORS[name]:,})" if name in FLOORS else ""))
    faults += [f"{name}: {counts[name]:,} of {floor:,}" for name, floor in FLOORS.items() if counts[name] < floor]
    faults += shares(talks) + labels(corpus.split(talks)[0]) + frames(talks) + dates([*talks, *tests])
    train, development = corpus.split(talks)
    faults += duplicates(talks, [*tests, *strangers]) + duplicates(train, development) + links(talks)
    if options.voices:
        print(*voices(talks), sep="\n")
    print(*faults, sep="\n")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


def _read(folder: Path) -> tuple[list[Conversation], list[str]]:
    read = [corpus.read(path) for path in sorted(folder.glob("*.txt"))]
    return [talk for talk, _ in read], [error for _, errors in read for error in errors]


def hashes() -> dict[str, str]:
    """File → sha256 of everything that nobody who writes training text reads."""
    paths = sorted(path for folder in (corpus.TEST, corpus.STRANGERS) for path in folder.iterdir() if path.is_file())
    return {f"{path.parent.name}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _changed_tests() -> list[str]:
    if not FROZEN.exists():
        return ["the tests are not frozen"]
    frozen = json.loads(FROZEN.read_text(encoding="utf-8"))
    now = hashes()
    return [
        f"{name} has changed since it was frozen"
        for name in sorted({*frozen, *now})
        if frozen.get(name) != now.get(name)
    ]


def counted(
    talks: Sequence[Conversation], tests: Sequence[Conversation], strangers: Sequence[Conversation]
) -> dict[str, int]:
    facts = [fact for talk in talks for turn in talk.turns for fact in turn.facts]
    singles = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in HERE.glob("privacy*.jsonl"))
    return {
        "conversations": len(talks) + len(tests),
        "turns": sum(len(talk.turns) for talk in (*talks, *tests)),
        "questions": sum(len(talk.questions) for talk in (*talks, *tests)),
        "facts": len(facts),
        "traps": sum(len(turn.traps) for talk in talks for turn in talk.turns),
        "changed": sum(bool({"replaces", "ends"} & set(fact.links)) for fact in facts),
        "repeated": sum("repeats" in fact.links for fact in facts),
        "privacy statements": len(facts) + singles,
        "single statements": singles,
        "pairs": len(list(derived_pairs(talks))),
        "single pairs": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in HERE.glob("pairs*.jsonl")),
        "voices": len({description for talk in talks for description in talk.people.values()}),
        "test conversations": len(tests),
        "strangers' turns": sum(len(talk.turns) for talk in strangers),
        "strangers' questions": sum(len(talk.questions) for talk in strangers),
    }


def derived_pairs(talks: Sequence[Conversation]) -> Iterable[Pair]:
    """Pairs of facts that replace, repeat or stand beside each other, as the reader learns from them."""
    chance = random.Random(0)
    return (pair for talk in talks for pair in read_relations(talk, _not_alike, chance))


def _not_alike(texts: Sequence[str]) -> list[list[float]]:
    """How alike texts are does not matter for counting."""
    return [[0.0] * len(texts)] * len(texts)


def voices(talks: Sequence[Conversation]) -> Iterable[str]:
    """Each person with their turns and facts."""
    for talk in talks:
        for handle, description in talk.people.items():
            own = [turn for turn in talk.turns if turn.speaker == handle]
            yield f"{len(own):5} turns {sum(len(turn.facts) for turn in own):4} facts  {talk.path.stem}  {description}"


def shares(talks: Sequence[Conversation]) -> list[str]:
    turns = [turn for talk in talks for turn in talk.turns]
    facts = [fact for turn in turns for fact in turn.facts]
    questions = [question for talk in talks for question in talk.questions]
    empty = sum(not turn.facts for turn in turns) / len(turns)
    sensitive = sum(fact.privacy == "sensitive" for fact in facts) / len(facts)
    none = sum(question.category == "none" for question in questions) / len(questions)
    print(
        f"turns with nothing to keep {empty:.1%}, sensitive facts {sensitive:.1%}, "
        f"questions without an answer {none:.1%}"
    )
    faults = []
    if not EMPTY_SHARE[0] <= empty <= EMPTY_SHARE[1]:
        faults.append(f"turns with nothing to keep: {empty:.1%}")
    if sensitive > SENSITIVE_MAX:
        faults.append(f"sensitive facts: {sensitive:.1%}")
    if none < NONE_SHARE_MIN:
        faults.append(f"questions without an answer: {none:.1%}")
    return faults


def labels(talks: Sequence[Conversation]) -> list[str]:
    """Every label has enough examples to be learned from."""
    found: Counter[str] = Counter()
    for talk in talks:
        for turn in talk.turns:
            found.update(f"stance {trap.stance}" for trap in turn.traps)
            for fact in turn.facts:
                found.update(
                    (f"type {fact.type}", f"holds {fact.holds}", f"about {fact.about}", f"privacy {fact.privacy}")
                )
                found.update(f"link {link}" for link in fact.links)
                if fact.todo:
                    found[f"todo {fact.todo.partition(':')[0]}"] += 1
                if fact.is_quiet:
                    found["quiet yes"] += 1
    wanted = [
        *(f"type {one}" for one in corpus.TYPES), *(f"holds {one}" for one in corpus.HOLDS),
        *(f"about {one}" for one in corpus.ABOUT), *(f"privacy {one}" for one in corpus.PRIVACY),
        *(f"stance {one}" for one in corpus.STANCES), *(f"todo {one}" for one in corpus.TODOS),
        *(f"link {one}" for one in corpus.LINKS), "quiet yes",
    ]  # fmt: skip
    print("labels in train:", ", ".join(f"{one} {found[one]:,}" for one in wanted))
    return [f"label {one}: {found[one]} of {LABEL_MIN}" for one in wanted if found[one] < LABEL_MIN]


def frame(sentence: str) -> str | None:
    """A sentence with its words replaced by their class; None where it is too short to be a pattern."""
    found = _WORD.findall(sentence.lower())
    if len(found) < FRAME_WORDS:
        return None
    return " ".join(word if word in _FRAME_WORDS else "0" if word.isdigit() else "x" for word in found)


def frames(talks: Sequence[Conversation]) -> list[str]:
    """Sentence patterns that stand too often. A pattern of a few words that hold nothing together is none."""
    found: Counter[str] = Counter()
    for talk in talks:
        for turn in talk.turns:
            if not turn.is_assistant:
                found.update(filter(None, map(frame, re.split(r"(?<=[.!?])\s+", turn.text))))
    telling = {one: number for one, number in found.items() if sum(word not in "x0" for word in one.split()) >= 4}
    return [f"frame {number} times: {one}" for one, number in telling.items() if number > FRAME_MAX]


def dates(talks: Sequence[Conversation]) -> list[str]:
    """A weekday with its day of the month has to be one that exists near its session."""
    faults = []
    for talk in talks:
        for turn in talk.turns:
            texts = [turn.text, *(fact.text for fact in turn.facts)]
            faults += [f"{talk.path.name} {turn.id}: {wrong}" for text in texts for wrong in _wrong_days(text, turn.at)]
    return faults


def _wrong_days(text: str, at: str) -> Iterable[str]:
    said = date.fromisoformat(at[:10])
    for match in _DATED.finditer(text):
        weekday, day, month, year = match.groups()
        years = [int(year)] if year else [said.year - 1, said.year, said.year + 1]
        days = [_day(one, _MONTHS.index(month.lower()) + 1, int(day)) for one in years]
        near = [one for one in days if one is not None and (year or abs(one - said) < timedelta(days=200))]
        if near and all(_WEEKDAYS[one.weekday()] != weekday.lower() for one in near):
            yield f"{match.group(0)!r} is no {weekday}"


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def duplicates(talks: Sequence[Conversation], tests: Sequence[Conversation]) -> list[str]:
    """Runs of eight words that stand in training and in a test alike."""
    known: dict[tuple[str, ...], str] = {}
    for talk in talks:
        for turn in talk.turns:
            known.update(dict.fromkeys(_shingles(turn.text), f"{talk.path.name} {turn.id}"))
    return [
        f"{talk.path.parent.name}/{talk.path.name} {turn.id} shares words with {known[one]}"
        for talk in tests
        for turn in talk.turns
        for one in list(_shingles(turn.text))
        if one in known
    ]


def _shingles(text: str) -> Iterable[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return (tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1))


def links(talks: Sequence[Conversation]) -> list[str]:
    """A link has to lead to a fact, and to one fact where its turn has several."""
    faults = []
    for talk in talks:
        for turn in talk.turns:
            for fact in turn.facts:
                for name, link in fact.links.items():
                    if talk.fact(link) is None:
                        faults.append(f"{talk.path.name} {turn.id}: {name}={link} leads to no fact")
                    elif "." not in link and len(talk.turn(link).facts) > 1:
                        faults.append(
                            f"{talk.path.name} {turn.id}: {name}={link} could mean {len(talk.turn(link).facts)} facts"
                        )
    return faults


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
