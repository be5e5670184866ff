"""The rollout's job: wait until the gate has said yes or no to a generation, and end accordingly."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

from sglang_agent.answer import canonical
from sglang_agent.documents import Verdict
from sglang_agent.launcher import GATE_SAID_NO
from sglang_agent.pod import ask, termination, watch


def main(words: list[str]) -> int:
    """`verdict --selector LABELS --rollout DIGEST --generation DIGEST --port PORT --seconds N`."""
    usage = argparse.ArgumentParser(prog="serve verdict", allow_abbrev=False)
    for name in ("selector", "rollout", "generation", "port"):
        usage.add_argument(f"--{name}", required=True)
    usage.add_argument("--seconds", required=True, type=float)
    return Rollout(usage.parse_args(words)).end()


class Rollout:
    """The pods of one rollout, asked again and again until they are done or time is up."""

    def __init__(self, given: argparse.Namespace):
        self.given = given
        self.deadline = time.monotonic() + given.seconds

    def end(self) -> int:
        generation = self.given.generation
        last = "no pod has been made for it"
        for pod in self._looks():
            found: Verdict | None = ask.board(f"{_board(pod, self.given.port)}/verdict")
            if found and found["generation"] == generation:
                print(canonical(found), flush=True)
                return self._yes(generation) if found["verdict"] == "yes" else self._no(found)
            why = watch.reason(pod)
            last = f"{pod['metadata']['name']}: {why or 'it has not come as far as its gate'}"
            if why and watch.hopeless(pod):
                termination.tell(last)
                return 1
        termination.tell(f"no verdict on {generation} after {self.given.seconds:.0f} s: {last}")
        return 1

    def _yes(self, generation: str) -> int:
        if self._serves(generation):
            return 0
        termination.tell(f"the gate said yes to {generation}, and its pod did not become ready")
        return 1

    def _no(self, found: Verdict) -> int:
        """Wait for the revision that serves in its place, so that the error can say so."""
        back = found.get("back")
        if not back:
            told = "nothing serves in its place"
        else:
            told = f"{back} serves in its place" if self._serves(back) else f"{back} did not come back in time"
        termination.tell(f"{told}; {termination.refusal(found)}")
        return GATE_SAID_NO

    def _serves(self, generation: str) -> bool:
        """Whether, in time, a pod is ready that serves this generation."""
        for pod in self._looks():
            if watch.ready(pod):
                serving = ask.board(f"{_board(pod, self.given.port)}/serving")
                if serving and serving["generation"] == generation:
                    return True
        return False

    def _looks(self) -> Iterator[dict[str, Any]]:
        """Each pod, as it is every second until time is up."""
        while time.monotonic() < self.deadline:
            yield from watch.pods(self.given.selector, self.given.rollout) or []
            time.sleep(1)


def _board(pod: dict[str, Any], port: str) -> str:
    """Address of a pod's board; of one that has no address yet, one where nobody answers."""
    address = pod["status"].get("podIP") or "127.0.0.1"
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
