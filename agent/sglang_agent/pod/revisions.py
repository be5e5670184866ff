"""Which revision a pod starts: the desired one, or after a "no" the last that passed its gate in the same image.

A container that was told "no" ends, so that its verdict is seen; the kubelet starts it again in the same pod, whose
run folder remembers the verdict. The last good revision lies on the weights' volume and outlives every pod.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sglang_agent import contract, kept, manifest
from sglang_agent.answer import AgentError
from sglang_agent.desired import document as document_in
from sglang_agent.documents import Pod, Verdict

VERDICT = "verdict.json"
LAST_GOOD = "last-good.json"


def read(kind: str, path: str) -> Any:
    """A mounted document; AgentError with every mistake in it."""
    return contract.sent(kind, document_in(path, Path(path).read_bytes()), path)


def last_good(path: Path) -> Pod | None:
    """The last revision that passed its gate here; one that this agent does not understand is none, and said to be."""
    try:
        found: Pod | None = kept.read("pod", path)
        return found
    except AgentError as error:
        print(f"no way back to the last good revision: {error.message}", flush=True)
        return None


def choose(desired: Pod, verdict: Verdict | None, good: Pod | None) -> Pod:
    """The revision to start, said in the log where it is not the desired one or cannot be the last good one."""
    if not verdict or verdict["verdict"] == "yes":
        return desired
    reason = no_way_back(desired, good)
    if good is None or reason:
        print(f"no way back from {desired['generation']}, so it is tried again: {reason}", flush=True)
        return desired
    print(f"{good['generation']} serves in place of {desired['generation']}, which was refused", flush=True)
    return good


def no_way_back(desired: Pod, good: Pod | None) -> str | None:
    """Why the last good revision cannot serve in place of the desired one; None when it can."""
    if good is None:
        return "no revision has passed its gate here before"
    if good["generation"] == desired["generation"]:
        return "it is the last one that passed its gate"
    if (good["image"], good["build"]) != (desired["image"], desired["build"]):
        return f"{good['generation']} ran in another image or with other patches, which this pod does not have"
    if not manifest.holds(Path(good["model"]["path"]), None):
        return f"the weights of {good['generation']} are not complete at {good['model']['path']}"
    return None
