"""`serve WHAT …`: the agent in a pod. Each of these is the main process of a container.

`run`: the server's container: start it, gate it on localhost, and only then say that it is ready.
`stage`: its init container, and a job before a change: a patched copy of the image's SGLang, and what its parser says.
`fetch`: the weights' job: one revision of a model onto the mounted volume.
`arrival`: the job beside it: say why it does not come to an end, as soon as that is plain.
`verdict`: the rollout's job: wait until exactly what was asked for runs and has passed its gate.
"""

from __future__ import annotations

import importlib
import signal
import sys

from sglang_agent.answer import AgentError
from sglang_agent.pod import termination

ASKED_TO_STOP = 143
WHAT = ("arrival", "fetch", "run", "stage", "verdict")


def serve(words: list[str]) -> int:
    """Exit status 0: done, or stopped as asked; 78: the gate said no; 1: all else, told in the termination message."""
    what, rest = (words[0], words[1:]) if words else ("", [])
    if what not in WHAT:
        print(f"serve: expected {', '.join(WHAT)}, got {what!r}", flush=True)
        return 2
    # The first process of a container is deaf to a signal that it does not handle.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ASKED_TO_STOP))
    try:
        status: int = importlib.import_module(f"sglang_agent.pod.{what}").main(rest)
        return status
    except AgentError as error:
        termination.tell(error.message)
        return 1
