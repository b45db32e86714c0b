"""What other products export, found as a stream: the files of a folder or archive, and the records of each format."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, Any, get_args

from wellkept.errors import ImportDamaged, InvalidInput, TooLarge, WellkeptError
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
CHUNK = 1 << 16
ELEMENT_MAX = 1 << 26
"""Characters of one conversation: more than that is held in memory by no import."""
WHOLE_MAX = 1 << 28
"""Bytes of a file that is one JSON object and has to be read as a whole."""
ARCHIVE_MAX = 1 << 34
"""Bytes that the files of an archive may have when they are unpacked."""
RATIO_MAX = 500
"""So many times its size a file of an archive may have when it is unpacked; text has less than 30."""
HEAD = 1 << 16


# --- The files of an export: a file, a folder, or a zip archive within limits.


@frozen
class Part:
    """One file of an export."""

    name: str
    size: int
    at: datetime | None
    """When it was last changed."""
    open: Callable[[], IO[bytes]]


class Parts:
    """The files of an export that fit, in order. `done` and `total` are bytes."""

    def __init__(self, path: Path, fits: Callable[[str], bool]) -> None:
        """`fits` chooses among the files of a folder or an archive by their names; a single file is always read."""
        self._parts = tuple(sorted(_parts(path, fits), key=lambda part: part.name))
        if not self._parts:
            raise InvalidInput(f"There is nothing to import in {path}.", code="nothing_to_import")
        self.total = sum(part.size for part in self._parts)
        self._before = 0
        self._stream: IO[bytes] | None = None

    @property
    def done(self) -> int:
        """So many bytes are read."""
        return self._before + (self._stream.tell() if self._stream is not None else 0)

    def __iter__(self) -> Iterator[tuple[Part, IO[bytes]]]:
        self._before = 0
        for part in self._parts:
            with part.open() as stream:
                self._stream = stream
                yield part, stream
                self._stream = None
            self._before += part.size

    def fingerprint(self) -> str:
        """Tells one export from another: names, sizes and how each file begins."""
        found = hashlib.sha256()
        for part in self._parts:
            with part.open() as stream:
                found.update(f"{part.name}\0{part.size}\0".encode() + stream.read(HEAD))
        return found.hexdigest()[:32]


def _parts(path: Path, fits: Callable[[str], bool]) -> Iterator[Part]:
    if path.is_dir():
        for file in path.rglob("*"):
            name = file.relative_to(path).as_posix()
            if file.is_file() and fits(name) and not any(part.startswith(".") for part in Path(name).parts):
                yield _file(file, name)
    elif zipfile.is_zipfile(path):
        yield from _archived(path, fits)
    else:
        yield _file(path, path.name)


def _file(path: Path, name: str) -> Part:
    told = path.stat()
    at = datetime.fromtimestamp(told.st_mtime, UTC)
    return Part(name=name, size=told.st_size, at=at, open=lambda: path.open("rb"))


def _archived(path: Path, fits: Callable[[str], bool]) -> Iterator[Part]:
    archive = zipfile.ZipFile(path)
    chosen = [one for one in archive.infolist() if not one.is_dir() and fits(one.filename)]
    most = max((one.file_size / max(one.compress_size, 1) for one in chosen if one.file_size > CHUNK), default=0)
    if sum(one.file_size for one in chosen) > ARCHIVE_MAX or most > RATIO_MAX:
        archive.close()
        raise TooLarge(f"{path.name} unpacks to more than an export has; unpack it and import the files.")
    for one in chosen:
        at = datetime(*one.date_time, tzinfo=UTC) if one.date_time[0] >= 1980 else None  # noqa: PLR2004 -- zip's first year
        yield Part(name=one.filename, size=one.file_size, at=at, open=partial(_unpacked, archive, one))


def _unpacked(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> IO[bytes]:
    try:
        return archive.open(one)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise ImportDamaged(one.filename, 1, f"the archive cannot be unpacked ({error})") from None


def text_of(part: Part, stream: IO[bytes]) -> str:
    """A file as a whole; what is no UTF-8 or too large is an error that names it."""
    if part.size > WHOLE_MAX:
        raise TooLarge(f"{part.name} has more than {WHOLE_MAX:,} bytes; split it.")
    raw = stream.read(WHOLE_MAX + 1)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportDamaged(part.name, raw.count(b"\n", 0, error.start) + 1, "it is not valid UTF-8") from None


def lines_of(part: Part, stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, each with its number."""
    for number, raw in enumerate(iter(lambda: stream.readline(ELEMENT_MAX + 1), b""), start=1):
        if len(raw) > ELEMENT_MAX:
            raise ImportDamaged(part.name, number, "the line is too long")
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise ImportDamaged(part.name, number, "it is not valid UTF-8") from None
        if line:
            yield number, line


