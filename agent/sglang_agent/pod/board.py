"""What a server's pod answers to probes, to its other nodes and to whoever waits for the verdict."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable

from sglang_agent.answer import canonical
from sglang_agent.documents import Verdict


class Board:
    """GET /ready, /verdict and /serving, on every interface of the pod."""

    def __init__(self) -> None:
        self.ready: Callable[[], bool] = lambda: False
        self.serving: str | None = None  # generation of the revision that was started
        self.verdict: Verdict | None = None  # on the desired revision, whichever serves

    def answer(self, path: str) -> tuple[int, Mapping[str, Any]]:
        if path == "/ready":
            ready = self.ready()
            return (200 if ready else 503), {"ready": ready}
        if path == "/verdict" and self.verdict:
            return 200, self.verdict
        if path == "/serving" and self.serving:
            return 200, {"generation": self.serving}
        return 404, {"error": "nothing here yet"}

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
