"""What a server in a pod is started with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sglang_agent import documents, files, manifest, secret_files
from sglang_agent.answer import AgentError
from sglang_agent.pod import ranks
from sglang_agent.server import Server


def server(revision: documents.Pod, rank: int, meeting: int | None, key: str | None, scratch: Path) -> Server:
    """A revision's server of a rank, not started yet. AgentError where its weights are not complete."""
    model = revision["model"]["path"]
    if not manifest.holds(Path(model), None):
        raise AgentError("model", f"the weights at {model} are not complete: their job did not end well")
    whole: documents.Pod = {**revision, "arguments": ranks.arguments(revision, rank, meeting)}
    return Server(whole, sys.executable, key, scratch)


def key(revision: documents.Pod) -> str | None:
    path = revision.get("apiKeyFile")
    return secret_files.read(path, "API key") if path else None


def environment(revision: documents.Pod, build: str) -> dict[str, str]:
    whole = {**os.environ, **revision["environment"], "PYTHONPATH": build}
    files.make_directory(Path(whole["HOME"]))
    return whole
