"""What a verb says: one line of JSON on stdout, and for a failure the message on stderr too."""

from __future__ import annotations

import json
import os
import select
import sys
import traceback
from collections.abc import Mapping
from typing import Any, TextIO

from sglang_agent.documents import ErrorAnswer, Failure

# The command provider keeps stdout in its state and hangs on lines above 64 KiB (pulumi-command, measured).
LIMIT_BYTES = 8 * 1024
# A table of eight GPUs with its NICs does not fit into the general limit.
FACTS_LIMIT_BYTES = 32 * 1024
EVIDENCE_LIMIT_BYTES = 4 * 1024


class AgentError(Exception):
    """A failure that the user can read: a stable code, a message, and where it helps a log file and evidence."""

    def __init__(self, code: str, message: str, log: str | None = None, evidence: dict[str, Any] | None = None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.log = log
        self.evidence = evidence


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces, on one line."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def size(value: Any) -> int:
    """Bytes of the canonical JSON of a value."""
    return len(canonical(value).encode("utf-8", "replace"))


def shorten(value: Any, limit: int) -> Any:
    """The same value with its long texts and lists cut until its JSON fits into `limit` bytes."""
    for longest in (2000, 600, 200, 80, 24):
        if size(value) <= limit:
            return value
        value = _cut(value, longest)
    return value if size(value) <= limit else "…"


def _cut(value: Any, longest: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= longest else value[: longest // 2] + " … " + value[-longest // 2 :]
    if isinstance(value, list):
        kept = [_cut(item, longest) for item in value[: max(4, longest // 20)]]
        return kept if len(kept) == len(value) else kept + [f"… {len(value) - len(kept)} more"]
    if isinstance(value, dict):
        return {key: _cut(item, longest) for key, item in value.items()}
    return value


def failure(error: AgentError) -> ErrorAnswer:
    """The document that tells of a failure, within the limit."""
    body: Failure = {"code": error.code, "message": error.message}
    if error.log:
        body["log"] = error.log
    if error.evidence:
        body["evidence"] = shorten(error.evidence, EVIDENCE_LIMIT_BYTES)
    short: ErrorAnswer = shorten({"error": body}, LIMIT_BYTES - 1)
    return short


def internal(verb: str, error: Exception) -> AgentError:
    """A fault of the agent's own, told by its place and kind; never with the text of what was on stdin."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    reason = f"{type(error).__name__} in {os.path.basename(where.filename)}:{where.lineno}"
    if isinstance(error, OSError):
        reason += f": {error.strerror}: {error.filename}"
    return AgentError("internal", f"{verb}: {reason}")


def heard() -> bool:
    """Whether somebody still reads standard output: a verb outlives the session that it was called in."""
    try:
        watch = select.poll()
        watch.register(sys.stdout.fileno(), 0)
        return not watch.poll(0)
    except (OSError, ValueError, AttributeError):
        return True


def emit(document: Mapping[str, object], limit: int = LIMIT_BYTES, stream: TextIO | None = None) -> None:
    """Write one line. Non-ASCII text goes out as UTF-8 whatever the locale of the session is."""
    out = sys.stdout if stream is None else stream
    line = canonical(shorten(document, limit - 1)) + "\n"
    if hasattr(out, "buffer"):
        out.flush()
        out.buffer.write(line.encode("utf-8", "replace"))
    else:
        out.write(line)
    out.flush()
