"""The entry point of a pod: start the server, gate it on localhost, and only then say that it is ready.

`serve --desired FILE [--previous FILE] [--port PORT] [--termination FILE]`. The files hold desired states as `activate`
has them, plus `python`, the interpreter that has SGLang; `apiKeyFile` names a mounted secret.
GET /ready on PORT is 200 once the gate said yes, of whichever revision serves; GET /verdict is the verdict on the
desired one (404 until there is one), so that a rollout can wait for it. On "no" the verdict goes to the termination
message and the previous revision's arguments are started in the same image.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import List, Optional

from sglang_agent import files, secret_files
from sglang_agent.answer import AgentError, canonical
from sglang_agent.gate.run import Stopped
from sglang_agent.launcher import BROKEN_GRACE_SECONDS, GATE_SAID_NO, Supervisor
from sglang_agent.server import Server

PORT = 30080
TERMINATION = "/dev/termination-log"


class Board:
    """What the pod answers to probes and to whoever waits for the verdict."""

    def __init__(self) -> None:
        self.ready = False
        self.verdict: Optional[dict] = None

    def open(self, port: int) -> ThreadingHTTPServer:
        board = self

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/ready":
                    self._say(200 if board.ready else 503, {"ready": board.ready})
                elif self.path == "/verdict" and board.verdict:
                    self._say(200, board.verdict)
                else:
                    self._say(404, {"error": "nothing here yet"})

            def _say(self, status: int, document: dict) -> None:
                body = canonical(document).encode() + b"\n"
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Probes come every few seconds; the server's own log is the one worth reading."""

        opened = ThreadingHTTPServer(("", port), Answers)
        threading.Thread(target=opened.serve_forever, daemon=True).start()
        return opened


def serve(words: List[str]) -> int:
    """Exit status as a unit's launcher has it: 0 stopped as asked, 78 nothing passed its gate, 1 the server ended."""
    usage = argparse.ArgumentParser(prog="serve", allow_abbrev=False)
    usage.add_argument("--desired", required=True)
    usage.add_argument("--previous")
    usage.add_argument("--port", type=int, default=PORT)
    usage.add_argument("--termination", default=TERMINATION)
    given = usage.parse_args(words)
    board = Board()
    opened = board.open(given.port)
    try:
        with tempfile.TemporaryDirectory(prefix="sglang-") as folder:
            return _serve(given, board, Path(folder))
    except AgentError as error:
        print(error.message, flush=True)
        return 1
    finally:
        opened.shutdown()
        opened.server_close()


def _serve(given: argparse.Namespace, board: Board, scratch: Path) -> int:
    revisions = [path for path in (given.desired, given.previous) if path and Path(path).is_file()]
    for path in revisions:
        desired = files.read_json(Path(path))
        if desired is None:
            raise AgentError("desired-state", f"{path} is not a JSON document")
        if board.verdict and desired["generation"] == board.verdict["generation"]:
            continue
        status = _run(desired, board, scratch, given.termination)
        if status != GATE_SAID_NO:
            return status
    return GATE_SAID_NO


def _run(desired: dict, board: Board, scratch: Path, termination: str) -> int:
    key = secret_files.read(desired["apiKeyFile"], "API key") if desired.get("apiKeyFile") else None
    server = Server(desired, desired["python"], key, scratch)
    supervisor = Supervisor(server)
    supervisor.listen()
    try:
        found = supervisor.prove({**os.environ, **(desired.get("environment") or {})})
        print(f"gate: {canonical(found)}", flush=True)
        if board.verdict is None:
            board.verdict = found
            _tell(found, termination)
        if found["verdict"] == "no":
            server.stop(BROKEN_GRACE_SECONDS)
            return GATE_SAID_NO
        board.ready = True
        status = supervisor.stay()
    except Stopped:
        status = None
    board.ready = False
    server.stop(desired["stopGraceSeconds"] if status is None else 0)
    return 0 if status is None else 1


def _tell(found: dict, termination: str) -> None:
    if found["verdict"] == "no":
        try:
            # The kubelet keeps 4 KiB; a file of the container's, written in place.
            Path(termination).write_text(json.dumps(found, sort_keys=True)[:4096], "utf-8")
        except OSError as error:
            print(f"cannot write {termination}: {error.strerror}", flush=True)
