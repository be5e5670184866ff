"""Why a pod is not up, and whether waiting can help: from its status and from the events about it.

Waiting helps where room, a node or a volume may still come. It does not where the same would be refused again: a
scheduler that would take no node even if it were empty, a Secret or key that is not there, a claim that nothing
provides, an image that is not pulled, a quota or an admission that refuses the pod. Those end a wait when they have
held for PATIENCE_SECONDS.
"""

from __future__ import annotations

import re
from typing import Any, Callable, NamedTuple

Object = dict[str, Any]
Events = Callable[[str], list[Object]]

PATIENCE_SECONDS = 40.0
# A container that failed this often fails for good where it does the same each time.
ATTEMPTS = 2

NOT_STARTED = ("ContainerCreating", "PodInitializing")
REFUSED = ("CreateContainerConfigError", "CreateContainerError", "InvalidImageName", "RunContainerError")
NOT_PULLED = ("ErrImageNeverPull", "ErrImagePull", "ImageInspectError", "ImagePullBackOff")
MISSING = re.compile(r"not found|non-existent|not registered")
# The scheduler's words (pkg/scheduler/framework/preemption) for a node where another pod's end would not help.
NO_HELP = "Preemption is not helpful"
# Taints of this prefix come and go with the state of a node.
PASSING_TAINT = "node.kubernetes.io/"


class Reason(NamedTuple):
    """Words, and after how many seconds of nothing else waiting ends; None: it goes on."""

    text: str
    after: float | None = None


def of_pod(pod: Object, events: Events) -> Reason | None:
    """Why it is not up, in the words of the scheduler, the kubelet or the container; None while it comes up."""
    status = pod["status"]
    uid = pod["metadata"]["uid"]
    for condition in status.get("conditions") or []:
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            text = f"[{condition.get('reason')}] {condition.get('message')}"
            return Reason(text, _unschedulable(condition.get("message") or "", events(uid)))
    for container in status.get("initContainerStatuses") or []:
        found = _of_container(container)
        if found:
            return found if container.get("restartCount", 0) < ATTEMPTS else found._replace(after=0)
    for container in status.get("containerStatuses") or []:
        found = _of_container(container)
        if found:
            return found
    if status.get("phase") == "Failed":
        return Reason(f"[{status.get('reason')}] {status.get('message')}")
    return _of_mounts(events(uid)) if status.get("phase") == "Pending" else None


def of_claim(claim: str, events: list[Object]) -> Reason | None:
    """Why a claim has no volume; None while one may come."""
    refused = [event for event in events if event.get("reason") in ("ProvisioningFailed", "FailedBinding")]
    return Reason(f"claim {claim}: {refused[-1].get('message')}", PATIENCE_SECONDS) if refused else None


def of_owner(events: list[Object]) -> Reason | None:
    """Why a controller makes no pod: the last that it reported is that it could not."""
    made = [event for event in events if event.get("reason") in ("FailedCreate", "SuccessfulCreate")]
    if not made or made[-1]["reason"] != "FailedCreate":
        return None
    return Reason(f"[FailedCreate] {made[-1].get('message')}", PATIENCE_SECONDS)


def _unschedulable(message: str, events: list[Object]) -> float | None:
    if PASSING_TAINT in message or "were unschedulable" in message:
        return None
    if any(event.get("reason") == "TriggeredScaleUp" for event in events):
        return None
    counted = re.search(r"preemption: 0/(\d+) nodes are available: (.*)", message, re.DOTALL)
    if not counted:
        return None
    helped = re.findall(rf"(\d+) {NO_HELP}", counted.group(2))
    return PATIENCE_SECONDS if helped and sum(map(int, helped)) == int(counted.group(1)) else None


def _of_container(container: Object) -> Reason | None:
    state = container.get("state") or {}
    waiting = state.get("waiting")
    ended = state.get("terminated") or (container.get("lastState") or {}).get("terminated")
    if ended and ended.get("exitCode"):
        told = (ended.get("message") or "").strip() or f"exit code {ended['exitCode']}"
        again = ended.get("reason") == "OOMKilled" and container.get("restartCount", 0) >= ATTEMPTS
        return Reason(f"{container['name']}: [{ended.get('reason')}] {told}", 0 if again else None)
    if waiting and waiting.get("reason") not in NOT_STARTED:
        why = waiting.get("reason")
        return Reason(
            f"{container['name']}: [{why}] {waiting.get('message')}",
            PATIENCE_SECONDS if why in REFUSED + NOT_PULLED else None,
        )
    return None


def _of_mounts(events: list[Object]) -> Reason | None:
    failed = [event for event in events if event.get("reason") in ("FailedMount", "FailedAttachVolume")]
    if not failed:
        return None
    # The last one may be no more than that time ran out over the first.
    telling = [event for event in failed if MISSING.search(event.get("message") or "")]
    last = (telling or failed)[-1]
    return Reason(f"[{last['reason']}] {last.get('message')}", PATIENCE_SECONDS if telling else None)
