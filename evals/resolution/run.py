"""Who is meant: precision, recall and wrong merges over small worlds. `python -m evals.resolution.run [train|test]`."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from wellkept.policies.people.persons import learn, leave_place, seen_by, united, with_alias
from wellkept.policies.people.references import parse
from wellkept.policies.people.resolution import Known, Resolution, Verdict, decide, stated
from wellkept.types import Alias, Person, Reference

HERE = Path(__file__).parent
HALVES: tuple[Literal["train", "test"], ...] = ("train", "test")
TARGETS = {"precision": 0.98, "recall": 0.90, "wrong merges": 0}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Miss:
    """A reference that did not find what it must."""

    world: str
    text: str
    expected: str
    got: str


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What a half gave. A reference is found when it leads to the person it means, made before in its world."""

    references: int
    precision: float
    recall: float
    wrong_merges: int
    right: float
    """Share of all references, new and ambiguous ones included, that came out as they must."""
    proposals_missed: int
    misses: tuple[Miss, ...]


@dataclass
class World:
    """People of one world and the labels under which the table knows them."""

    people: dict[str, Person] = field(default_factory=dict)
    labels: dict[str, set[str]] = field(default_factory=dict)
    met: dict[str, list[str]] = field(default_factory=dict)
    count: int = 0

    def join(self, user: str, username: str, display_name: str) -> None:
        """A user of the chat that everybody shares."""
        aliases = (Alias(value=f"@{username}"),)
        person = Person(id=f"user-{user}", tenant="t", name=display_name, created_by=user, created_at=NOW, user_id=user)
        self.people[person.id] = with_alias(person, aliases[0].value, by=user)
        self.labels[person.id] = {user}

    def known(self, speaker: str, anchor: str | None) -> Known:
        """Whom this speaker spoke of, and the users present."""
        seen = [person for person in self.people.values() if person.user_id or person.id in self.met.get(speaker, ())]
        own = f"user-{speaker}" if f"user-{speaker}" in self.people else None
        visible = tuple(seen_by(person, speaker) for person in seen if person.merged_into is None)
        return Known(speaker=speaker, own=own, people=visible, anchor=anchor)

    def say(self, reference: Reference, speaker: str) -> Resolution:
        """Resolve and keep what was learned, as the flow does."""
        anchor = None
        if reference.of is not None:
            of = self.say(reference.of, speaker)
            if of.person_id is None:
                return of
            anchor = of.person_id
        known = self.known(speaker, anchor)
        decision = decide(reference, known)
        if decision.verdict in (Verdict.AMBIGUOUS, Verdict.SEVERAL):
            return decision
        return self._keep(decision, reference, known)

    def _keep(self, decision: Resolution, reference: Reference, known: Known) -> Resolution:
        speaker = known.speaker or ""
        if decision.person_id is None:
            self.count += 1
            person = Person(id=f"p{self.count}", tenant="t", created_by=speaker, created_at=NOW)
        else:
            person = self.people[decision.person_id]
        if decision.merged_id is not None:
            person = united(person, self.people.pop(decision.merged_id))
            self.labels.setdefault(person.id, set()).update(self.labels.pop(decision.merged_id, set()))
        new = stated(reference, known)
        self.people[person.id] = learn(person, reference, new, by=speaker)
        for other in tuple(self.people.values()):
            if new is not None and other.id != person.id:
                self.people[other.id] = leave_place(other, new)
        self.met.setdefault(speaker, []).append(person.id)
        return Resolution(verdict=decision.verdict, reason=decision.reason, person_id=person.id, review=decision.review)


@dataclass
class _Tally:
    expected: int = 0
    claimed: int = 0
    found: int = 0
    merged_wrongly: int = 0
    right: int = 0
    total: int = 0
    proposals_missed: int = 0
    misses: list[Miss] = field(default_factory=list)


def _check(world: World, name: str, step: dict[str, Any], tally: _Tally) -> None:
    who = step["who"]
    before = {label for labels in world.labels.values() for label in labels}
    made_before = set(world.people)
    got = world.say(parse(step["text"]), step["by"])
    is_old = got.person_id in made_before
    known_labels = world.labels.get(got.person_id or "", set())
    must_find = who is not None and who in before
    tally.total += 1
    tally.expected += must_find
    tally.claimed += is_old
    found = is_old and (who in known_labels)
    tally.found += found
    # A person made on the way ("my sister" in "my sister's son") has no label until it is named by itself.
    is_first_label = is_old and not known_labels and who is not None and who not in before
    tally.claimed -= is_first_label
    is_right = found if must_find else is_first_label or (got.person_id is None if who is None else not is_old)
    tally.right += is_right
    tally.merged_wrongly += is_old and not found and not is_first_label
    if not is_right:
        shown = f"{got.verdict}:{got.reason}:{','.join(sorted(known_labels)) if is_old else ''}"
        tally.misses.append(Miss(world=name, text=step["text"], expected=who or "nobody", got=shown))
    if got.person_id is not None and who is not None and (not is_old or is_first_label):
        world.labels.setdefault(got.person_id, set()).add(who)
    if "review" in step:
        proposed = {label for one in got.review for label in world.labels.get(one, ())}
        tally.proposals_missed += step["review"] not in proposed


def evaluate(half: Literal["train", "test"]) -> Figures:
    """Run every world of a half from its beginning."""
    tally = _Tally()
    for line in (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        world = World()
        for step in told["steps"]:
            if "join" in step:
                world.join(step["join"], step["username"], step["display_name"])
            elif "also" in step:
                person_id = next(one for one, labels in world.labels.items() if step["who"] in labels)
                world.people[person_id] = with_alias(world.people[person_id], step["also"], by="u1")
            else:
                _check(world, told["world"], step, tally)
    return Figures(
        references=tally.total,
        precision=tally.found / tally.claimed if tally.claimed else 1.0,
        recall=tally.found / tally.expected if tally.expected else 1.0,
        wrong_merges=tally.merged_wrongly,
        right=tally.right / tally.total,
        proposals_missed=tally.proposals_missed,
        misses=tuple(tally.misses),
    )


def key_figures(half: Literal["train", "test"]) -> dict[str, float]:
    """For the table of all sets."""
    found = evaluate(half)
    return {"precision": found.precision, "recall": found.recall, "wrong merges": found.wrong_merges}


def main() -> None:
    """Print the figures; single misses only of the train half, for the test half is not to be looked at."""
    for half in ("train", "test"):
        if len(sys.argv) > 1 and sys.argv[1] != half:
            continue
        figures = evaluate(half)
        print(
            f"{half}: {figures.references} references, precision {figures.precision:.3f}, recall {figures.recall:.3f}, "
            f"wrong merges {figures.wrong_merges}, all right {figures.right:.3f}, "
            f"proposals missed {figures.proposals_missed}"
        )
        for miss in figures.misses if half == "train" else ():
            print(f"  {miss.world}: {miss.text} must be {miss.expected}, got {miss.got}")


if __name__ == "__main__":
    main()
