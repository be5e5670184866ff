"""The object that keeps a server's pods: which of them are of what it says now, and whether they are all that runs."""

from __future__ import annotations

from typing import Any

from sglang_agent.pod import cluster

Object = dict[str, Any]

ROLLOUT = "pulumi-sglang/rollout"
REVISION = "deployment.kubernetes.io/revision"
# Where each kind is asked for, and the label of its pods that names their template; those of a Deployment say it by
# their owner.
KINDS = {
    "Deployment": (cluster.APPS, "deployments", ""),
    "StatefulSet": (cluster.APPS, "statefulsets", "controller-revision-hash"),
    "LeaderWorkerSet": (cluster.GROUPS, "leaderworkersets", ""),
}


class Workload:
    """One look at it and at its pods."""

    def __init__(self, kind: str, whole: Object, pods: list[Object], sets: list[Object], rollout: str):
        self.kind = kind
        self.uid: str = whole["metadata"]["uid"]
        self.generation: int = whole["metadata"]["generation"]
        self.wanted: int = whole["spec"].get("replicas", 1)
        self.status: Object = whole.get("status") or {}
        newest = (whole["metadata"].get("annotations") or {}).get(REVISION)
        self.sets = {
            one["metadata"]["uid"]: (one["metadata"].get("annotations") or {}).get(REVISION) == newest
            for one in sets
            if self.uid in _owners(one)
        }
        self.leaving = [pod for pod in pods if pod["metadata"].get("deletionTimestamp")]
        staying = [pod for pod in pods if not pod["metadata"].get("deletionTimestamp")]
        self.current = [pod for pod in staying if self._is_current(pod, rollout)]
        self.others = [pod for pod in staying if pod not in self.current]

    def _is_current(self, pod: Object, rollout: str) -> bool:
        if (pod["metadata"].get("annotations") or {}).get(ROLLOUT) != rollout or not self.seen():
            return False
        label = KINDS[self.kind][2]
        if label:
            return bool(pod["metadata"]["labels"].get(label) == self.status.get("updateRevision"))
        return self.kind != "Deployment" or any(self.sets.get(uid) for uid in _owners(pod))

    def seen(self) -> bool:
        """Whether its controller has acted on what it says now. A LeaderWorkerSet need not say (unverified)."""
        return bool(self.status.get("observedGeneration", self.generation) == self.generation)

    def rolled(self) -> bool:
        """Whether all that runs is of what it says now, and ready."""
        counts = [self.status.get(key, 0) for key in ("replicas", "updatedReplicas", "readyReplicas")]
        return self.seen() and counts == [self.wanted] * 3 and not self.others

    def makers(self) -> list[str]:
        """Who makes its pods, by uid."""
        return [uid for uid, current in self.sets.items() if current] if self.kind == "Deployment" else [self.uid]


def look(kind: str, name: str, selector: str, rollout: str) -> Workload | None:
    """It and its pods as they are; None while the API server does not answer."""
    api, plural, _ = KINDS[kind]
    whole = cluster.get(api, f"{plural}/{name}")
    pods = cluster.get(cluster.CORE, "pods", labelSelector=selector)
    if not whole or not pods:
        return None
    sets = cluster.items(cluster.APPS, "replicasets", labelSelector=selector) if kind == "Deployment" else []
    return Workload(kind, whole, pods["items"], sets, rollout)


def ready(pod: Object) -> bool:
    """Whether the kubelet says that clients may reach the pod."""
    conditions = pod["status"].get("conditions") or []
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def _owners(whole: Object) -> list[str]:
    return [owner["uid"] for owner in whole["metadata"].get("ownerReferences") or []]
