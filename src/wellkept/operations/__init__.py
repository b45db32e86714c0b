"""The operations: each verb declared once, for every surface, as a row of `table.py`."""

from __future__ import annotations

from wellkept.operations.operation import Operation
from wellkept.operations.table import BY_NAME, OPERATIONS

__all__ = ["BY_NAME", "OPERATIONS", "Operation"]
