"""The Kubernetes API, as far as the service account of a watching job may ask it."""

from __future__ import annotations

import json
import os
import ssl
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
CORE = "api/v1"
APPS = "apis/apps/v1"
BATCH = "apis/batch/v1"
GROUPS = "apis/leaderworkerset.x-k8s.io/v1"


def get(api: str, what: str, **query: str) -> Any:
    """An object or a list of the job's own namespace; None while the API server does not answer or has none."""
    namespace = (ACCOUNT / "namespace").read_text("utf-8").strip()
    host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
    server = f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"
    words = f"?{urllib.parse.urlencode(query)}" if query else ""
    request = urllib.request.Request(f"{server}/{api}/namespaces/{namespace}/{what}{words}")
    request.add_header("Authorization", "Bearer " + (ACCOUNT / "token").read_text("utf-8").strip())
    context = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))
    try:
        with urllib.request.urlopen(request, timeout=10, context=context) as reply:
            return json.loads(reply.read())
    except (OSError, ValueError):
        return None


def items(api: str, what: str, **query: str) -> list[dict[str, Any]]:
    """What a list holds; nothing while the API server does not answer."""
    found = get(api, what, **query)
    return found["items"] if found else []


def events(uid: str) -> list[dict[str, Any]]:
    """What was reported of an object, the newest last."""
    found = items(CORE, "events", fieldSelector=f"involvedObject.uid={uid}")
    return sorted(found, key=lambda event: event.get("lastTimestamp") or event.get("eventTime") or "")
