"""What `prepare` was told of a service, kept for `activate`, which itself carries only what a change shows."""

from __future__ import annotations

import os
from pathlib import Path

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout

# A run that was killed may have prepared what is then taken back: what was prepared before it is still there.
KEPT = 5


def keep(layout: Layout, name: str, digest: str, service: dict) -> None:
    """Write the service's document beside its generations; nothing that serves is touched."""
    path = _path(layout, name, digest)
    files.make_directory(path.parent)
    files.write_json(path, service, 0o600)
    os.utime(path)
    for old in sorted(path.parent.glob("prepared-*.json"), key=lambda found: found.stat().st_mtime_ns)[:-KEPT]:
        files.remove(old)


def complete(document: dict) -> dict:
    """The document of `activate` with what was prepared under its digest; AgentError `not-prepared` without that."""
    rest = {name: value for name, value in document.items() if name != "prepared"}
    wanted = document.get("prepared")
    if wanted is None:
        return rest
    name = str(document.get("name"))
    service = files.read_json(_path(Layout(str(document.get("root") or "")), name, str(wanted)))
    if service is None:
        raise AgentError(
            "not-prepared",
            f"{name} is not prepared on this host for {wanted}: run its `prepare` again "
            f"(pulumi up --target-replace URN, the one that ends in {name}-<host>-prepare)",
        )
    return {**service, **rest}


def _path(layout: Layout, name: str, digest: str) -> Path:
    return layout.service(name) / f"prepared-{digest}.json"
