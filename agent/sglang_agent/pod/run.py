"""The server's container: start it, gate it on localhost, and only then say that it is ready."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from sglang_agent import documents, kept
from sglang_agent.answer import canonical
from sglang_agent.documents import Verdict
from sglang_agent.gate.client import Client
from sglang_agent.gate.run import Stopped
from sglang_agent.launcher import BROKEN_GRACE_SECONDS, GATE_SAID_NO, Supervisor
from sglang_agent.pod import follow, memory, ranks, revisions, start, termination
from sglang_agent.pod.board import Board

# SGLang's own /health waits up to 20 s for its scheduler when that is busy.
READY_SECONDS = 25.0
# Until every node of the cluster has heard that requests are to go elsewhere: a server that stops refuses them at once.
LEAVE_SECONDS = 5.0


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
        self.rank = ranks.rank() if self.desired.get("nodes") else 0
        self.board = Board(self.desired["name"], self.desired["generation"], self.rank)
        self._show(kept.find("verdict", self.verdict_file))
        self.board.open(int(given.port))

    def _show(self, found: Verdict | None) -> None:
        """Put a verdict on the board; a "no" with the generation that will serve in place of the refused one."""
        if found and found["verdict"] == "no":
            good = revisions.last_good(self.good_file)
            found["back"] = good["generation"] if good and not revisions.no_way_back(self.desired, good) else None
        self.board.verdict = found

    def serve(self) -> int:
        with tempfile.TemporaryDirectory(prefix="server-", dir=self.scratch) as folder:
            if self.rank:
                return follow.Follower(self.desired, self.good_file, self.board, self.build, Path(folder)).follow()
            good = revisions.last_good(self.good_file)
            return self._run(revisions.choose(self.desired, self.board.verdict, good), Path(folder))

    def _run(self, revision: documents.Pod, scratch: Path) -> int:
        ranks.await_name(revision)
        meeting = ranks.meeting(revision)
        key = start.key(revision)
        server = start.server(revision, 0, meeting, key, scratch)
        supervisor = Supervisor(server)
        supervisor.listen()
        self.board.begin(revision["generation"], meeting)
        killed = memory.kills()
        try:
            found = supervisor.prove(start.environment(revision, self.build))
            print(f"gate: {canonical(found)}", flush=True)
            self._keep(found, revision)
            if found["verdict"] == "no":
                termination.tell(termination.refusal(found, memory.want(killed)))
                server.stop(BROKEN_GRACE_SECONDS)
                return GATE_SAID_NO
            endpoint = revision["endpoint"]
            client = Client(endpoint["host"], endpoint["port"], key)
            self.board.ready = lambda: client.get(revision["readyPath"], READY_SECONDS).status == 200
            status = supervisor.stay()
            if status is None:
                self.board.ready = lambda: False
                time.sleep(LEAVE_SECONDS)
        except Stopped:
            status = None
        self.board.ready = lambda: False
        server.stop(revision["stopGraceSeconds"] if status is None else 0)
        if status is None:
            return 0
        termination.tell(termination.end(server, status, memory.want(killed)))
        return 1

    def _keep(self, found: Verdict, revision: documents.Pod) -> None:
        """Remember the verdict on the desired revision for this pod, and a good revision for those after it."""
        if revision["generation"] != self.desired["generation"]:
            return
        kept.write(self.verdict_file, found)
        self._show(found)
        if found["verdict"] == "yes":
            try:
                kept.write(self.good_file, self.desired)
            except OSError as error:
                told = f"cannot write {self.good_file} ({error.strerror})"
                print(f"{told}: nothing will serve in place of a bad revision", flush=True)
