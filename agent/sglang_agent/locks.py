"""One agent at a time for one thing on this host."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout, system_root

# Longer than any single verb needs to finish what a lost session left running.
PATIENCE_SECONDS = 3600.0


@contextlib.contextmanager
def held(layout: Layout, slot: str, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the lock of a slot; the kernel releases it when the process ends, however it ends."""
    files.make_directory(layout.locks, 0o700)
    with _locked(layout.locks / f"{slot}.lock", slot, patience):
        yield


@contextlib.contextmanager
def whole_host() -> Iterator[None]:
    """Hold the one lock of the host, whatever the root: for moments, and after that of a slot."""
    files.make_directory(system_root() / "run")
    with _locked(system_root() / "run/sglang-claims.lock", "the claims", PATIENCE_SECONDS):
        yield


@contextlib.contextmanager
def _locked(path: Path, slot: str, patience: float) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise AgentError(
                        "busy",
                        f"another run has held {slot} on this host for {patience:.0f} s; try again when it has ended",
                    ) from None
                time.sleep(0.1)
        yield
    finally:
        os.close(handle)
