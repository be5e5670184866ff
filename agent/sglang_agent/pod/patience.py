"""Waiting for pods, and when to stop: time is up, or what stands in the way has stood there long enough."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from sglang_agent.pod import cluster, reasons
from sglang_agent.pod.reasons import Reason


class Patience:
    """One wait: until when, what was last in its way, and since when."""

    def __init__(self, seconds: float, last: str):
        self.deadline = time.monotonic() + seconds
        self.last = last
        self._since: float | None = None
        self._said = ""

    def looks(self) -> Iterator[None]:
        """Once a second until time is up."""
        while time.monotonic() < self.deadline:
            yield
            time.sleep(1)

    def is_over(self, why: Reason | None, passing: bool) -> bool:
        """Whether what is in the way stays there. `passing`: something still ends that may be what is in the way."""
        if why:
            self.last = why.text
            if why.text != self._said:
                print(f"waiting: {why.text}", flush=True)
                self._said = why.text
        if why is None or why.after is None or passing:
            self._since = None
            return False
        self._since = self._since or time.monotonic()
        return time.monotonic() - self._since >= why.after


def in_the_way(pods: list[dict[str, Any]], owners: list[str]) -> Reason | None:
    """What keeps pods from coming up, that which ends a wait before that which does not; `owners` make them, by uid."""
    found: list[Reason] = []
    for pod in pods:
        why = reasons.of_pod(pod, cluster.events)
        if why:
            found.append(why._replace(text=f"{pod['metadata']['name']}: {why.text}"))
            found.extend(_of_claims(pod) if "PersistentVolumeClaim" in why.text else [])
    if not pods:
        found.extend(filter(None, (reasons.of_owner(cluster.events(uid)) for uid in owners)))
    return min(found, key=lambda why: 1e9 if why.after is None else why.after) if found else None


def _of_claims(pod: dict[str, Any]) -> Iterator[Reason]:
    for volume in pod["spec"].get("volumes") or []:
        name = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        if name:
            told = cluster.items(
                cluster.CORE,
                "events",
                fieldSelector=f"involvedObject.kind=PersistentVolumeClaim,involvedObject.name={name}",
            )
            why = reasons.of_claim(name, told)
            if why:
                yield why
