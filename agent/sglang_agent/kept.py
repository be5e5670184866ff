"""Documents that an agent keeps on the machine, perhaps one of another version than this."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sglang_agent import contract, files
from sglang_agent.answer import AgentError


def read(kind: str, path: Path) -> Any:
    """The document in a file; None where there is none. AgentError for one that this agent does not understand."""
    value = files.read_json(path)
    return contract.kept(kind, value, str(path)) if isinstance(value, dict) else None


def find(kind: str, path: Path) -> Any:
    """The document in a file; None too for one that this agent does not understand."""
    try:
        return read(kind, path)
    except AgentError:
        return None


def write(path: Path, value: Any, mode: int = 0o644) -> None:
    """Keep a document, marked with the version that this agent speaks."""
    files.write_json(path, {**value, "contract": contract.version()}, mode)
