"""One agent at a time for one thing on this host."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout

# Longer than any single verb needs to finish what a lost session left running.
PATIENCE_SECONDS = 3600.0


@contextlib.contextmanager
def held(layout: Layout, slot: str, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the lock of a slot; the kernel releases it when the process ends, however it ends."""
    files.make_directory(layout.locks, 0o700)
    handle = os.open(layout.locks / f"{slot}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
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
