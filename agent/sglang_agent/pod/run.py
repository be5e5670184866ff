"""The server's container: start it, gate it on localhost, and only then say that it is ready."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from sglang_agent import documents, files, kept, manifest, secret_files
from sglang_agent.answer import AgentError, canonical
from sglang_agent.arguments import Arguments
from sglang_agent.documents import Verdict
from sglang_agent.gate.client import Client
from sglang_agent.gate.run import Stopped
from sglang_agent.launcher import BROKEN_GRACE_SECONDS, GATE_SAID_NO, Supervisor
from sglang_agent.pod import ask, revisions, termination
from sglang_agent.pod.board import Board
from sglang_agent.server import Server

# SGLang's own /health waits up to 20 s for its scheduler when that is busy.
READY_SECONDS = 25.0


def main(words: list[str]) -> int:
    """`run --desired FILE --build FOLDER --state FOLDER --run FOLDER --port PORT`."""
    usage = argparse.ArgumentParser(prog="serve run", allow_abbrev=False)
    for name in ("desired", "build", "state", "run", "port"):
        usage.add_argument(f"--{name}", required=True)
    return Pod(usage.parse_args(words)).serve()


class Pod:
    """One container's life: which revision, its server, and what the board says of them."""

    def __init__(self, given: argparse.Namespace):
        self.desired: documents.Pod = revisions.read("pod", given.desired)
        self.build = given.build
        self.verdict_file = Path(given.run, revisions.VERDICT)
        self.good_file = Path(given.state, self.desired["name"], revisions.LAST_GOOD)
        self.scratch = Path(given.run)
        self.rank = revisions.rank() if self.desired.get("nodes") else 0
        self.board = Board()
        self._show(kept.find("verdict", self.verdict_file))
        self.board.open(int(given.port))
        if self.rank:
            self.board.ready = lambda: True  # rank 0 answers for all: a rollout must not wait for the others

    def _show(self, found: Verdict | None) -> None:
        """Put a verdict on the board; a "no" with the generation that will serve in place of the refused one."""
        if found and found["verdict"] == "no":
            good = revisions.last_good(self.good_file)
            found["back"] = good["generation"] if good and not revisions.no_way_back(self.desired, good) else None
        self.board.verdict = found

    def serve(self) -> int:
        good = revisions.last_good(self.good_file)
        if self.rank:
            revision = self._as_the_head(good)
        else:
            revision = revisions.choose(self.desired, self.board.verdict, good)
        with tempfile.TemporaryDirectory(prefix="server-", dir=self.scratch) as folder:
            return self._run(revision, Path(folder))

    def _as_the_head(self, good: documents.Pod | None) -> documents.Pod:
        """The revision that rank 0 has started; waits for it."""
        known = {document["generation"]: document for document in (good, self.desired) if document}
        nodes = self.desired["nodes"]
        url = f"http://{nodes['head']}:{nodes['boardPort']}/serving"
        while True:
            told = ask.board(url)
            if told and told["generation"] in known:
                return known[told["generation"]]
            time.sleep(1)

    def _run(self, revision: documents.Pod, scratch: Path) -> int:
        _check_weights(revision)
        revision = {**revision, "arguments": self._arguments(revision)}
        key_file = revision.get("apiKeyFile")
        key = secret_files.read(key_file, "API key") if key_file else None
        server = Server(revision, sys.executable, key, scratch)
        supervisor = Supervisor(server)
        supervisor.listen()
        self.board.serving = revision["generation"]
        try:
            found = supervisor.prove(self._environment(revision))
            print(f"gate: {canonical(found)}", flush=True)
            self._keep(found, revision)
            if found["verdict"] == "no":
                termination.tell(termination.refusal(found, server.status))
                server.stop(BROKEN_GRACE_SECONDS)
                return GATE_SAID_NO
            endpoint = revision["endpoint"]
            client = Client(endpoint["host"], endpoint["port"], key)
            path = revision["readyPath"] if not self.rank else "/health"
            self.board.ready = lambda: client.get(path, READY_SECONDS).status == 200
            status = supervisor.stay()
        except Stopped:
            status = None
        self.board.ready = lambda: False
        server.stop(revision["stopGraceSeconds"] if status is None else 0)
        if status is None:
            return 0
        lines = "\n".join(server.last_lines()[-12:])
        termination.tell(f"the server ended by itself with status {status}; its last lines:\n{lines}")
        return 1

    def _keep(self, found: Verdict, revision: documents.Pod) -> None:
        """Remember the verdict on the desired revision for this pod, and a good revision for those after it."""
        if self.rank or revision["generation"] != self.desired["generation"]:
            return
        kept.write(self.verdict_file, found)
        self._show(found)
        if found["verdict"] == "yes":
            try:
                kept.write(self.good_file, self.desired)
            except OSError as error:
                told = f"cannot write {self.good_file} ({error.strerror})"
                print(f"{told}: nothing will serve in place of a bad revision", flush=True)

    def _arguments(self, revision: documents.Pod) -> Arguments:
        nodes = revision.get("nodes")
        if not nodes:
            return revision["arguments"]
        meeting = f"{nodes['head']}:{nodes['port']}"
        return {**revision["arguments"], "dist-init-addr": meeting, "nnodes": nodes["count"], "node-rank": self.rank}

    def _environment(self, revision: documents.Pod) -> dict[str, str]:
        environment = {**os.environ, **revision["environment"], "PYTHONPATH": self.build}
        files.make_directory(Path(environment["HOME"]))
        return environment


def _check_weights(revision: documents.Pod) -> None:
    model = revision["model"]["path"]
    if not manifest.holds(Path(model), None):
        raise AgentError("model", f"the weights at {model} are not complete: their job did not end well")
