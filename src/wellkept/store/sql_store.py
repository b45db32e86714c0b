"""The store on a SQL database: all of the contract, put together from its parts, on whatever driver it is given."""

from __future__ import annotations

from wellkept.store.chains.integrity import IntegrityPart
from wellkept.store.copies.portable import PortablePart
from wellkept.store.parts.checkpoints import CheckpointsPart
from wellkept.store.parts.consent import ConsentPart
from wellkept.store.parts.erasure import ErasurePart
from wellkept.store.parts.governed import GovernedPart
from wellkept.store.parts.jobs import JobsPart
from wellkept.store.parts.lifetime import LifetimePart
from wellkept.store.parts.merges import MergesPart
from wellkept.store.parts.messages import MessagesPart
from wellkept.store.parts.people import PeoplePart
from wellkept.store.parts.reading import ReadingPart
from wellkept.store.parts.server import ServingPart
from wellkept.store.parts.sessions import SessionsPart, TodosPart
from wellkept.store.parts.tending import TendingPart
from wellkept.store.parts.threads import ThreadsPart
from wellkept.store.search.candidates import CandidatesPart


class SqlStore(
    ErasurePart,
    CheckpointsPart,
    GovernedPart,
    MessagesPart,
    CandidatesPart,
    ReadingPart,
    PeoplePart,
    MergesPart,
    JobsPart,
    ServingPart,
    ConsentPart,
    ThreadsPart,
    TendingPart,
    IntegrityPart,
    LifetimePart,
    SessionsPart,
    TodosPart,
    PortablePart,
):
    """See `contract.Store`."""

    def scrub(self) -> bool:
        """Take what was removed out of the files too; False when somebody reads or writes there now."""
        return self._db.driver.scrub()

    def close(self) -> None:
        """Release connections; later calls raise."""
        self._db.driver.close()
