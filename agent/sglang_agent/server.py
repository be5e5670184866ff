"""The server's process: started with its key out of sight, its output redacted, stopped within bounds."""

from __future__ import annotations

import collections
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from sglang_agent import files
from sglang_agent.arguments import MODULE, as_list
from sglang_agent.documents import Pod, Service
from sglang_agent.redact import Redactor

LOG_LINES = 25
LINE_LIMIT = 400
# After the drain SGLang kills its own process tree; this long is given to what is left of it.
KILL_SECONDS = 10.0


class Server:
    """One SGLang server as a child process."""

    def __init__(self, desired: Service | Pod, python: str, key: str | None, scratch: Path):
        self.desired = desired
        self.key = key
        self._python = python
        self._scratch = scratch
        self._redactor = Redactor([key] if key else [])
        self._lines: collections.deque[str] = collections.deque(maxlen=LOG_LINES)
        self._child: subprocess.Popen[bytes] | None = None
        self._pump: threading.Thread | None = None

    def start(self, environment: dict[str, str], folder: Path | None = None) -> None:
        """Start it. The key goes in by a 0600 file that SGLang's `--config` reads (0.5.8.post1 to 0.5.23, read in
        the wheels: the merged argument list never leaves the process)."""
        command = [self._python, "-m", MODULE]
        if self.key:
            config = self._scratch / "config.yaml"
            files.write(config, f"api-key: {json.dumps(self.key)}\n", 0o600)
            command += ["--config", str(config)]
        hidden = ("CREDENTIALS_DIRECTORY", "NOTIFY_SOCKET")
        kept = {name: value for name, value in environment.items() if name not in hidden}
        self._child = subprocess.Popen(
            [*command, *as_list(self.desired["arguments"])],
            cwd=folder,
            env=kept,
            start_new_session=True,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        self._pump = threading.Thread(target=self._pass_on, daemon=True)
        self._pump.start()

    def _pass_on(self) -> None:
        assert self._child is not None and self._child.stdout is not None
        source = self._child.stdout.fileno()
        rest = b""
        while True:
            block = os.read(source, 65536)
            clean = self._redactor.feed(block) if block else self._redactor.end()
            _write(clean)
            *whole, rest = (rest + clean).replace(b"\r", b"\n").split(b"\n")
            rest = rest[-65536:]
            self._lines.extend(line.decode("utf-8", "replace")[:LINE_LIMIT] for line in whole if line.strip())
            if not block:
                if rest.strip():
                    self._lines.append(rest.decode("utf-8", "replace")[:LINE_LIMIT])
                return

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._child.poll() if self._child else None

    def last_lines(self) -> list[str]:
        """The end of its output, for evidence. Waits a moment for what a dead server said last."""
        if self._pump and self.status is not None:
            self._pump.join(1.0)
        return list(self._lines)

    def stop(self, grace: float) -> None:
        """SIGTERM, which SGLang answers with a drain that has no limit of its own; after `grace` seconds SIGKILL."""
        child = self._child
        if child is None:
            return
        if child.poll() is None:
            child.send_signal(signal.SIGTERM)
            try:
                child.wait(grace)
            except subprocess.TimeoutExpired:
                pass
        self._kill_group()
        try:
            child.wait(KILL_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        if self._pump:
            self._pump.join(1.0)
        files.remove(self._scratch / "config.yaml")

    def _kill_group(self) -> None:
        assert self._child is not None
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def wait(self, seconds: float) -> int | None:
        """Up to so many seconds for its end."""
        deadline = time.monotonic() + seconds
        while self.status is None and time.monotonic() < deadline:
            time.sleep(0.05)
        return self.status


def _write(block: bytes) -> None:
    try:
        sys.stdout.buffer.write(block)
        sys.stdout.buffer.flush()
    except (BrokenPipeError, ValueError):
        pass
