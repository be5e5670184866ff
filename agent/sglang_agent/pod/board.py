"""What a server's pod answers to probes, to its other nodes and to whoever waits for the verdict."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable

from sglang_agent.answer import canonical
from sglang_agent.documents import BoardAnswer, Verdict


class Board:
    """GET /ready and /state, on every interface of the pod."""

    def __init__(self, name: str, desired: str, rank: int) -> None:
        self.name = name
        self.desired = desired  # generation that this pod was made for
        self.rank = rank
        self.ready: Callable[[], bool] = lambda: False
        self.serving: str | None = None  # generation of the revision that was started
        self.start: str | None = None  # another one for each start of a server here
        self.meeting: int | None = None  # port on which the ranks of this start meet
        self.verdict: Verdict | None = None  # on the desired revision, whichever serves

    def begin(self, generation: str, meeting: int | None) -> None:
        """A server is started here."""
        self.start = uuid.uuid4().hex[:12]
        self.meeting = meeting
        self.serving = generation

    def end(self) -> None:
        """The server that was started here is no more."""
        self.serving = self.start = self.meeting = None

    def state(self) -> BoardAnswer:
        return {
            "desired": self.desired,
            "meeting": self.meeting,
            "name": self.name,
            "rank": self.rank,
            "serving": self.serving,
            "start": self.start,
            "verdict": self.verdict,
        }

    def answer(self, path: str) -> tuple[int, Mapping[str, Any]]:
        if path == "/ready":
            ready = self.ready()
            return (200 if ready else 503), {"ready": ready}
        if path == "/state":
            return 200, self.state()
        return 404, {"error": "nothing here"}

    def open(self, port: int) -> ThreadingHTTPServer:
        board = self

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, document = board.answer(self.path)
                body = canonical(document).encode() + b"\n"
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Probes come every few seconds; the server's own log is the one worth reading."""

        opened = ThreadingHTTPServer(("", port), Answers)
        opened.daemon_threads = True
        threading.Thread(target=opened.serve_forever, daemon=True).start()
        return opened
