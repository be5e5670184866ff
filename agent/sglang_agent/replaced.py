"""Resources of the engine that stand for one slot one after another: the removal of an old one takes nothing away.

The engine makes a resource anew before it removes the old one: for a new address of its host, also of the same
machine; for an old address put back after a move that failed; for `--target-replace`. The removal of the old one comes
when the new one holds the slot, or much later, and looks like any other. So a receipt counts those that are to come.

A resource that was made anew has an old one only where the stack's state knew the slot: a run that was cut off before
its answer came leaves none, and a removal that was waited for in vain would be the wrong one. For builds and weights
the answer itself is the sign: whoever waits for their long work and is cut off is gone before it. Agents and services
answer at once, so that what comes after them is the sign: an update, or a command that depends on them.
"""

from __future__ import annotations

from sglang_agent import receipts
from sglang_agent.documents import Owned, Receipt
from sglang_agent.layout import Layout
from sglang_agent.receipts import Kind

# The word after a verb with which the engine makes a resource anew.
ANEW = "anew"


def told(layout: Layout, kind: Kind, desired: Owned, words: list[str]) -> None:
    """After a verb has gone well: the engine has made the slot's resource anew, or it knew it before."""
    found = receipts.held(layout, kind, desired)
    if found is None:
        return
    place = desired.get("place") or ""
    if ANEW in words:
        if found.get("replaces", place) != place:
            # Made anew for one place and then for another: the state had come to know the first.
            found["superseded"] = found.get("superseded", 0) + 1
            found["replaces"] = place
        elif knows(found):
            found["replaces"] = place
        found["known"] = False
        receipts.write(layout, found)
    if ANEW not in words or kind in ("build", "model"):
        _know(layout, found, desired)


def knows(receipt: Receipt) -> bool:
    """Whether the stack's state has a resource of the slot. Receipts of before say nothing, and are taken for known."""
    return receipt.get("known", True)


def agent_is_known(layout: Layout, desired: Owned) -> None:
    """Every other command of a host comes after its agent."""
    for found in receipts.every(layout, "agent"):
        if (found["owner"], found.get("place")) == (desired["owner"], desired.get("place")):
            _know(layout, found, desired)


def service_is_known(layout: Layout, desired: Owned) -> None:
    """`activate` comes after the intent."""
    found = receipts.held(layout, "service", desired)
    if found:
        _know(layout, found, desired)


def _know(layout: Layout, found: Receipt, desired: Owned) -> None:
    """What was made anew for another place than the known resource's was cut off before its answer came."""
    if knows(found):
        return
    replaced = found.pop("replaces", None) == (desired.get("place") or "")
    found.update({"known": True, "superseded": found.get("superseded", 0) + int(replaced)})
    receipts.write(layout, found)


def removal_of_an_old_one(layout: Layout, receipt: Receipt, desired: Owned) -> bool:
    """Whether a removal is of a resource that another has come after; counts it off."""
    new = receipt.get("replaces")
    if new is not None and (receipt["kind"] == "agent" or new == (desired.get("place") or "")):
        # Made anew by name, or an agent that nothing else depends on: nothing has come in between.
        _know(layout, receipt, {**desired, "place": new})
    left = receipt.get("superseded", 0)
    if left:
        receipts.write(layout, {**receipt, "superseded": left - 1})
    return left > 0
