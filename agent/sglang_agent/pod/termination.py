"""The termination message of a container: what `kubectl describe` and Pulumi's error show of its end."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from sglang_agent.documents import Verdict

# The kubelet keeps 4096 bytes of it; fewer are what anybody reads in an error. The whole verdict is in the log.
LIMIT = 2000
EVIDENCE_LIMIT = 600


def tell(text: str) -> None:
    """Say it in the log and in the termination message. Written in place: the file is the kubelet's."""
    print(text, flush=True)
    path = Path(os.environ.get("SGLANG_TERMINATION_FILE", "/dev/termination-log"))
    try:
        path.write_text(text.encode()[:LIMIT].decode("utf-8", "ignore"), "utf-8")
    except OSError as error:
        print(f"cannot write {path}: {error.strerror}", flush=True)


def refusal(verdict: Verdict, status: int | None = None) -> str:
    """A verdict "no" in words, its evidence after the reason. `status` is how the server had ended, if it had."""
    evidence = verdict.get("evidence") or {}
    log = evidence.get("log")
    told = "\n".join(log[-12:]) if log else json.dumps(evidence, sort_keys=True)[:EVIDENCE_LIMIT]
    reason = f"{verdict['check']}: {verdict['reason']}"
    if status == -signal.SIGKILL:
        reason += "; it was killed, most likely for want of memory: see the container's limit"
    return f"the gate said no to {verdict['generation']}: {reason}\n{told}"
