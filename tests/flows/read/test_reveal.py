"""An operator reads what is not theirs to see, and the owner can find that out."""

from __future__ import annotations

import pytest

from wellkept.errors import MemoryNotFound, NotAllowed
from wellkept.operations import BY_NAME


def test_what_an_operator_reads_is_on_the_ledger_of_its_owner(memory):
    hidden = memory.at(user="bob").remember("I was diagnosed with diabetes")
    shown = memory.at().reveal(hidden.id)
    assert "diabetes" in shown.memory.content
    (read,) = (one for one in memory.events.list(of="bob") if one.reason == "revealed")
    assert read.memory_id == hidden.id
    with pytest.raises(MemoryNotFound):
        memory.at(tenant="elsewhere").reveal(hidden.id)
    with pytest.raises(MemoryNotFound):
        memory.at().reveal(hidden.id[:6])


def test_only_operators_may():
    with pytest.raises(NotAllowed):
        BY_NAME["reveal"].permit({"memory_id": "m_x"}, is_operator=False)
