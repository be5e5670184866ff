"""Pods as the cluster sees them: where they answer, and why one does not come up."""

from __future__ import annotations

import json
import os
import ssl
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
ROLLOUT = "pulumi-sglang/rollout"
# An init container that failed this often fails for good: it does the same each time.
ATTEMPTS = 2


def pods(selector: str, rollout: str) -> list[dict[str, Any]] | None:
    """The pods of a rollout that are to stay; None while the API server does not answer."""
    namespace = (ACCOUNT / "namespace").read_text("utf-8").strip()
    query = urllib.parse.urlencode({"labelSelector": selector})
    host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
    server = f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"
    request = urllib.request.Request(f"{server}/api/v1/namespaces/{namespace}/pods?{query}")
    request.add_header("Authorization", "Bearer " + (ACCOUNT / "token").read_text("utf-8").strip())
    context = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))
    try:
        with urllib.request.urlopen(request, timeout=10, context=context) as reply:
            items = json.loads(reply.read())["items"]
    except (OSError, ValueError):
        return None
    return [pod for pod in items if _rollout(pod) == rollout and not pod["metadata"].get("deletionTimestamp")]


def _rollout(pod: dict[str, Any]) -> str | None:
    return (pod["metadata"].get("annotations") or {}).get(ROLLOUT)


def reason(pod: dict[str, Any]) -> str | None:
    """Why a pod is not up, in the words of the scheduler, the kubelet or the container."""
    status = pod["status"]
    for condition in status.get("conditions") or []:
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            return f"[{condition.get('reason')}] {condition.get('message')}"
    statuses = (status.get("initContainerStatuses") or []) + (status.get("containerStatuses") or [])
    for container in statuses:
        state = container.get("state") or {}
        waiting = state.get("waiting")
        ended = state.get("terminated") or (container.get("lastState") or {}).get("terminated")
        if ended and ended.get("exitCode"):
            told = (ended.get("message") or "").strip() or f"exit code {ended['exitCode']}"
            return f"{container['name']}: [{ended.get('reason')}] {told}"
        if waiting and waiting.get("reason") not in ("ContainerCreating", "PodInitializing"):
            return f"{container['name']}: [{waiting.get('reason')}] {waiting.get('message')}"
    return None


def ready(pod: dict[str, Any]) -> bool:
    """Whether the kubelet says that clients may reach the pod."""
    conditions = pod["status"].get("conditions") or []
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def hopeless(pod: dict[str, Any]) -> bool:
    """Whether the pod's sources cannot be staged."""
    return any(one.get("restartCount", 0) >= ATTEMPTS for one in pod["status"].get("initContainerStatuses") or [])
