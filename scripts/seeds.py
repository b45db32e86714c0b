"""Write docs/seeds.md: what the seed documents ask for, sentence by sentence, with the commands and their real output.

Every row has an empty store, the user alice and a fixed clock. `{id}` in a command is the first id that the row has
printed.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wellkept.surfaces.cli.main import main as command_line

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "seeds.md"
NOW = "2026-03-02T09:00:00+00:00"
LINES_MAX = 12
ID = re.compile(r"\b[mps]_\w{8,}")
NONCE = re.compile(r"(?<=<<<memory )\w+|(?<=<<<end )\w+")
TEAM = "--chat team --chat-type group --with alice --with bob"
HEAD = """# The seeds, row by row

What the five seed documents ask for, each sentence with commands that show it and what they print.
`python scripts/seeds.py` makes this page from real runs on empty stores; a test runs it again.

| | seed | sentence | command → output |
|---|---|---|---|
"""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A sentence of a seed, and the commands that show it."""

    seed: str
    sentence: str
    commands: tuple[str, ...]
    files: Mapping[str, object] = field(default_factory=dict)
    keep: str = ""
    """Only these lines of the output are shown: a pattern that they have."""
    settings: Mapping[str, str] = field(default_factory=dict)


def row(seed: str, sentence: str, *commands: str, **more: Any) -> Row:  # noqa: ANN401 -- the other fields of a row
    return Row(seed=seed, sentence=sentence, commands=commands, **more)


TALK = [
    {"role": "user", "content": "I've been living in Lyon for years and I play the cello in a quartet"},
    {"role": "assistant", "content": "Lovely!"},
]
CALLS = [
    {"record": {"user": "My name is Ana", "ai": "Hello Ana"}},
    {"record": {"user": "I prefer concise updates", "ai": "Sure"}},
    {"record": {"user": "my password is Begonia!12", "ai": "I will not keep that"}},
    {"start_phase": {"name": "planning"}},
    {"record": {"user": "Actually, I prefer detailed updates. Remember this for me", "ai": "Noted"}},
    {"recall": "updates"},
    {"diff": {"from_phase": "phase-1", "to_phase": "phase-2"}},
]
FILTERS = "--filter importance_min=1 --filter importance_max=5 --filter updated_after=2025-07-01"
EVENTS = r"recorded\.$|^\d+\.event\.(?:type|reason|rule): "