def elements_of(part: Part, stream: IO[bytes], keys: tuple[str, ...] = ()) -> Iterator[tuple[int, Any]]:
    """The elements of a JSON array one by one, each with the line it begins in: never more than one is in memory.

    Of an object, the elements of the lists under `keys`.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="\n")
    try:
        yield from _Elements(part, text, keys)
    except UnicodeDecodeError:
        raise ImportDamaged(part.name, 1, "it is not valid UTF-8") from None
    finally:
        text.detach()


class _Elements:
    """Reads an array through a window that grows only when an element does not fit."""

    def __init__(self, part: Part, text: io.TextIOWrapper, keys: tuple[str, ...]) -> None:
        self._part, self._text, self._keys = part, text, keys
        self._window, self._at, self._line = "", 0, 1
        self._decoder = json.JSONDecoder()

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        first = self._next()
        if first == "{" and self._keys:
            yield from self._of_object()
            return
        if first != "[":
            raise ImportDamaged(self._part.name, self._line, "a JSON array was expected")
        self._at += 1
        while self._next() != "]":
            yield self._line, self._element()

    def _next(self) -> str:
        """The first character that is neither space nor comma."""
        while True:
            while self._at < len(self._window) and self._window[self._at] in " \t\r\n,":
                self._line += self._window[self._at] == "\n"
                self._at += 1
            if self._at < len(self._window):
                return self._window[self._at]
            if not self._more():
                raise ImportDamaged(self._part.name, self._line, "the file ends in the middle")

    def _more(self) -> bool:
        self._window = self._window[self._at :]
        self._at = 0
        read = self._text.read(max(CHUNK, len(self._window)))
        self._window += read
        return bool(read)

    def _element(self) -> Any:  # noqa: ANN401 -- JSON
        while True:
            try:
                value, end = self._decoder.raw_decode(self._window, self._at)
            except (ValueError, RecursionError) as error:
                is_long = len(self._window) - self._at > ELEMENT_MAX
                if not is_long and self._more():
                    continue
                at, reason = self._at, "it is nested too deep"
                if isinstance(error, json.JSONDecodeError):
                    at, reason = error.pos, f"it is not valid JSON ({error.msg})"
                line = self._line + self._window.count("\n", self._at, at)
                raise ImportDamaged(self._part.name, line, reason) from None
            if end == len(self._window) and self._more():
                continue  # a number may go on
            self._line += self._window.count("\n", self._at, end)
            self._at = end
            return value

    def _of_object(self) -> Iterator[tuple[int, Any]]:
        if self._part.size > WHOLE_MAX:
            raise TooLarge(f"{self._part.name} has more than {WHOLE_MAX:,} bytes; split it.")
        begun = self._line
        whole = self._element()
        found = [whole[key] for key in self._keys if isinstance(whole.get(key), list)]
        if not found:
            raise ImportDamaged(self._part.name, begun, f"it has none of {', '.join(self._keys)}")
        for elements in found:
            yield from ((begun, one) for one in elements)


def record_of(part: Part, line: int, text: str) -> Mapping[str, Any]:
    """A JSON object of one line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
        raise ImportDamaged(part.name, line, f"it is not valid JSON ({reason})") from None
    if not isinstance(value, dict):
        raise ImportDamaged(part.name, line, "a JSON object was expected")
    return value


# --- What stands in them, by product.


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
        raise ImportDamaged(part.name, line, f"{str(given)[:40]!r} is not a time") from None


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
