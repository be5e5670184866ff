"""One HTTP request to the server, and every way in which it can end, as a value."""

from __future__ import annotations

import http.client
import json
import socket
import time
from dataclasses import dataclass
from typing import Any


@dataclass
class Reply:
    """`status` is None when no answer came; `error` then says how: refused, disconnected or timeout."""

    status: int | None
    body: str
    seconds: float
    error: str | None = None
    first: float | None = None  # seconds until the first bytes of the body

    @property
    def json(self) -> Any:
        """The body as JSON (which may hold NaN), or None."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


class Client:
    """Requests to one server on this machine, with its key where it has one."""

    def __init__(self, host: str, port: int, key: str | None = None):
        self.host = local(host)
        self.port = port
        self._headers = {"Content-Type": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def listens(self) -> bool:
        """Whether anything accepts connections on the port."""
        try:
            socket.create_connection((self.host, self.port), timeout=2.0).close()
            return True
        except OSError:
            return False

    def get(self, path: str, timeout: float) -> Reply:
        return self._ask("GET", path, None, timeout)

    def post(self, path: str, body: dict[str, Any], timeout: float) -> Reply:
        return self._ask("POST", path, json.dumps(body).encode(), timeout)

    def _ask(self, method: str, path: str, body: bytes | None, timeout: float) -> Reply:
        started = time.monotonic()
        link = http.client.HTTPConnection(self.host, self.port, timeout=max(0.1, timeout))
        try:
            link.request(method, path, body, self._headers)
            answer = link.getresponse()
            begun = answer.read(1)
            first = time.monotonic() - started
            text = (begun + answer.read()).decode("utf-8", "replace")
            return Reply(answer.status, text, time.monotonic() - started, first=first)
        except ConnectionRefusedError:
            error = "refused"
        except (socket.timeout, TimeoutError):
            error = "timeout"
        except (OSError, http.client.HTTPException) as lost:
            error = f"disconnected ({type(lost).__name__})"
        finally:
            link.close()
        return Reply(None, "", time.monotonic() - started, error)


def local(host: str) -> str:
    """The address to ask on this machine a server that is bound to `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "[::]": "::1"}.get(host, host.strip("[]"))
