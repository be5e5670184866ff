"""A secret is the whole of stdin and becomes one file of mode 0600. Nothing here prints or keeps it elsewhere."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from sglang_agent import archive, files, kept, receipts
from sglang_agent.answer import AgentError
from sglang_agent.documents import RemoveSecretAnswer, SecretAnswer, Service
from sglang_agent.layout import Layout

KINDS: tuple[receipts.Kind, ...] = ("model", "service")


def install(arguments: list[str], raw: bytes) -> SecretAnswer:
    """Write stdin, less one final newline, to the path given: `<root>/secrets/<name>-<fingerprint>`."""
    path = _checked(arguments)
    if not raw.strip():
        raise AgentError("secret", f"nothing came on stdin for {path.name}: the secret is empty")
    folder = files.make_directory(path.parent, 0o700)
    info = os.lstat(folder)
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.geteuid() or info.st_mode & 0o022:
        raise AgentError(
            "secret", f"{folder} must be a directory of the agent's own user that nobody else can write to"
        )
    return {"changed": files.write(path, raw[:-1] if raw.endswith(b"\n") else raw, 0o600), "path": str(path)}


def remove(arguments: list[str]) -> RemoveSecretAnswer:
    """Delete the file, unless something reads it; its folder too when it was the last. A missing file is fine."""
    path = _checked(arguments)
    if str(path) in _in_use(Layout(str(path.parents[1]))):
        return {"removed": False}
    removed = files.remove(path)
    files.remove_if_empty(path.parent)
    return {"removed": removed}


def _in_use(layout: Layout) -> set[str]:
    """Files that a slot is to read, or that a service was started with. The removal of a value that was put back comes
    after the value was written again, to the very file."""
    used = {path for kind in KINDS for receipt in receipts.every(layout, kind) for path in receipt.get("secrets", [])}
    for service in layout.services.iterdir() if layout.services.is_dir() else []:
        started: Service | None = kept.find("service", service / "current" / "desired.json")
        if started and started.get("apiKeyFile"):
            used.add(str(started["apiKeyFile"]))
    return used


def read(path: str, what: str) -> str:
    """The secret in a file; AgentError when there is none. Its text never appears in a message."""
    try:
        return Path(path).read_text("utf-8").rstrip("\n")
    except FileNotFoundError:
        raise AgentError("secret", f"the file of the {what} is not there: {path}") from None
    except UnicodeDecodeError:
        raise AgentError("secret", f"the {what} in {path} is not text") from None


def _checked(arguments: list[str]) -> Path:
    if len(arguments) != 1:
        raise AgentError("usage", "expected exactly one argument: the path of the secret's file")
    path = Path(arguments[0])
    running = archive.running_from()
    root = running.parents[2] if running and running.parent.parent.name == "agent" else path.parent.parent
    if path.parent != root / "secrets" or ".." in path.parts or not path.is_absolute():
        raise AgentError("secret", f"a secret's file lies directly in {root}/secrets, not at {path}")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}", path.name):
        raise AgentError("secret", f"{path.name!r} is not a valid name of a secret's file")
    return path
