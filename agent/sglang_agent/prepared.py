"""What `prepare` was told of a service, kept for `activate`, which itself carries only what a change shows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

from sglang_agent import contract, files, kept
from sglang_agent.answer import AgentError
from sglang_agent.documents import Activate, Intend, Prepared, Service, ServicePart
from sglang_agent.layout import Layout

# A run that was killed may have prepared what is then taken back: what was prepared before it is still there.
KEPT = 5


def keep(layout: Layout, name: str, digest: str, service: ServicePart) -> None:
    """Write the service's document beside its generations; nothing that serves is touched."""
    path = _path(layout, name, digest)
    files.make_directory(path.parent)
    kept.write(path, service, 0o600)
    os.utime(path)
    for old in sorted(path.parent.glob("prepared-*.json"), key=lambda found: found.stat().st_mtime_ns)[:-KEPT]:
        files.remove(old)


def complete(document: Activate) -> Service:
    """The document of `activate` with what was prepared under its digest; AgentError `not-prepared` without that."""
    whole = {**part(document), **{field: value for field, value in document.items() if field != "prepared"}}
    return cast(Service, contract.checked("service", whole, "activate"))


def part(document: Activate | Intend) -> Prepared:
    """What was prepared under a document's digest; AgentError `not-prepared` without that."""
    name, wanted = document["name"], document["prepared"]
    try:
        found: Prepared | None = kept.read("prepared", _path(Layout(document["root"]), name, wanted))
        why = ""
    except AgentError as error:
        found, why = None, f" ({error.message})"
    if found is None:
        raise AgentError(
            "not-prepared",
            f"{name} is not prepared on this host for {wanted}{why}: run its `prepare` again "
            f"(pulumi up --target-replace URN, the one that ends in {name}-<host>-prepare)",
        )
    return found


def _path(layout: Layout, name: str, digest: str) -> Path:
    return layout.service(name) / f"prepared-{digest}.json"
