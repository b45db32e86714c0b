"""The export formats of other products: each reader turns one file into messages and memories, oldest first."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import IO, Any, get_args

from wellkept.errors import ImportDamaged, WellkeptError
from wellkept.exchange.parts import Part, elements_of, lines_of, record_of, text_of
from wellkept.times import moment
from wellkept.types import Role
from wellkept.values import frozen

ROLES = get_args(Role)
ID_MAX = 200
"""Characters of an id of the source; a longer one is replaced by its hash."""
_ROLES: Mapping[str, Role] = {"human": "user", "ai": "assistant", "function": "tool", **{one: one for one in ROLES}}
_LINK = re.compile(r"!?\[\[([^\]|#^]+)[^\]|]*(?:\|([^\]]+))?\]\]")
_OBSERVATION = re.compile(r"[-*]\s+\[(?P<category>[^\]\[]{1,60})\]\s+(?P<said>\S.*)")
_RELATION = re.compile(r"[-*]\s+(?P<verb>[^\[\]]{1,80}?)\s*\[\[(?P<other>[^\]|]+)[^\]]*\]\]")
_TAG = re.compile(r"(?:^|\s)#[\w/-]+")
_TASK = {"x", "X", " ", "-", "/", ">"}
"""Marks of a task list, which are no categories."""
_MARK = re.compile(r"^(?:#{1,6}|[-*+>]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")


@frozen
class Item:
    """One message, or one memory as the source words it."""

    id: str
    """The source's own id, unique in its conversation."""
    content: str
    role: Role = "user"
    speaker: str | None = None
    at: datetime | None = None
    conversation: str = ""
    user: str | None = None
    """Whose it is, by the source's id."""
    is_memory: bool = False


@frozen
class Fault:
    """A record that was left out: where it stands, and why."""

    file: str
    line: int
    reason: str


Found = Iterator[Item | Fault]
Reader = Callable[[Part, IO[bytes]], Found]


def chatgpt(part: Part, stream: IO[bytes]) -> Found:
    """`conversations.json`: of each tree of messages, the branch that was shown last."""
    for line, talk in elements_of(part, stream):
        nodes = talk.get("mapping") if isinstance(talk, dict) else None
        if not isinstance(nodes, dict):
            yield Fault(file=part.name, line=line, reason="a conversation has no mapping of messages")
            continue
        conversation = _id(talk.get("conversation_id") or talk.get("id") or talk.get("title"))
        for number, message in enumerate(_branch(nodes, talk.get("current_node"))):
            text = _of_chatgpt(message)
            if text:
                role = _ROLES[message["author"]["role"]]
                at = _time(message.get("create_time"), part, line)
                yield Item(
                    id=_id(message.get("id") or number), content=text, role=role, at=at, conversation=conversation
                )


def _branch(nodes: Mapping[str, Any], leaf: object) -> list[Mapping[str, Any]]:
    """The messages from the root to a leaf; without a leaf, to the last node."""
    found: list[Mapping[str, Any]] = []
    name = leaf if isinstance(leaf, str) and leaf in nodes else next(reversed(list(nodes)), None)
    seen: set[object] = set()
    while isinstance(name, str) and name in nodes and name not in seen:
        seen.add(name)
        node = nodes[name] if isinstance(nodes[name], dict) else {}
        if isinstance(node.get("message"), dict):
            found.append(node["message"])
        name = node.get("parent")
    return found[::-1]


def _of_chatgpt(message: Mapping[str, Any]) -> str:
    """What a message says; nothing of system prompts, tool calls and what is hidden from the user."""
    author, content, told = message.get("author"), message.get("content"), message.get("metadata")
    is_hidden = isinstance(told, dict) and told.get("is_visually_hidden_from_conversation")
    if is_hidden or not isinstance(author, dict) or not isinstance(content, dict):
        return ""
    is_spoken = content.get("content_type") in ("text", "multimodal_text") and message.get("recipient", "all") == "all"
    if author.get("role") not in ("user", "assistant") or not is_spoken:
        return ""
    parts = content.get("parts")
    return _joined(parts if isinstance(parts, list) else [])


