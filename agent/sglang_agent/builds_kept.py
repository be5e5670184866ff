"""Which builds stay: those in use, and of each slot the last few."""

from __future__ import annotations

from sglang_agent import files, kept, receipts
from sglang_agent.answer import AgentError
from sglang_agent.documents import Build, Receipt, Service
from sglang_agent.layout import Layout


def in_use(layout: Layout) -> set[str]:
    """Builds that a service serves from, or would go back to."""
    used: set[str] = set()
    if layout.services.is_dir():
        for service in layout.services.iterdir():
            for name in ("current", "previous"):
                desired: Service | None = kept.read("service", service / name / "desired.json")
                if desired:
                    used.add(desired["build"])
    return used


def referred(layout: Layout, but: Receipt) -> set[str]:
    """Builds that other receipts than this one name."""
    named: set[str] = set()
    for receipt in receipts.others(layout, but):
        named.update([receipt["generation"], *receipt["history"]])
    return named


def prune(layout: Layout, desired: Build, keep: int) -> None:
    """Of this slot's older builds remove those beyond the last `keep` that nothing else holds."""
    receipt = receipts.read(layout, "build", desired["name"], desired["owner"])
    if receipt is None:
        return
    older = [digest for digest in receipt["history"] if digest != receipt["generation"]]
    last = older[-(keep - 1) :] if keep > 1 else []
    try:
        held = in_use(layout) | referred(layout, receipt)
    except AgentError:  # what a newer agent has kept may hold any of them
        return
    remaining = []
    for digest in older:
        if digest in last or digest in held:
            remaining.append(digest)
        else:
            discard(layout, digest)
    receipt["history"] = remaining
    receipts.write(layout, receipt)


def discard(layout: Layout, digest: str) -> None:
    """Remove a build and its caches."""
    files.remove(layout.build(digest))
    files.remove(layout.build_staging(digest))
    files.remove(layout.build_cache(digest))
