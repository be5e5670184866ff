"""The rollout's job: wait until the gate has said yes or no to a generation, and end accordingly."""

from __future__ import annotations

import argparse
import time
from typing import List, Optional

from sglang_agent.answer import canonical
from sglang_agent.launcher import GATE_SAID_NO
from sglang_agent.pod import ask, termination, watch


def main(words: List[str]) -> int:
    """`verdict --selector LABELS --rollout DIGEST --generation DIGEST --port PORT --seconds N`."""
    usage = argparse.ArgumentParser(prog="serve verdict", allow_abbrev=False)
    for name in ("selector", "rollout", "generation", "port"):
        usage.add_argument(f"--{name}", required=True)
    usage.add_argument("--seconds", required=True, type=float)
    given = usage.parse_args(words)
    deadline = time.monotonic() + given.seconds
    last = "no pod has been made for it"
    while time.monotonic() < deadline:
        for pod in watch.pods(given.selector, given.rollout) or []:
            name = pod["metadata"]["name"]
            board = _board(pod, given.port)
            found = ask.board(f"{board}/verdict") if board else None
            if found and found["generation"] == given.generation:
                return _end(found, str(board), deadline)
            why = watch.reason(pod)
            last = f"{name}: {why}" if why else f"{name} has not come as far as its gate"
            if why and watch.hopeless(pod):
                termination.tell(last)
                return 1
        time.sleep(1)
    termination.tell(f"no verdict on {given.generation} after {given.seconds:.0f} s: {last}")
    return 1


def _board(pod: dict, port: str) -> Optional[str]:
    address = pod["status"].get("podIP")
    return f"http://[{address}]:{port}" if address and ":" in address else f"http://{address}:{port}" if address else None


def _end(found: dict, board: str, deadline: float) -> int:
    """A "yes" when readiness is open; a "no" when the revision before serves, where there is one."""
    print(canonical(found), flush=True)
    serving = found["generation"] if found["verdict"] == "yes" else found.get("back")
    ready = serving is not None and _wait_ready(board, serving, deadline)
    if found["verdict"] == "yes":
        return 0
    back = f"{serving} serves in its place" if ready else f"{serving} did not come back in time" if serving else "nothing serves in its place"
    termination.tell(f"{back}; {termination.refusal(found)}")
    return GATE_SAID_NO


def _wait_ready(board: str, generation: str, deadline: float) -> bool:
    while time.monotonic() < deadline:
        serving = ask.board(f"{board}/serving")
        if serving and serving["generation"] == generation and ask.board(f"{board}/ready"):
            return True
        time.sleep(1)
    return False