def claude(part: Part, stream: IO[bytes]) -> Found:
    """`conversations.json` of Claude: conversations with `chat_messages`."""
    for line, talk in elements_of(part, stream):
        said = talk.get("chat_messages") if isinstance(talk, dict) else None
        if not isinstance(said, list):
            yield Fault(file=part.name, line=line, reason="a conversation has no chat_messages")
            continue
        conversation = _id(talk.get("uuid") or talk.get("name"))
        for number, message in enumerate(said):
            role = _ROLES.get(str(message.get("sender")).lower()) if isinstance(message, dict) else None
            if role is None:
                yield Fault(file=part.name, line=line, reason=f"message {number + 1} of {conversation} has no sender")
                continue
            blocks = message.get("content")
            text = _joined(blocks if isinstance(blocks, list) else []) or str(message.get("text") or "").strip()
            if text:
                at = _time(message.get("created_at"), part, line)
                mark = _id(message.get("uuid") or number)
                yield Item(id=mark, content=text, role=role, at=at, conversation=conversation)


def mem0(part: Part, stream: IO[bytes]) -> Found:
    """What `get_all` or an export of mem0 gives: `{"results": [{"id", "memory", …}]}`, or the list alone."""
    for line, one in elements_of(part, stream, ("results", "memories")):
        text = (one.get("memory") or one.get("data") or one.get("text")) if isinstance(one, dict) else None
        if not isinstance(text, str) or not text.strip():
            yield Fault(file=part.name, line=line, reason="a memory has no text under memory")
            continue
        yield Item(
            id=_id(one.get("id") or text),
            content=text.strip(),
            at=_time(one.get("updated_at") or one.get("created_at"), part, line),
            user=one.get("user_id") if isinstance(one.get("user_id"), str) else None,
            is_memory=True,
        )


def letta(part: Part, stream: IO[bytes]) -> Found:
    """An agent file (`.af`): what its blocks say of the human, line by line, and its messages."""
    try:
        whole = json.loads(text_of(part, stream))
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise ImportDamaged(part.name, line, "it is not valid JSON") from None
    if not isinstance(whole, dict):
        raise ImportDamaged(part.name, 1, "an agent file is a JSON object")
    # Files from before 2025-07 are one agent with its blocks in `core_memory`.
    agents = whole["agents"] if isinstance(whole.get("agents"), list) else [whole]
    for block in [*_dicts(whole.get("blocks")), *_dicts(whole.get("core_memory"))]:
        yield from _of_block(block)
    for number, agent in enumerate(_dicts(agents)):
        conversation = _id(agent.get("name") or agent.get("id") or number)
        for message in _dicts(agent.get("messages")):
            role, text = message.get("role"), _of_letta(message)
            if role in ("user", "assistant") and text:
                at = _time(message.get("created_at"), part, 1)
                mark = _id(message.get("id") or text)
                yield Item(id=mark, content=text, role=_ROLES[role], at=at, conversation=conversation)


def _of_block(block: Mapping[str, Any]) -> Found:
    """The lines of a block that says something of the human; others tell the agent who it is."""
    if block.get("label") != "human":
        return
    for line in str(block.get("value") or "").splitlines():
        said = _MARK.sub("", line.strip())
        if said and not said.endswith("?"):  # what is not known yet
            yield Item(id=_id(f"human:{said}"), content=said, conversation="blocks", is_memory=True)


def _of_letta(message: Mapping[str, Any]) -> str:
    content = message.get("content") if message.get("content") is not None else message.get("text")
    text = content if isinstance(content, str) else _joined(content if isinstance(content, list) else [])
    if not text.startswith("{"):
        return text.strip()
    # Messages of users come in an envelope: {"type": "user_message", "message": …}; events have another type.
    try:
        told = json.loads(text)
    except ValueError:
        return text.strip()
    is_said = isinstance(told, dict) and told.get("type") in (None, "user_message")
    return str(told.get("message") or "").strip() if is_said else ""


