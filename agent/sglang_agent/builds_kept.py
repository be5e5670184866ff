"""Which builds stay: those in use, and of each slot the last few."""

from __future__ import annotations

from typing import Set

from sglang_agent import files, receipts
from sglang_agent.layout import Layout


def in_use(layout: Layout) -> Set[str]:
    """Builds that a service serves from, or would go back to."""
    used: Set[str] = set()
    if layout.services.is_dir():
        for service in layout.services.iterdir():
            for name in ("current", "previous"):
                desired = files.read_json(service / name / "desired.json")
                if desired:
                    used.add(desired["build"])
    return used


def referred(layout: Layout, but: str) -> Set[str]:
    """Builds that the receipts of other slots name."""
    named: Set[str] = set()
    for name, receipt in receipts.every(layout, "build"):
        if name != but:
            named.update([receipt["generation"], *receipt.get("history", [])])
    return named


def prune(layout: Layout, name: str, keep: int) -> None:
    """Of this slot's older builds remove those beyond the last `keep` that nothing else holds."""
    receipt = receipts.read(layout, "build", name)
    if receipt is None:
        return
    older = [digest for digest in receipt["history"] if digest != receipt["generation"]]
    kept = older[-(keep - 1) :] if keep > 1 else []
    held = in_use(layout) | referred(layout, name)
    remaining = []
    for digest in older:
        if digest in kept or digest in held:
            remaining.append(digest)
        else:
            discard(layout, digest)
    receipt["history"] = remaining
    files.write_json(receipts.path_of(layout, "build", name), receipt, 0o600)


def discard(layout: Layout, digest: str) -> None:
    """Remove a build and its caches."""
    files.remove(layout.build(digest))
    files.remove(layout.build_cache(digest))
