"""The store on a SQL database: all of the contract, put together from its parts, on whatever driver it is given."""

from __future__ import annotations

from recollect.store.candidates import CandidatesPart
from recollect.store.checkpoints import CheckpointsPart
from recollect.store.consent import ConsentPart
from recollect.store.erasure import ErasurePart
from recollect.store.governed import GovernedPart
from recollect.store.integrity import IntegrityPart
from recollect.store.jobs import JobsPart
from recollect.store.lifetime import LifetimePart
from recollect.store.merges import MergesPart
from recollect.store.messages import MessagesPart
from recollect.store.people import PeoplePart
from recollect.store.portable import PortablePart
from recollect.store.reading import ReadingPart
from recollect.store.server import ServingPart
from recollect.store.sessions import SessionsPart, TodosPart
from recollect.store.tending import TendingPart
from recollect.store.threads import ThreadsPart


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