def zep(part: Part, stream: IO[bytes]) -> Found:
    """Answers of Zep's API: `messages` of a session or thread, and facts: `edges` or `facts` of a graph."""
    for line, one in elements_of(part, stream, ("messages", "edges", "facts")):
        fact = one if isinstance(one, str) else one.get("fact") if isinstance(one, dict) else None
        if isinstance(fact, str) and fact.strip():
            given = one if isinstance(one, dict) else {}
            if given.get("invalid_at") or given.get("expired_at"):
                continue  # it no longer holds
            at = _time(given.get("valid_at") or given.get("created_at"), part, line)
            yield Item(id=_id(given.get("uuid") or fact), content=fact.strip(), at=at, is_memory=True)
        elif isinstance(one, dict) and isinstance(one.get("content"), str):
            kind = str(one.get("role_type") or one.get("role") or "").lower()
            speaker = one.get("name") or (one.get("role") if one.get("role_type") else None)
            yield Item(
                id=_id(one.get("uuid") or one["content"]),
                content=one["content"].strip(),
                role=_ROLES.get(kind, "user"),
                speaker=speaker if isinstance(speaker, str) and speaker.lower() not in _ROLES else None,
                at=_time(one.get("created_at"), part, line),
                conversation=_id(one.get("session_id") or one.get("thread_id") or part.name),
            )
        else:
            yield Fault(file=part.name, line=line, reason="neither a message with content nor a fact")


def basic_memory(part: Part, stream: IO[bytes]) -> Found:
    """A note of Basic Memory: observations and relations as memories, other paragraphs as what the user wrote."""
    head, body = _front_matter(text_of(part, stream))
    title = str(head.get("title") or part.name.rpartition("/")[2].removesuffix(".md"))
    at, note = _written_at(head, part), str(head.get("permalink") or part.name)
    prose: list[str] = []
    for line in body.splitlines():
        seen, related = _OBSERVATION.match(line.strip()), _RELATION.match(line.strip())
        said = ""
        if seen is not None and seen["category"] not in _TASK:
            said = _plain(_TAG.sub("", seen["said"]))
        elif related is not None:
            said = f"{title} {related['verb'].replace('_', ' ').strip() or 'relates to'} {related['other']}"
        prose.append("" if said else line)
        if said:
            yield Item(id=_id(f"{note}:{said}"), content=said, at=at, conversation=_id(note), is_memory=True)
    yield from _paragraphs("\n".join(prose), note, at)


def obsidian(part: Part, stream: IO[bytes]) -> Found:
    """A note of a vault: every paragraph is something that the user wrote, at the date of the note."""
    head, body = _front_matter(text_of(part, stream))
    yield from _paragraphs(body, part.name, _written_at(head, part))


def jsonl(part: Part, stream: IO[bytes]) -> Found:
    """A JSON object a line: a message as `observe` takes it, or a memory: `{"item": "memory", "content": …}`."""
    for line, text in lines_of(part, stream):
        given = record_of(part, line, text)
        content = given.get("content")
        if not isinstance(content, str) or not content.strip():
            yield Fault(file=part.name, line=line, reason="content, a text, is missing")
            continue
        role = _ROLES.get(str(given.get("role") or "user"))
        if role is None:
            yield Fault(file=part.name, line=line, reason=f"role must be one of {', '.join(ROLES)}")
            continue
        is_memory = given.get("item") == "memory"
        yield Item(
            id=_id(given.get("id") or f"{line}:{content}"),
            content=content.strip(),
            role="user" if is_memory else role,
            speaker=given.get("speaker") if isinstance(given.get("speaker"), str) else None,
            at=_time(given.get("at") or given.get("observed_at") or given.get("created_at"), part, line),
            conversation=_id(given.get("conversation") or given.get("chat") or given.get("session") or ""),
            user=given.get("user") if isinstance(given.get("user"), str) else None,
            is_memory=is_memory,
        )


def _id(given: object) -> str:
    text = "" if given is None else str(given).strip()
    return text if len(text) <= ID_MAX else hashlib.sha256(text.encode()).hexdigest()


