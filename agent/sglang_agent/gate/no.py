"""The gate's "no"."""

from __future__ import annotations

from typing import Any


class No(Exception):
    """The server is wrong, dead or too late: the check that found out, why, and the evidence."""

    def __init__(self, check: str, reason: str, evidence: dict[str, Any] | None = None):
        super().__init__(reason)
        self.check = check
        self.reason = reason
        self.evidence = evidence or {}
