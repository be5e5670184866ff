"""The system account that a service runs as."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

from sglang_agent import files, locks, receipts
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout
from sglang_agent.tools import Log, run, which


def ensure(layout: Layout, name: str, log: Log) -> None:
    """Create the account where it is missing, and remember that it is ours. Services that start at once wait here."""
    with locks.held(layout, f"user-{name}"):
        if not _exists(name):
            _create(layout, name, log)


def _exists(name: str) -> bool:
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False


def _create(layout: Layout, name: str, log: Log) -> None:
    if os.geteuid() != 0 or not which("useradd"):
        raise AgentError("user", f"user {name} does not exist and cannot be created here (useradd as root is needed)")
    files.write_json(_mark(layout, name), {"kind": "user", "name": name}, 0o600)
    command = ["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    run([*command, "--shell", "/usr/sbin/nologin", name], log, f"creating user {name}", "user")


def forget(layout: Layout, name: str, log: Log) -> None:
    """Delete an account that the agent created, when no other service of this host runs as it."""
    if not _mark(layout, name).exists() or any(
        receipt.get("user") == name for receipt in receipts.every(layout, "service")
    ):
        return
    if _exists(name):
        run(["userdel", name], log, f"deleting user {name}", "user")
    files.remove(_mark(layout, name))


def _mark(layout: Layout, name: str) -> Path:
    return receipts.path_of(layout, "user", name)


def own_directory(path: Path, name: str) -> None:
    """A directory that belongs to the account and to nobody else."""
    files.make_directory(path, 0o700)
    account = pwd.getpwnam(name)
    info = path.stat()
    if (info.st_uid, info.st_gid) != (account.pw_uid, account.pw_gid) and os.geteuid() == 0:
        # A cache outlives its service; what another account left there would be unusable.
        for folder, folders, names in os.walk(path):
            for entry in [".", *folders, *names]:
                os.chown(os.path.join(folder, entry), account.pw_uid, account.pw_gid, follow_symlinks=False)


def unreachable(path: Path, name: str) -> list[str]:
    """Folders on the way to `path` that the account cannot enter."""
    account = pwd.getpwnam(name)
    if account.pw_uid == 0:
        return []
    closed = []
    for folder in [path, *path.parents]:
        info = folder.stat()
        if info.st_uid == account.pw_uid:
            enter = info.st_mode & 0o100
        elif info.st_gid == account.pw_gid:
            enter = info.st_mode & 0o010
        else:
            enter = info.st_mode & 0o001
        if folder.is_dir() and not enter:
            closed.append(str(folder))
    return closed
