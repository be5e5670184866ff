"""Whether the kernel killed a process of this container for want of memory: its cgroup counts that.

A SIGKILL alone says nothing, since SGLang ends its own process tree with one.
"""

from __future__ import annotations

import re
from pathlib import Path

# cgroup v2, and v1.
COUNTERS = (Path("/sys/fs/cgroup/memory.events"), Path("/sys/fs/cgroup/memory/memory.oom_control"))


def kills() -> int:
    """Processes that were killed since the container was made; 0 where nobody counts."""
    for path in COUNTERS:
        try:
            found = re.search(r"^oom_kill (\d+)$", path.read_text("utf-8"), re.MULTILINE)
        except OSError:
            continue
        if found:
            return int(found.group(1))
    return 0


def want(before: int) -> str:
    """Words for an error, if there were some since."""
    more = kills() - before
    return (
        f"; the kernel killed {more} of its processes for want of memory: see the container's limit" if more > 0 else ""
    )
