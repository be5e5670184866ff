"""Taking away what this stack's receipts say it made, at that generation, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from sglang_agent import builds_kept, claims, files, foreign, jobs, locks, receipts, replaced, starting, systemd, users
from sglang_agent.documents import Owned, Receipt, RemoveAnswer
from sglang_agent.layout import Layout, unit_name
from sglang_agent.tools import Log


def remove(desired: Owned, kind: receipts.Kind) -> RemoveAnswer:
    """A slot that is gone, another stack's, at a newer generation or of a newer resource is left alone, and that is no
    failure."""
    layout = Layout(desired["root"])
    if not layout.receipts.is_dir():
        return {"removed": False}
    with locks.held(layout, f"{kind}-{desired['name']}"):
        receipt = receipts.held(layout, kind, desired)
        if receipt is None or replaced.removal_of_an_old_one(layout, receipt, desired):
            return {"removed": False}
        if receipts.owned(layout, kind, desired) is None:
            return {"removed": False}
        left = KINDS[kind](layout, receipt)
    files.remove(layout.locks / f"{kind}-{desired['name']}.lock")
    _tidy(layout)
    return {"removed": True} if left is None else {"removed": True, "kept": left}


def _service(layout: Layout, receipt: Receipt) -> list[str] | str | None:
    name = receipt["name"]
    log = Log(layout, "remove", name)
    unit = unit_name(name)
    theirs = foreign.found(layout, name)
    left = str(theirs.path) if theirs else None
    if theirs is None and layout.unit_file(name).exists():
        starting.stop(name)
        systemd.control("disable", unit)
        files.remove(layout.unit_file(name))
        left = foreign.give_back(layout, name, start=False)
        systemd.control("daemon-reload")
    files.remove(layout.runtime(name))
    files.remove(layout.service(name))
    claims.drop(layout, name)
    receipts.drop(layout, receipt)
    if "user" in receipt:  # it was intended, and nothing was done for it yet
        users.forget(layout, receipt["user"], log)
    return left


def _build(layout: Layout, receipt: Receipt) -> list[str] | str | None:
    """All builds of the slot, but for what a service runs or would go back to: that goes with the agent."""
    held = builds_kept.referred(layout, receipt)
    mine = {receipt["generation"], receipt.get("settled") or receipt["generation"], *receipt["history"]} - held
    served = mine & builds_kept.in_use(layout)
    for digest in sorted(mine - served):
        builds_kept.discard(layout, digest)
    if served:
        receipts.write(layout, {**receipt, "history": sorted(served)})
        return sorted(served)
    receipts.drop(layout, receipt)
    return None


def _model(layout: Layout, receipt: Receipt) -> list[str] | str | None:
    """Weights stay unless the stack says otherwise; a snapshot that another slot uses too stays in any case."""
    receipts.drop(layout, receipt)
    if receipt["retention"] == "Retain":
        return receipt["path"]
    shared = {path for found in receipts.others(layout, receipt) for path in found["paths"]}
    for path in map(Path, receipt["paths"]):
        if str(path) not in shared:
            for doomed in (path, path.with_name(f".{path.name}.partial"), path.with_name(f".{path.name}.scratch")):
                files.remove(doomed)
            files.remove_if_empty(path.parent)
    return None


def _agent(layout: Layout, receipt: Receipt) -> list[str] | str | None:
    """The archive, when no other stack installed the same one. The running process has all of its modules by now."""
    _leftovers(layout, receipt)
    digests = {receipt["generation"], *receipt["history"]}
    others = receipts.others(layout, receipt)
    used = {digest for found in others for digest in [found["generation"], *found["history"]]}
    for digest in sorted(digests - used):
        files.remove(layout.agent(digest))
    receipts.drop(layout, receipt)
    return None


def _leftovers(layout: Layout, agent: Receipt) -> None:
    """What a first `up` that failed or was killed has left: the stack's state knows nothing of it, so that no other
    removal comes. The agent goes last, and until then a second `up` finds it all and goes on."""
    made: tuple[tuple[receipts.Kind, str], ...] = (("service", "activate"), ("build", "build"), ("model", "fetch"))
    for kind, verb in made:
        for found in list(receipts.every(layout, kind)):
            if (found["owner"], found.get("place")) == (agent["owner"], agent.get("place")):
                jobs.stop(verb, found["name"])
                KINDS[kind](layout, found)


KINDS: dict[receipts.Kind, Callable[[Layout, Receipt], list[str] | str | None]] = {
    "agent": _agent,
    "build": _build,
    "model": _model,
    "service": _service,
}


def _tidy(layout: Layout) -> None:
    """When the last receipt has gone, so do the agent's own traces, such as logs, locks and pip's cache."""
    if any(layout.receipts.iterdir()):
        return
    own = (layout.log, layout.jobs, layout.locks, layout.services, layout.hub_clients, layout.cache / "pip")
    for path in own:
        files.remove(path)
    for path in (
        layout.receipts,
        layout.cache,
        layout.builds,
        layout.root / "agent",
        layout.secrets,
        layout.root,
    ):
        files.remove_if_empty(path)
