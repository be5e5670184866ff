"""The main process of a unit: starts the server, gates it, tells systemd, and stays beside it.

The unit counts as up only after the gate, after `up` and after a reboot alike. Exit status 0: stopped as asked;
78: the gate said no, which systemd does not answer with a restart; 1: the server ended by itself, which it does.
"""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from sglang_agent import build, files, kept, notify, proved, secret_files
from sglang_agent.documents import Service, Verdict
from sglang_agent.gate.client import Client
from sglang_agent.gate.no import No
from sglang_agent.gate.run import Gate, Stopped, verdict
from sglang_agent.layout import Layout
from sglang_agent.server import Server

GATE_SAID_NO = 78
VERDICT = "verdict.json"
# A server that gave a wrong answer has nothing left worth draining for.
BROKEN_GRACE_SECONDS = 5.0


class Supervisor:
    """A server with its gate, and the signals that end both."""

    def __init__(self, server: Server):
        self.server = server
        self.stop_asked = threading.Event()

    def listen(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.stop_asked.set())

    def alive(self) -> bool:
        if self.stop_asked.is_set():
            raise Stopped()
        return self.server.status is None

    def prove(self, environment: dict[str, str]) -> Verdict:
        """Start, wait, ask: the verdict. Raises Stopped. A node of rank 1 or more is not asked: its head answers."""
        desired = self.server.desired
        endpoint = desired["endpoint"]
        client = Client(endpoint["host"], endpoint["port"], self.server.key)
        gate = Gate(desired["gate"], client, self.alive, notify.status)
        about = proved.of(desired)  # before the start: nvidia-smi may hang beside a server that hangs
        wrong: No | None = None
        up_after: float | None = None
        try:
            gate.refuse_stranger()
            notify.status("loading")
            self.server.start(environment)
            up_after = gate.wait(desired["startupBudgetSeconds"])
            if not desired["arguments"].get("node-rank"):
                gate.ask()
        except No as no:
            wrong = no
            if no.check == "death":
                self.server.wait(6.0)  # a dying SGLang takes 5 s to end its tree, and says why meanwhile
        found = verdict(desired["generation"], gate, wrong, self.server.last_lines(), up_after)
        found["proved"] = about
        return found

    def stay(self) -> int | None:
        """Until the server ends by itself (its status) or a stop is asked for (None)."""
        while not self.stop_asked.wait(0.2):
            if self.server.status is not None:
                return self.server.status
        return None


def launch(arguments: list[str]) -> int:
    """`launch GENERATION`: the unit's ExecStart."""
    folder = Path(arguments[0]).resolve()
    desired: Service = kept.read("service", folder / "desired.json")
    runtime = Path(os.environ["RUNTIME_DIRECTORY"])
    files.remove(runtime / VERDICT)
    python = build.python_of(Layout(desired["root"]), desired["build"])
    server = Server(desired, python, _key(), runtime)
    supervisor = Supervisor(server)
    supervisor.listen()
    grace = desired["stopGraceSeconds"]
    try:
        found = supervisor.prove(dict(os.environ))
        kept.write(runtime / VERDICT, found)
        if found["verdict"] == "no":
            notify.status(f"gate: no: {found['check']}: {found['reason']}"[:300])
            server.stop(BROKEN_GRACE_SECONDS)
            return 1 if found["check"] == "start" else GATE_SAID_NO
        notify.ready(f"serving; gate: {found['passed']} checks passed")
        status = supervisor.stay()
    except Stopped:
        status = None
    if status is None:
        notify.stopping("draining")
        server.stop(grace)
        return 0
    server.stop(0)
    print(f"the server ended by itself with status {status}", flush=True)
    return 1


def _key() -> str | None:
    """The API key, which systemd put where only this service can read it."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    path = Path(folder, "api-key") if folder else None
    return secret_files.read(str(path), "API key") if path and path.exists() else None
