"""Who owns what on this host: `<root>/receipts/<kind>-<name>.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator, Optional, Tuple

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout


def path_of(layout: Layout, kind: str, name: str) -> Path:
    return layout.receipts / f"{kind}-{name}.json"


def read(layout: Layout, kind: str, name: str) -> Optional[dict]:
    return files.read_json(path_of(layout, kind, name))


def claim(layout: Layout, kind: str, desired: dict, **facts: object) -> dict:
    """Write the receipt of a slot before anything is made for it; refuses a slot of another stack."""
    name = desired["name"]
    found = read(layout, kind, name)
    if found and found["owner"] != desired["owner"]:
        raise AgentError(
            "owned-by-another",
            f"the {kind} slot {name!r} on this host belongs to stack {found['owner']!r}, not to {desired['owner']!r}: "
            "choose another name in this stack file, or destroy it from the stack that owns it",
        )
    history = list((found or {}).get("history", []))
    if found and found["generation"] != desired["generation"] and found["generation"] not in history:
        history.append(found["generation"])
    receipt = {**(found or {}), **facts, "generation": desired["generation"], "history": history, "kind": kind}
    receipt.update(name=name, owner=desired["owner"])
    files.make_directory(layout.receipts, 0o700)
    files.write_json(path_of(layout, kind, name), receipt, 0o600)
    return receipt


def settle(layout: Layout, kind: str, name: str) -> None:
    """The slot's generation is there and works. Until then the one settled before it counts as owned too, so that a
    stack whose update failed can still remove what its state knows of."""
    found = read(layout, kind, name)
    if found and found.get("settled") != found["generation"]:
        found["settled"] = found["generation"]
        files.write_json(path_of(layout, kind, name), found, 0o600)


def owned(layout: Layout, kind: str, desired: dict) -> Optional[dict]:
    """The receipt, if this owner holds the slot at this generation; None if it is gone, another's or superseded."""
    found = read(layout, kind, desired["name"])
    if found and found["owner"] == desired["owner"]:
        if desired["generation"] in (found["generation"], found.get("settled")):
            return found
    return None


def settled(layout: Layout, kind: str, desired: dict) -> bool:
    """Whether this owner's slot is at this generation and that was there and worked."""
    found = read(layout, kind, desired["name"])
    wanted = (desired["owner"], desired["generation"], desired["generation"])
    return bool(found) and (found["owner"], found["generation"], found.get("settled")) == wanted


def drop(layout: Layout, kind: str, name: str) -> None:
    files.remove(path_of(layout, kind, name))


def every(layout: Layout, kind: str) -> Iterator[Tuple[str, dict]]:
    """All receipts of a kind, by name."""
    if layout.receipts.is_dir():
        for path in sorted(layout.receipts.glob(f"{kind}-*.json")):
            receipt = files.read_json(path)
            if receipt and receipt.get("kind") == kind:
                yield receipt["name"], receipt