def _time(given: object, part: Part, line: int) -> datetime | None:
    """Seconds since 1970, or a text; nothing when there is none."""
    if given is None or given == "" or isinstance(given, bool):
        return None
    try:
        if isinstance(given, (int, float)):
            return datetime.fromtimestamp(given, UTC)
        return moment(str(given), name="time")
    except (WellkeptError, ValueError, OverflowError, OSError):
        raise ImportDamaged(part.name, line, f"{str(given)[:40]!r} is no time") from None


def _joined(parts: Sequence[object]) -> str:
    """The texts among the parts of a message; pictures, files and calls of tools are none."""
    found = [one if isinstance(one, str) else _text(one) for one in parts]
    return "\n".join(text.strip() for text in found if text.strip())


def _text(part: object) -> str:
    if not isinstance(part, dict) or part.get("type", "text") != "text":
        return ""
    return part["text"] if isinstance(part.get("text"), str) else ""


def _dicts(given: object) -> list[Mapping[str, Any]]:
    return [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []


def _front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """The properties at the top of a note, and the rest. What cannot be read is part of the text."""
    opened, _, rest = text.partition("\n")
    head, is_closed, body = rest.partition("\n---")
    if opened.strip() != "---" or not is_closed:
        return {}, text
    import yaml

    try:
        found = yaml.safe_load(head)
    except (yaml.YAMLError, ValueError):
        found = None
    return (found if isinstance(found, dict) else {}), body.partition("\n")[2]


def _written_at(head: Mapping[str, Any], part: Part) -> datetime | None:
    """By the properties of a note, else by its file."""
    for name in ("date", "created", "created_at", "updated"):
        if head.get(name):
            try:
                return moment(str(head[name]), name=name)
            except WellkeptError:
                continue
    return part.at


def _paragraphs(body: str, note: str, at: datetime | None) -> Found:
    """Each paragraph or list item with words in it. Its id follows its text, so that what was edited is new."""
    is_code = False
    gathered: list[str] = []
    for line in [*body.splitlines(), ""]:
        if line.strip().startswith(("```", "~~~")):
            is_code = not is_code
            continue
        mark = _MARK.match(line.strip())
        is_blank = not any(letter.isalnum() for letter in line)
        if gathered and (is_blank or mark is not None or is_code):
            said = _plain(" ".join(gathered))
            gathered = []
            if any(letter.isalpha() for letter in said):
                yield Item(id=_id(f"{note}:{said}"), content=said, at=at, conversation=_id(note))
        is_heading = mark is not None and line.strip().startswith("#")
        if not (is_blank or is_code or is_heading):
            gathered.append(_MARK.sub("", line.strip()))


def _plain(text: str) -> str:
    """Links by their names, `[[Note|name]]` is name; embedded pictures and notes, `![[…]]`, say nothing here."""
    return _LINK.sub(lambda found: "" if found[0].startswith("!") else found[2] or found[1], text).strip()


def _is_conversations(name: str) -> bool:
    last = name.rpartition("/")[2]
    return last.startswith("conversations") and last.endswith(".json")


@frozen
class Source:
    """A format: how its files are found, and how one is read."""

    doc: str
    fits: Callable[[str], bool]
    read: Reader


SOURCES: Mapping[str, Source] = {
    "chatgpt": Source(doc="ChatGPT: the zip of its data export.", fits=_is_conversations, read=chatgpt),
    "claude": Source(doc="Claude: the zip of its data export.", fits=_is_conversations, read=claude),
    "mem0": Source(doc="mem0: the JSON of get_all.", fits=lambda name: name.endswith(".json"), read=mem0),
    "letta": Source(doc="Letta: an agent file.", fits=lambda name: name.endswith((".af", ".json")), read=letta),
    "zep": Source(doc="Zep: messages or facts of its API.", fits=lambda name: name.endswith(".json"), read=zep),
    "basic-memory": Source(doc="Basic Memory: a folder.", fits=lambda name: name.endswith(".md"), read=basic_memory),
    "obsidian": Source(doc="Obsidian: a vault.", fits=lambda name: name.endswith(".md"), read=obsidian),
    "jsonl": Source(doc="A JSON object a line.", fits=lambda name: name.endswith(".jsonl"), read=jsonl),
}
