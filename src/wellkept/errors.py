"""Everything wellkept raises on purpose: one base, stable codes, a sentence that says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class WellkeptError(Exception):
    """Base of all errors raised on purpose. `code` is stable and the same on every surface."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class InvalidInput(WellkeptError, ValueError):
    """A request that cannot be understood; the message names the part and the values that are valid."""

    code = "invalid_input"


class UnknownUser(InvalidInput):
    """Nothing is stored of whoever is to be exported or erased: a mistyped id must not look like work done."""

    code = "unknown_user"

    def __init__(self) -> None:
        super().__init__("Nothing is stored of this user. Check the id; one that was erased is not known any more.")


class ConfigError(WellkeptError, ValueError):
    """A configuration key or value that is not known; the message names it."""

    code = "invalid_config"


class MemoryNotFound(WellkeptError, LookupError):
    """No such memory, or none that the asker may see: the two are told apart by nobody."""

    code = "not_found"

    def __init__(self, memory_id: str) -> None:
        super().__init__("No such memory. `wellkept memory list` shows the ids.")
        self.memory_id = memory_id


class PersonNotFound(WellkeptError, LookupError):
    """No such person among those the asker knows."""

    code = "not_found"

    def __init__(self, reference: str) -> None:
        super().__init__("No such person. `wellkept people list` shows whom you know.")
        self.reference = reference


class ProposalNotFound(WellkeptError, LookupError):
    """No such question about the asker's profile."""

    code = "not_found"

    def __init__(self, proposal_id: str) -> None:
        super().__init__("No such question. `wellkept consent list` shows what waits for an answer.")
        self.proposal_id = proposal_id


class MessageNotFound(WellkeptError, LookupError):
    """No such message that the asker may read here."""

    code = "not_found"

    def __init__(self, message_id: str) -> None:
        super().__init__("No such message in this chat. `wellkept messages` shows the ids.")
        self.message_id = message_id


class SessionNotFound(WellkeptError, LookupError):
    """No such session of the asker with this persona."""

    code = "not_found"

    def __init__(self, session_id: str) -> None:
        super().__init__("No such session. `wellkept sessions` shows the ids.")
        self.session_id = session_id


class TodoNotFound(WellkeptError, LookupError):
    """No such todo of the asker with this persona."""

    code = "not_found"

    def __init__(self, todo_id: str) -> None:
        super().__init__("No such todo. `wellkept todos` shows the ids.")
        self.todo_id = todo_id


class Ambiguous(WellkeptError, LookupError):
    """A name or id prefix that fits several; never guessed."""

    code = "ambiguous"

    def __init__(self, what: str, candidates: tuple[str, ...]) -> None:
        super().__init__(f"{what} is ambiguous: {', '.join(candidates)}. Name one of them by id.")
        self.candidates = candidates


class NotAllowed(WellkeptError, PermissionError):
    """The asker sees it but may not change it: `not_owner`, `not_participant` or `not_creator`."""

    code = "not_allowed"


class Refused(WellkeptError, ValueError):
    """The gate refused a write; `code` is the stable reason. Never carries the refused text."""

    code = "denied"


class RestoreRefused(WellkeptError, ValueError):
    """Restoring would bring back what a live memory has replaced."""

    code = "restore_conflict"

    def __init__(self, memory_id: str, live_id: str) -> None:
        super().__init__(f"A live memory ({live_id}) holds the same place. Delete that one first, then restore.")
        self.memory_id = memory_id
        self.live_id = live_id


class StoreError(WellkeptError, RuntimeError):
    """The database failed; nothing was written."""

    code = "store_error"


class StoreBusy(StoreError):
    """Another writer held the database for too long; nothing was written, try again."""

    code = "store_busy"


class Interfering(StoreBusy):
    """Another writer has something that this one turned out to need; nothing was written, and it is done again."""

    def __init__(self) -> None:
        super().__init__("Another writer was at work on the same; nothing was written, try again.")


class KeptUnread(StoreError):
    """The messages are stored; what they teach could not be, and a job reads them later. Do not send them again."""

    code = "kept_unread"

    def __init__(self, message_ids: Sequence[str], failure: WellkeptError) -> None:
        super().__init__(
            "The messages are in the transcript, and a job reads them for facts later: do not send them again. "
            f"They could not be read now: {failure}"
        )
        self.message_ids = tuple(message_ids)
        self.failure = failure


class StoreDamaged(StoreError):
    """The file of the database is damaged, or none of a database; `wellkept db restore` puts a backup in its place."""

    code = "damaged_store"


class DamagedRow(StoreDamaged):
    """A row holds what no write leaves there: bytes of the file have changed. Never carries what stands in it."""

    code = "damaged_row"

    def __init__(self, what: str = "A row") -> None:
        super().__init__(
            f"{what} of the database is damaged and cannot be read. "
            "`wellkept db restore FILE` puts a backup in its place."
        )


class CommitUnknown(StoreError):
    """The connection broke or the disk failed while a commit was on its way, and nobody can tell what became of it."""

    code = "commit_unknown"

    def __init__(self) -> None:
        super().__init__("The database failed during the commit: it may be written or not. Read, then try again.")


class SchemaOutdated(StoreError):
    """The database has another schema than this release; run `wellkept db migrate`."""

    code = "schema_outdated"