ROWS = (
    row(
        "000",
        '`identity`: "lives in SF"; `relationship`: "has a dog named Max"',
        'memory add "I live in SF" --type auto',
        'memory add "I have a dog named Max" --type auto',
        "memory list",
    ),
    row(
        "000",
        "`observation` decays after 3 days",
        'memory add "I am tired today" --type observation',
        "memory list",
        "--now 2026-03-06T09:00:00+00:00 memory list",
    ),
    row("000", "CLI/RPC add: `type` defaults to `knowledge`", 'memory add "The company uses Slack"', "memory list"),
    row(
        "000",
        "Personal memories: only the user who created it",
        'remember "I like coffee"',
        "memory search coffee",
        "--user bob memory search coffee",
    ),
    row(
        "000",
        'Group: "Our standup is at 9am", for everyone in the chat',
        f'{TEAM} remember "Our standup is at 9am"',
        f"--user bob {TEAM} memory search standup",
        "--user carol memory search standup",
    ),
    row(
        "000",
        "Delete memory: must be owner; to anybody else it does not exist",
        'remember "I like coffee"',
        "--user bob memory delete {id}",
        "memory delete {id}",
    ),
    row(
        "000",
        '"Has anxiety": sensitive; "Salary is $150k": sensitive; "Has a dog named Max": public',
        'remember "I have anxiety" "My salary is $150k" "I have a dog named Max"',
        "memory list --plain",
        keep=r"(?:content|sensitivity): |stored",
    ),
    row(
        "000",
        "SENSITIVE: only in private chat with the subject",
        '--chat dm remember "My salary is 150k"',
        f"{TEAM} memory search salary",
        "--chat dm memory search salary",
    ),
    row(
        "000",
        '"@bob loves pizza" in a group: Bob is told, with others and in his private chat',
        f'{TEAM} remember "@bob loves pizza"',
        f"--user bob {TEAM} memory search pizza",
        "--user bob --chat dm memory search pizza",
    ),
    row(
        "000",
        '"Bob is presenting next": not portable',
        f'{TEAM} remember "Bob is presenting next"',
        f"--user bob {TEAM} memory search presenting",
        "--user bob --chat dm memory search presenting --sources memories",
    ),
    row(
        "000",
        "`max_entries`: a cap on active memories, with smart eviction",
        'memory add "I am allergic to nuts"',
        'memory add "I saw a lamp"',
        'memory add "I saw a chair"',
        "memory list",
        settings={"WELLKEPT_MEMORY__MAX_ENTRIES": "2"},
    ),
    row(
        "001",
        '"Remember my favorite color is blue" … should answer "blue"',
        'chat "Remember my favorite color is blue"',
        """chat "What's my favorite color?\"""",
    ),
    row(
        "001",
        "My wife Sarah likes Italian food: attribute to Sarah; known people",
        'chat "Remember my wife Sarah likes Italian food"',
        'chat "What does my wife like?"',
        "people list",
    ),
    row(
        "001",
        '"What should I avoid eating?" Mention peanut allergy',
        """chat "Remember I'm allergic to peanuts\"""",
        'chat "What should I avoid eating?"',
    ),
    row(
        "001",
        "Batch storage, expiration, person attribution",
        'remember "I like tea" "Remember for 2 weeks that Ben is away" "Sarah likes opera"',
        "memory list",
        "--now 2026-03-17T09:00:00+00:00 memory list",
    ),
    row(
        "001",
        "Semantic search: meaning, not just keywords",
        'remember "My favorite color is blue"',
        'remember "I drive a red Kenworth"',
        "memory search vehicle",
        "memory search zebra",
    ),
    row(
        "001",
        '"Favorite color is red" then "blue": only blue is retrieved',
        'remember "My favorite color is red"',
        'remember "My favorite color is blue"',
        "memory search favorite",
        "memory list --state superseded",
    ),
    row(
        "001",
        "`memory gc` removes expired and superseded entries",
        'remember "I live in Rome"',
        'remember "I live in Oslo"',
        "memory gc",
    ),
    row(
        "001",
        "Background extraction captures facts from conversations",
        "observe talk.json --wait",
        "memory list",
        files={"talk.json": TALK},
    ),
    row(
        "002.1",
        "Memory Delta Header: what changed for the thread, at most 3 bullets",
        '--thread t1 remember "My goal is to ship v1 by September"',
        '--thread t1 context "hi"',
    ),
    row(
        "002.2",
        "Relations: edges at a write, related bullets at a read",
        'remember "My sister Ana lives in Porto"',
        'remember "Ana works as a nurse in Porto"',
        'memory query "Where does Ana live?" --top-k 1',
        "events --limit 2",
    ),
    row("002.3", "Theory of mind: never blocks the hot path", 'remember "I like tea"', "upkeep run insights"),
    row(
        "002.4", "Daily consolidation, cost-controlled", 'remember "I am lactose intolerant"', "upkeep run consolidate"
    ),
    row(
        "002.5",
        "Requests with disallowed categories are rejected",
        'remember "I like tea"',
        "--agent stylist memory query tea --categories preferences,tasks",
        "--agent stylist memory query tea --categories preferences",
    ),
    row(
        "002.6",
        "One tool, memory.query: filters, `threshold: 0.65`, bullets",
        'remember "My favorite color is blue"',
        f"memory query color --threshold 0.65 {FILTERS}",
    ),
    row(
        "002.7",
        "TTL: not in context after its time, restorable",
        'memory add "I saw a heron" --type event',
        "--now 2026-05-10T09:00:00+00:00 memory search heron",
        "--now 2026-05-10T09:00:00+00:00 memory list --state archived",
    ),
    row(
        "002.8",
        "History: events recorded for all write operations",
        'remember "I like tea"',
        "memory pin {id}",
        "memory unpin {id}",
        "memory history {id}",
    ),
    row(
        "002.9",
        "Complete, self-contained, third person, no pronouns",
        """remember "I'm allergic to cats and I live in Ulm\"""",
    ),
    row(
        "002.10",
        "No sensitive field changes without consent",
        'chat "I live in Lyon"',
        "consent profile",
        'chat "yes"',
        "consent profile",
    ),
    row(
        "002.11",
        "On-demand recall: top_k 3 within a budget",
        'remember "I like tea"',
        "memory query tea --top-k 3 --budget-tokens 64",
    ),
    row(
        "002.12",
        "Procedures: for executor and planner, never in conversation",
        'remember "how to restart the router: unplug it, wait ten seconds, plug it in"',
        '--agent executor memory query "restart the router" --categories procedural',
        'memory search "restart the router"',
    ),
    row(
        "002.13",
        "Several durable facts in one turn",
        """remember "I moved to Berlin, my sister Ana is a nurse and I'm allergic to peanuts\"""",
    ),
    row("002.14", "Events: what changed and when", 'remember "I like tea"', "events --limit 3"),
    row(
        "002.15",
        "Checkpoints persist across restarts",
        "checkpoint save t1 state.json",
        "checkpoint show t1",
        files={"state.json": {"state": {"next": "plan"}}},
    ),
    row(
        "003",
        "Memory key `people|person|john_doe|relationship`; entity refs",
        'remember "John Doe is my cofounder"',
        "memory show {id} --plain",
        keep=r"Remembered|memory_key|entity_(?:refs|label)|subtype",
    ),
    row(
        "003",
        "Pinned: in the foundation, importance forced to 3",
        'remember "I like tea"',
        "memory pin {id}",
        'context "hello"',
    ),
    row(
        "003",
        "Every message counts; rolling summary every 4",
        'chat "I live in Rome"',
        'chat "I have a dog"',
        'chat "I work at Lidl"',
        'chat "I like tea"',
        "upkeep run summarise",
        "state",
        keep=r"summar|count|I |I'll|last_user",
    ),
    row(
        "003",
        "Session closed after 30 minutes of inactivity",
        'chat "I live in Rome"',
        '--now 2026-03-02T09:45:00+00:00 chat "I like tea"',
        "sessions",
    ),
    row(
        "003",
        "Todos and sessions stay with their persona; facts are for all",
        '--persona Coach chat "I will call the dentist tomorrow"',
        "--persona Coach todos",
        "todos",
    ),
    row(
        "004",
        "Obvious secrets are denied with a stable reason",
        "trace record calls.json --output out.json",
        "trace show s1 --plain",
        files={"calls.json": {"session": "s1", "calls": CALLS[2:3]}},
        keep=EVENTS,
    ),
    row(
        "004",
        "The same conversation gives the same bytes",
        "trace record calls.json --output out.json",
        "trace replay out.json",
        files={"calls.json": {"session": "s1", "calls": CALLS}},
    ),
    row(
        "004",
        "Conflict: correction before recency; the loser is deleted as superseded",
        "trace record calls.json --output out.json",
        "trace show s1 --plain",
        files={"calls.json": {"session": "s1", "calls": [CALLS[1], CALLS[4]]}},
        keep=EVENTS,
    ),
    row(
        "004",
        "Phases, and a diff of what changed",
        "trace record calls.json --output out.json",
        "trace show s1 --plain",
        files={"calls.json": {"session": "s1", "calls": [CALLS[0], CALLS[3], CALLS[1], CALLS[6]]}},
        keep=r"recorded\.$|added_count|deleted_count|replaced_count|summary_lines|top_changes\.\d+\.(?:change|text)",
    ),
)


