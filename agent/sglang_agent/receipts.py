"""Who owns what on this host: `<root>/receipts/<kind>-<name>….json`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout

# Of these there is one of a name on a host. Agents, builds and models are named by what they hold: each stack has its
# own receipt for them, and the last to go takes them along.
EXCLUSIVE = ("service", "user")


def path_of(layout: Layout, kind: str, name: str, owner: str = "") -> Path:
    mark = "" if kind in EXCLUSIVE else "-" + hashlib.sha256(owner.encode()).hexdigest()[:8]
    return layout.receipts / f"{kind}-{name}{mark}.json"


def read(layout: Layout, kind: str, desired: dict) -> dict | None:
    return files.read_json(path_of(layout, kind, desired["name"], desired.get("owner") or ""))


def write(layout: Layout, receipt: dict) -> None:
    path = path_of(layout, receipt["kind"], receipt["name"], receipt["owner"])
    files.make_directory(layout.receipts, 0o700)
    files.write_json(path, receipt, 0o600)


def taken_by_another(layout: Layout, kind: str, desired: dict) -> str | None:
    """What is wrong with claiming the slot; None when it is free or this stack's."""
    found = read(layout, kind, desired)
    if not found or found["owner"] == desired["owner"]:
        return None
    return (
        f"the {kind} slot {desired['name']!r} on this host belongs to stack {found['owner']!r}, not to "
        f"{desired['owner']!r}: choose another name in this stack file, or destroy it from the stack that owns it"
    )


def claim(layout: Layout, kind: str, desired: dict, **facts: object) -> dict:
    """Write the receipt of a slot before anything is made for it; refuses a service of another stack."""
    taken = taken_by_another(layout, kind, desired)
    if taken:
        raise AgentError("owned-by-another", taken)
    found = read(layout, kind, desired)
    history = list((found or {}).get("history", []))
    if found and found["generation"] != desired["generation"] and found["generation"] not in history:
        history.append(found["generation"])
    receipt = {**(found or {}), **facts, "generation": desired["generation"], "history": history, "kind": kind}
    receipt.update(name=desired["name"], owner=desired["owner"], place=desired.get("place"))
    write(layout, receipt)
    return receipt


def settle(layout: Layout, kind: str, desired: dict) -> None:
    """The slot's generation is there and works. Until then the one settled before it counts as owned too, so that a
    stack whose update failed can still remove what its state knows of."""
    found = read(layout, kind, desired)
    if found and found.get("settled") != found["generation"]:
        found["settled"] = found["generation"]
        write(layout, found)


def owned(layout: Layout, kind: str, desired: dict) -> dict | None:
    """The receipt, if this owner holds the slot at this generation; None if it is gone, another's or superseded.

    A host that got another name or address may be the same machine: what was claimed there by its new `place` stays
    when the old one is removed.
    """
    found = read(layout, kind, desired)
    if found and (found["owner"], found.get("place")) == (desired["owner"], desired.get("place")):
        if desired["generation"] in (found["generation"], found.get("settled")):
            return found
    return None


def settled(layout: Layout, kind: str, desired: dict) -> bool:
    """Whether this owner's slot is at this generation and that was there and worked."""
    found = owned(layout, kind, desired)
    return found is not None and found["generation"] == found.get("settled") == desired["generation"]


def drop(layout: Layout, receipt: dict) -> None:
    files.remove(path_of(layout, receipt["kind"], receipt["name"], receipt["owner"]))


def others(layout: Layout, receipt: dict) -> Iterator[dict]:
    """All receipts of the same kind but this one."""
    mine = (receipt["name"], receipt["owner"])
    return (found for found in every(layout, receipt["kind"]) if (found["name"], found["owner"]) != mine)


def every(layout: Layout, kind: str) -> Iterator[dict]:
    """All receipts of a kind, in the order of their names."""
    if layout.receipts.is_dir():
        for path in sorted(layout.receipts.glob(f"{kind}-*.json")):
            receipt = files.read_json(path)
            if receipt and receipt.get("kind") == kind:
                yield receipt
