"""The termination message of a container: what `kubectl describe` and Pulumi's error show of its end."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from sglang_agent.documents import Verdict
from sglang_agent.server import Server

# The kubelet keeps 4096 bytes of it; fewer are what anybody reads in an error. The whole verdict is in the log.
LIMIT = 2000
EVIDENCE_LIMIT = 600
LINES = 12
# The line in which Python says what was raised.
ERROR = re.compile(r"^\S*(Error|Exception|Interrupt)\b:?")


def tell(text: str) -> None:
    """Say it in the log and in the termination message. Written in place: the file is the kubelet's."""
    print(text, flush=True)
    path = Path(os.environ.get("SGLANG_TERMINATION_FILE", "/dev/termination-log"))
    try:
        path.write_text(text.encode()[:LIMIT].decode("utf-8", "ignore"), "utf-8")
    except OSError as error:
        print(f"cannot write {path}: {error.strerror}", flush=True)


def refusal(verdict: Verdict, more: str = "") -> str:
    """A verdict "no" in words, its evidence after the reason and what `more` is known of it."""
    evidence = verdict.get("evidence") or {}
    log = evidence.get("log")
    told = last_words(log) if log else json.dumps(evidence, sort_keys=True)[:EVIDENCE_LIMIT]
    return f"the gate said no to {verdict['generation']}: {verdict['check']}: {verdict['reason']}{more}\n{told}"


def end(server: Server, status: int, more: str) -> str:
    """How a server ended by itself."""
    return f"the server ended by itself with status {status}{more}; its last lines:\n{last_words(server.last_lines())}"


def last_words(log: list[str]) -> str:
    """The end of a log, with the last error in it where others came after that."""
    last = log[-LINES:]
    errors = [line for line in log if ERROR.search(line)]
    return "\n".join(last if not errors or errors[-1] in last else [errors[-1], "…", *last])