@contextmanager
def _place(folder: Path, settings: Mapping[str, str]) -> Iterator[None]:
    """The variables and the folder of a row."""
    before, here = dict(os.environ), Path.cwd()
    os.environ |= settings
    os.environ |= {"WELLKEPT_DB": str(folder / "memory.db"), "WELLKEPT_USER": "alice", "COLUMNS": "110", "TZ": "UTC"}
    os.environ |= {"NO_COLOR": "1", "HOME": str(folder)}
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)
        os.environ.clear()
        os.environ.update(before)


def run(one: Row) -> list[tuple[str, str]]:
    """Each command of a row with what it printed."""
    done: list[tuple[str, str]] = []
    seen: list[str] = []
    with tempfile.TemporaryDirectory(prefix="wellkept-seeds-") as folder, _place(Path(folder), one.settings):
        for name, content in one.files.items():
            Path(name).write_text(json.dumps(content), encoding="utf-8")
        for command in one.commands:
            said = command.replace("{id}", seen[0] if seen else "{id}")
            given = shlex.split(said)
            if "--now" not in given:
                given = ["--now", NOW, *given]
            printed = io.StringIO()
            with redirect_stdout(printed), redirect_stderr(printed):
                command_line(given)
            output = NONCE.sub("…", printed.getvalue().replace(folder, "").strip())
            seen += ID.findall(output)
            done.append((f"wellkept {said}", _short(output, one.keep)))
    return done


def _short(output: str, keep: str) -> str:
    lines = [line.rstrip() for line in output.splitlines() if re.search(keep, line)]
    return "\n".join([*lines[:LINES_MAX], *(["…"] if len(lines) > LINES_MAX else [])])


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", "<br>")


def page() -> str:
    """The whole document."""
    lines = []
    for number, one in enumerate(ROWS, start=1):
        shown = "<br>".join(f"`{command}`<br>{_cell(output)}" for command, output in run(one))
        lines.append(f"| {number} | {one.seed} | {_cell(one.sentence)} | {shown} |")
    return HEAD + "\n".join(lines) + "\n"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
