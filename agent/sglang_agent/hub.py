"""The hub's own client, in an environment of its own or of a build."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from sglang_agent import archive, build, files, locks, pythons, secret_files, venvs
from sglang_agent.answer import AgentError
from sglang_agent.documents import Fetch, HubClient, LockedFile
from sglang_agent.layout import Layout
from sglang_agent.tools import Log, run

WORKERS = 8
# Of glob patterns, which is what the client takes for file names, these are the special characters.
GLOB = str.maketrans({"[": "[[]", "*": "[*]", "?": "[?]"})


class Client:
    """A way to ask the hub for one revision of one repository."""

    def __init__(self, desired: Fetch, log: Log):
        layout = Layout(desired["root"])
        self.desired = desired
        self.log = log
        self.python = _python(layout, desired["client"], log)
        self.environment = _environment(desired)

    def listing(self, scratch: Path) -> list[LockedFile]:
        out = scratch / "listing.json"
        self._run("list", f"listing {self._what()}", scratch, out, {})
        listed: list[LockedFile] = json.loads(out.read_text("utf-8"))["files"]
        return listed

    def download(self, folder: Path, paths: list[str], scratch: Path) -> None:
        extra = {"folder": str(folder), "paths": [path.translate(GLOB) for path in paths], "workers": WORKERS}
        self._run("download", f"downloading {self._what()}", scratch, scratch / "download.json", extra)

    def _what(self) -> str:
        return f"{self.desired['repository']} at {self.desired['revision'][:12]} from {self.environment['HF_ENDPOINT']}"

    def _run(self, do: str, what: str, scratch: Path, out: Path, extra: dict[str, Any]) -> None:
        task = {"do": do, "repository": self.desired["repository"], "revision": self.desired["revision"], **extra}
        program = scratch / "hub_client.py"
        files.write(program, archive.resource("hub_client.py"))
        environment = {**self.environment, "HF_HOME": str(scratch / "home"), "TMPDIR": str(scratch)}
        run(
            [self.python, "-I", str(program)],
            self.log,
            what,
            "fetch",
            environment,
            stdin=json.dumps(task).encode(),
            stdout=out,
        )


def _environment(desired: Fetch) -> dict[str, str]:
    environment = {
        "HF_ENDPOINT": desired.get("endpoint") or "https://huggingface.co",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        # One slow moment of the hub must not end a download of hundreds of gigabytes.
        "HF_HUB_DOWNLOAD_TIMEOUT": "60",
        "HF_HUB_ETAG_TIMEOUT": "60",
    }
    if desired.get("tokenFile"):
        secret_files.read(desired["tokenFile"], "hub token")
        environment["HF_TOKEN_PATH"] = desired["tokenFile"]
    else:
        # The token of whoever runs the agent is not the stack's.
        environment["HF_HUB_DISABLE_IMPLICIT_TOKEN"] = "1"
    return environment


def _python(layout: Layout, client: HubClient, log: Log) -> str:
    if client.get("build"):
        build.receipt_of(layout, client["build"])
        return build.python_of(layout, client["build"])
    if client.get("python") and not client.get("version"):
        return client["python"]
    if not client.get("version"):
        raise AgentError("desired-state", "fetch: client: expected `build`, `version` or `python`")
    return _own(layout, client, log)


def _own(layout: Layout, client: HubClient, log: Log) -> str:
    """`<root>/hub-client/<version>`: made once, complete or not there."""
    final = layout.hub_clients / client["version"]
    with locks.held(layout, f"hub-client-{client['version']}"):
        if (final / "complete").exists():
            return str(final / "bin/python")
        files.remove(final)
        files.make_directory(layout.hub_clients)
        interpreter = pythons.find(client.get("python") or sys.executable)
        environment = {"PIP_CACHE_DIR": str(layout.cache / "pip")}
        try:
            python = venvs.create(final, interpreter, log, environment)
            if client.get("lock"):
                venvs.install_locked(python, client["lock"], final, log, environment)
            else:
                wanted = f"huggingface_hub=={client['version']}"
                venvs.install(python, [wanted], log, environment, f"installing {wanted}")
            venvs.imports(python, "huggingface_hub", log)
            files.write(final / "complete", "")
        except BaseException:
            files.remove(final)
            raise
        return python