class SchemaForeign(SchemaOutdated):
    """The database says it has this release's schema, but lacks a part of it."""

    code = "schema_foreign"

    def __init__(self, lacking: str) -> None:
        super().__init__(
            f"The tables of this database are not those of this release ({lacking}): something else made them, such as "
            "a build from before the release. Nothing was written. Name another database with --db; what is in this "
            "one comes over by `wellkept db export` with the build that made it, and `wellkept db import` here."
        )


class ForeignDatabase(StoreError):
    """The database holds tables that wellkept did not make. Nothing was written; name another one."""

    code = "foreign_database"


class EmbedderUnavailable(WellkeptError, RuntimeError):
    """The embedder did not answer; words still work."""

    code = "embedder_unavailable"


class ReaderUnavailable(WellkeptError, RuntimeError):
    """The bundled reader cannot run; nothing is learned from what is said until it can."""

    code = "reader_unavailable"


class ModelUnavailable(WellkeptError, RuntimeError):
    """The model did not answer and may do so later."""

    code = "model_unavailable"


class MissingExtra(WellkeptError, ImportError):
    """An optional dependency is not installed; the message says which extra brings it."""

    code = "missing_extra"


class NoCheckout(WellkeptError, LookupError):
    """The measurements come with a clone of the repository, and this package does not run from one."""

    code = "no_checkout"

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"There is no {folder} folder here: clone the repository and run `python3 scripts/start.py` in it."
        )
        self.folder = folder


class KeyTaken(StoreError):
    """A live memory of the scope already holds this key: decide again over what is there now."""

    code = "key_taken"

    def __init__(self, live_id: str) -> None:
        super().__init__("Another memory holds this key now; read it and decide again.")
        self.live_id = live_id


class CheckpointNotFound(WellkeptError, LookupError):
    """No state of such a thread of the asker."""

    code = "not_found"

    def __init__(self, thread_id: str) -> None:
        super().__init__("This thread has no checkpoint. `wellkept checkpoint list` shows those that have.")
        self.thread_id = thread_id


class CheckpointConflict(StoreError):
    """Another supervisor has saved this thread meanwhile: load it and decide again. Nothing was written."""

    code = "version_conflict"

    def __init__(self, thread_id: str) -> None:
        super().__init__("Another supervisor has saved this thread meanwhile; load it and decide again.")
        self.thread_id = thread_id


class VersionConflict(StoreError):
    """The memory has changed since it was read: read it again and decide again. Nothing was written."""

    code = "version_conflict"

    def __init__(self, memory_id: str) -> None:
        super().__init__("The memory has changed meanwhile; read it again and decide again.")
        self.memory_id = memory_id


class LeaseLost(StoreError):
    """Another worker has taken this job over, or it is finished. Nothing was written."""

    code = "lease_lost"

    def __init__(self, name: str) -> None:
        super().__init__(f"Another worker has this {name} job now; nothing was written.")
        self.name = name


class Unauthorized(WellkeptError, PermissionError):
    """Who calls is not known: `no_key`, `invalid_key` or `invalid_token`."""

    code = "unauthorized"


class IdentityMismatch(NotAllowed):
    """The caller claims to be somebody that its key or token does not say."""

    code = "identity_mismatch"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not what the key or token says; leave it out, or ask with the right one.")
        self.name = name


class KeyNotFound(WellkeptError, LookupError):
    """No such key."""

    code = "not_found"

    def __init__(self, key_id: str) -> None:
        super().__init__("No such key. `wellkept keys list` shows the ids.")
        self.key_id = key_id


class IdempotencyMismatch(WellkeptError, ValueError):
    """An idempotency key came again with another request."""

    code = "idempotency_mismatch"

    def __init__(self) -> None:
        super().__init__("This idempotency key was used for another request; take a new one.")


class TooLarge(WellkeptError, ValueError):
    """A request is larger, or its JSON deeper, than the server takes."""

    code = "too_large"


class TooMany(WellkeptError, RuntimeError):
    """A caller asks more often than the server allows; wait and try again."""

    code = "rate_limited"

    def __init__(self, message: str, *, code: str | None = None, retry_seconds: int = 1) -> None:
        super().__init__(message, code=code)
        self.retry_seconds = retry_seconds


class DeliveryFailed(WellkeptError, ConnectionError):
    """A webhook did not take what it was sent; it is sent again later."""

    code = "webhook_failed"

    def __init__(self, hook: str, code: str) -> None:
        super().__init__(
            f"The webhook {hook} did not take what it was sent ({code}); it is sent again later.", code=code
        )
        self.hook = hook


class BadLine(WellkeptError, ValueError):
    """A line of an export that cannot be read or stored. Nothing of the file was stored."""

    code = "damaged_file"

    def __init__(self, line: int, fault: str) -> None:
        super().__init__(f"Line {line} cannot be imported: {fault}. Nothing was stored.")
        self.line = line


class ImportDamaged(WellkeptError, ValueError):
    """A file of another product that cannot be read on. What stood before is imported; nothing is stored twice."""

    code = "damaged_file"

    def __init__(self, file: str, line: int, fault: str) -> None:
        super().__init__(
            f"{file}, line {line}: {fault}. What stands before it was imported; mend the file and run it again."
        )
        self.file = file
        self.line = line


class NotEmpty(WellkeptError, ValueError):
    """Something is stored where an import or a restore wants to put its own."""

    code = "not_empty"
