"""Running other programs: output to a log file, a clear error, no secret in their arguments."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout

# A non-interactive SSH session has no login profile and may have no PATH, HOME or LANG worth using.
SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
LOGS_KEPT = 20


def base_environment() -> dict[str, str]:
    """The environment that every program gets: nothing of the session but PATH, and no progress bars."""
    path = os.environ.get("PATH", "")
    return {
        "GIT_TERMINAL_PROMPT": "0",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HOME": os.environ.get("HOME") or "/root",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PATH": f"{path}:{SEARCH_PATH}" if path else SEARCH_PATH,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PIP_PROGRESS_BAR": "off",
        "PIP_ROOT_USER_ACTION": "ignore",
        "PYTHONUNBUFFERED": "1",
        "TQDM_DISABLE": "1",
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
    }


# How this host reaches the network, and whose certificates it trusts, is the host's business.
PASSED_ON = (
    "ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "all_proxy", "https_proxy", "http_proxy", "no_proxy",
    "PIP_CERT", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "REQUESTS_CA_BUNDLE",
    "SGLANG_AGENT_SYSTEM_ROOT", "SSL_CERT_DIR", "SSL_CERT_FILE",
)  # fmt: skip


def which(program: str) -> str | None:
    return shutil.which(program, path=base_environment()["PATH"])


def output_of(argv: Sequence[str], timeout: float = 60.0) -> str | None:
    """What a program prints; None where it is missing, fails, or takes too long."""
    if which(argv[0]) is None:
        return None
    try:
        done = subprocess.run(
            list(argv),
            capture_output=True,
            env=base_environment(),
            stdin=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


class Log:
    """The log file of one run of a verb: `<root>/log/<verb>-<name>-<n>.log`, root only."""

    def __init__(self, layout: Layout, verb: str, name: str):
        files.make_directory(layout.log, 0o700)
        mine = sorted(layout.log.glob(f"{verb}-{name}-*.log"), key=_number)
        for old in mine[: -LOGS_KEPT + 1]:
            files.remove(old)
        number = _number(mine[-1]) + 1 if mine else 1
        self.path = layout.log / f"{verb}-{name}-{number}.log"
        self.path.touch(0o600)

    def say(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(text + "\n")

    def tail(self, lines: int = 15) -> list[str]:
        """The last lines; what a progress bar wrote over with a carriage return is left out."""
        with self.path.open("rb") as stream:
            stream.seek(max(0, self.path.stat().st_size - 64 * 1024))
            text = stream.read().decode("utf-8", "replace")
        kept = [line.rstrip().rsplit("\r", 1)[-1] for line in text.split("\n") if line.strip()]
        return [line[:400] for line in kept[-lines:]]


def _number(path: Path) -> int:
    last = path.stem.rsplit("-", 1)[-1]
    return int(last) if last.isdigit() else 0


def run(
    argv: Sequence[str],
    log: Log,
    what: str,
    code: str,
    environment: dict[str, str] | None = None,
    folder: Path | None = None,
    stdin: bytes | None = None,
    stdout: Path | None = None,
) -> None:
    """Run a program to its end, its output in the log (or its stdout in a file of its own).

    Raises AgentError(code), which says that `what` failed and why.
    """
    log.say("$ " + " ".join(argv))
    with log.path.open("ab") as stream, stdout.open("wb") if stdout else contextlib.nullcontext(stream) as answers:
        source = subprocess.DEVNULL if stdin is None else subprocess.PIPE
        try:
            child = subprocess.Popen(
                list(argv),
                cwd=folder,
                env={**base_environment(), **(environment or {})},
                stderr=stream,
                stdin=source,
                stdout=answers,
            )
        except OSError as error:
            raise AgentError(code, f"{what}: cannot run {argv[0]}: {error.strerror}", str(log.path)) from None
        child.communicate(stdin)
    if child.returncode != 0:
        code, cause = _cause(child.returncode, log, code)
        raise AgentError(code, f"{what}: {cause}", str(log.path), {"log": log.tail()})


def _cause(status: int, log: Log, code: str) -> tuple[str, str]:
    tail = log.tail(60)
    text = "\n".join(tail)
    if "No space left on device" in text or "Errno 28" in text:
        return "no-space", "the disk is full (No space left on device); free some space and run again"
    if status == -9 or "\nKilled" in text or "Killed signal terminated program" in text:
        return "out-of-memory", (
            "it was killed, most likely by the kernel for want of memory: lower MAX_JOBS or free memory, and run again"
        )
    last = next(
        (line for line in reversed(tail) if "rror" in line or "fatal" in line), tail[-1] if tail else "no output"
    )
    return code, f"exit status {status}: {last}"
