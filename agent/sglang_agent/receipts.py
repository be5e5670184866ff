"""Who owns what on this host: `<root>/receipts/<kind>-<name>….json`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from sglang_agent import contract, files, kept
from sglang_agent.answer import AgentError
from sglang_agent.documents import Owned, Receipt
from sglang_agent.layout import Layout

Kind = Literal["agent", "build", "model", "service"]

# Of these there is one of a name on a host. Agents, builds and models are named by what they hold: each stack has its
# own receipt for them, and the last to go takes them along.
EXCLUSIVE = ("service", "user")


def path_of(layout: Layout, kind: str, name: str, owner: str = "") -> Path:
    mark = "" if kind in EXCLUSIVE else "-" + hashlib.sha256(owner.encode()).hexdigest()[:8]
    return layout.receipts / f"{kind}-{name}{mark}.json"


def read(layout: Layout, kind: str, name: str, owner: str = "") -> Receipt | None:
    """AgentError for a receipt that this agent does not understand: what it cannot read it must not overwrite."""
    found: Receipt | None = kept.read("receipt", path_of(layout, kind, name, owner))
    return found


def write(layout: Layout, receipt: Receipt) -> None:
    path = path_of(layout, receipt["kind"], receipt["name"], receipt["owner"])
    files.make_directory(layout.receipts, 0o700)
    kept.write(path, receipt, 0o600)


def taken_by_another(layout: Layout, kind: Kind, desired: Owned) -> str | None:
    """What is wrong with claiming the slot; None when it is free or this stack's."""
    found = read(layout, kind, desired["name"], desired["owner"])
    if not found or found["owner"] == desired["owner"]:
        return None
    return (
        f"the {kind} slot {desired['name']!r} on this host belongs to stack {found['owner']!r}, not to "
        f"{desired['owner']!r}: choose another name in this stack file, or destroy it from the stack that owns it"
    )


def claim(
    layout: Layout,
    kind: Kind,
    desired: Owned,
    user: str | None = None,
    snapshot: Path | None = None,
    retention: Literal["Retain", "Purge"] | None = None,
    secrets: list[str | None] | None = None,
) -> Receipt:
    """Write the receipt of a slot before anything is made for it; refuses a service of another stack.

    `user` is the account of a service, `snapshot` and `retention` are of a model, `secrets` are files
    that the slot reads.
    """
    taken = taken_by_another(layout, kind, desired)
    if taken:
        raise AgentError("owned-by-another", taken)
    receipt: Receipt = read(layout, kind, desired["name"], desired["owner"]) or {
        "contract": contract.version(),
        "generation": desired["generation"],
        "history": [],
        "kind": kind,
        "known": False,
        "name": desired["name"],
        "owner": desired["owner"],
    }
    before = receipt["generation"]
    if before != desired["generation"] and before not in receipt["history"]:
        receipt["history"].append(before)
    receipt["generation"] = desired["generation"]
    receipt["place"] = desired.get("place")
    if user:
        receipt["user"] = user
    if secrets is not None:
        receipt["secrets"] = [path for path in secrets if path]
    if snapshot:
        receipt["path"] = str(snapshot)
        receipt["paths"] = sorted({*receipt.get("paths", []), str(snapshot)})
    if retention:
        receipt["retention"] = retention
    write(layout, receipt)
    return receipt


def settle(layout: Layout, kind: Kind, desired: Owned) -> None:
    """The slot's generation is there and works. Until then the one settled before it counts as owned too, so that a
    stack whose update failed can still remove what its state knows of."""
    found = read(layout, kind, desired["name"], desired["owner"])
    if found and found.get("settled") != found["generation"]:
        found["settled"] = found["generation"]
        write(layout, found)


def owned(layout: Layout, kind: Kind, desired: Owned) -> Receipt | None:
    """The receipt, if this owner holds the slot at this generation; None if it is gone, another's or superseded."""
    found = held(layout, kind, desired)
    return found if found and desired["generation"] in (found["generation"], found.get("settled")) else None


def held(layout: Layout, kind: Kind, desired: Owned) -> Receipt | None:
    """The receipt, if this owner holds the slot at whatever generation."""
    found = read(layout, kind, desired["name"], desired["owner"])
    return found if found and found["owner"] == desired["owner"] else None


def settled(layout: Layout, kind: Kind, desired: Owned) -> bool:
    """Whether this owner's slot is at this generation, claimed for its host as it is now known, and worked."""
    found = owned(layout, kind, desired)
    if found is None or found.get("place") != desired.get("place"):
        return False
    return found["generation"] == found.get("settled") == desired["generation"]


def drop(layout: Layout, receipt: Receipt) -> None:
    files.remove(path_of(layout, receipt["kind"], receipt["name"], receipt["owner"]))


def others(layout: Layout, receipt: Receipt) -> Iterator[Receipt]:
    """All receipts of the same kind but this one."""
    mine = (receipt["name"], receipt["owner"])
    return (found for found in every(layout, receipt["kind"]) if (found["name"], found["owner"]) != mine)


def every(layout: Layout, kind: Kind) -> Iterator[Receipt]:
    """All receipts of a kind, in the order of their names."""
    if layout.receipts.is_dir():
        for path in sorted(layout.receipts.glob(f"{kind}-*.json")):
            receipt: Receipt | None = kept.read("receipt", path)
            if receipt and receipt["kind"] == kind:
                yield receipt
