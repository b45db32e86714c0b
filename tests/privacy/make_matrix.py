"""Writes matrix.csv: who may see what, cell by cell, in words of the specification and with nothing of the code.

Run `python tests/privacy/make_matrix.py` after the rules themselves have changed, and read the difference.

A line of the table is a place in life (chat, subjects, scope, who said it, where, whether the listener was there); its
last four columns are the sensitivities. In a column each character is one cell: portable yes, no × confidential no, yes
× persona none, same, other, in that order. Lines about several people have the first of these cells only. The
character is a hexadecimal digit that adds up the settings under which the memory is shown: 8 as shipped, 4
`privacy.mode = "seed"`, 2 `privacy.mode = "strict"`, 1 `privacy.fail_open = false`.
"""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path

PATH = Path(__file__).with_name("matrix.csv")

# Who listens, the asker first; "other" is the partner of a private chat of two, or somebody else in the group.
LISTENERS = {"alone": ("asker",), "two": ("asker", "other"), "group": ("asker", "other")}
# To whom the assistant discloses in a private chat.
PARTNER = {"alone": "asker", "two": "other"}

SUBJECTS = {
    "alone": ((), ("asker",), ("absent",), ("asker", "absent")),
    "two": (
        (),
        ("asker",),
        ("other",),
        ("absent",),
        ("asker", "absent"),
        ("other", "absent"),
        ("asker", "other"),
    ),
}
SUBJECTS["group"] = SUBJECTS["two"]
SCOPES = ("own", "this_chat", "granted", "other_user", "other_chat")
SPEAKERS = {"alone": ("asker", "third"), "two": ("asker", "other", "third"), "group": ("asker", "other", "third")}
# Where it was said, and whether the listener it is disclosed to (in a group: the asker) took part there.
PLACES = (("here", "yes"), ("private", "yes"), ("private", "no"), ("group", "yes"), ("group", "no"), ("nowhere", "no"))
SENSITIVITIES = ("none", "public", "personal", "sensitive")
MARKS = tuple(product((True, False), (False, True), ("none", "same", "other")))
SETTINGS = (("default", 8), ("seed", 4), ("strict", 2), ("closed", 1))

# Seed 000, group chats: sensitivity → (subject takes part, subject does not).
GROUP_TABLE = {"public": (True, True), "personal": (True, False), "sensitive": (True, False)}
# Seed 000, the self-query: (chat, who asks) → public, personal, sensitive.
SELF_QUERY = {
    ("private", "subject"): (True, True, True),
    ("group", "subject"): (True, True, False),
    ("group", "others"): (True, False, False),
    # Not in the seed: in a private chat, somebody else asks in the subject's hearing. As in a group.
    ("private", "others"): (True, False, False),
}


@dataclass(frozen=True, kw_only=True)
class Cell:
    chat: str
    subjects: tuple[str, ...]
    scope: str
    stated_by: str
    learned_in: str
    attended: str
    sensitivity: str
    portable: bool
    confidential: bool
    persona: str

    @property
    def level(self) -> str:
        return "public" if self.sensitivity == "none" else self.sensitivity

    @property
    def in_scope(self) -> bool:
        return self.scope in ("own", "this_chat", "granted")


def is_shown(cell: Cell, setting: str) -> bool:
    tables = (is_disclosed(cell), passes_chat_table(cell, setting))
    if cell.in_scope:
        if cell.persona == "other" or (cell.confidential and cell.learned_in != "here"):
            return False
        return all(tables) if setting == "strict" else tables[1]
    is_about_listener = bool(set(cell.subjects) & set(LISTENERS[cell.chat]))
    if not is_about_listener or not cell.portable or cell.confidential or cell.persona != "none":
        return False
    return all(tables) if setting == "strict" else tables[0]


def passes_chat_table(cell: Cell, setting: str) -> bool:
    return passes_group(cell, setting) if cell.chat == "group" else passes_private(cell, setting)


def passes_group(cell: Cell, setting: str) -> bool:
    here = [subject in LISTENERS["group"] for subject in cell.subjects]
    if not cell.subjects and setting != "seed" and (cell.scope == "this_chat" or cell.learned_in == "here"):
        # About nobody, and said here: those who listen have heard it.
        return True
    if cell.level == "sensitive" and setting != "seed":
        # Every subject takes part, and it was said in a group: what was told in private, or who knows where, stays out.
        return bool(here) and all(here) and in_which_kind(cell) == "group"
    takes_part, does_not = GROUP_TABLE[cell.level]
    return takes_part if any(here) else does_not


def in_which_kind(cell: Cell) -> str:
    if cell.learned_in == "here":
        return "group" if cell.chat == "group" else "private"
    return cell.learned_in


def passes_private(cell: Cell, setting: str) -> bool:
    partner = PARTNER[cell.chat]
    if partner in cell.subjects or cell.stated_by == partner or cell.attended == "yes":
        return True
    if cell.chat == "two" and setting != "seed" and not is_for_other_ears(cell):
        return False
    return not cell.subjects or "asker" in cell.subjects or (cell.learned_in == "nowhere" and setting != "closed")


def is_for_other_ears(cell: Cell) -> bool:
    """Decision 0021: in front of somebody who does not know it, nothing sensitive, nor what is personal of nobody."""
    return cell.level == "public" or (cell.level == "personal" and bool(cell.subjects))


def is_disclosed(cell: Cell) -> bool:
    """The cross-context rule: personal to the subject or the owner, sensitive in a private chat with the subject."""
    kind = "group" if cell.chat == "group" else "private"
    asks = "subject" if "asker" in cell.subjects else "others"
    answer = dict(zip(("public", "personal", "sensitive"), SELF_QUERY[kind, asks], strict=True))[cell.level]
    if cell.level == "personal" and cell.scope == "own":
        return True
    if cell.level == "sensitive":
        # "With the subject": nobody else listens, and no subject is talked about behind their back.
        return answer and set(cell.subjects) == set(LISTENERS[cell.chat])
    return answer


def digit(cell: Cell) -> str:
    return f"{sum(value for setting, value in SETTINGS if is_shown(cell, setting)):x}"


def lines() -> list[list[str]]:
    rows = []
    for chat in LISTENERS:
        for subjects, scope, speaker, place in product(SUBJECTS[chat], SCOPES, SPEAKERS[chat], PLACES):
            columns = []
            for sensitivity in SENSITIVITIES:
                cells = [
                    Cell(
                        chat=chat,
                        subjects=subjects,
                        scope=scope,
                        stated_by=speaker,
                        learned_in=place[0],
                        attended=place[1],
                        sensitivity=sensitivity,
                        portable=portable,
                        confidential=confidential,
                        persona=persona,
                    )
                    for portable, confidential, persona in (MARKS if len(subjects) < 2 else MARKS[:1])
                ]
                columns.append("".join(digit(cell) for cell in cells))
            rows.append([chat, "+".join(subjects) or "nobody", scope, speaker, *place, *columns])
    return rows


def main() -> None:
    header = ["chat", "subjects", "scope", "stated_by", "learned_in", "attended", *SENSITIVITIES]
    with PATH.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *lines()])
    cells = sum(len(column) for line in lines() for column in line[6:])
    sys.stdout.write(f"{cells} cells, {cells * len(SETTINGS)} verdicts in {PATH.name}\n")


if __name__ == "__main__":
    main()
