"""The store on a SQL database: all of the contract, put together from its parts, on whatever driver it is given."""

from __future__ import annotations

from wellkept.store.candidates import CandidatesPart
from wellkept.store.checkpoints import CheckpointsPart
from wellkept.store.consent import ConsentPart
from wellkept.store.erasure import ErasurePart
from wellkept.store.governed import GovernedPart
from wellkept.store.integrity import IntegrityPart
from wellkept.store.jobs import JobsPart
from wellkept.store.lifetime import LifetimePart
from wellkept.store.merges import MergesPart
from wellkept.store.messages import MessagesPart
from wellkept.store.people import PeoplePart
from wellkept.store.portable import PortablePart
from wellkept.store.reading import ReadingPart
from wellkept.store.server import ServingPart
from wellkept.store.sessions import SessionsPart, TodosPart
from wellkept.store.tending import TendingPart
from wellkept.store.threads import ThreadsPart


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
    """See `base.Store`."""

    def scrub(self) -> bool:
        """Take what was removed out of the files too; False when somebody reads or writes there now."""
        return self._db.driver.scrub()

    def close(self) -> None:
        """Release connections; later calls raise."""
        self._db.driver.close()
