"""The rollout's job: wait until exactly what was asked for runs and has passed its gate, or until that cannot come."""

from __future__ import annotations

import argparse
import os
from typing import Any

from sglang_agent.answer import canonical
from sglang_agent.documents import BoardAnswer, Verdict
from sglang_agent.launcher import GATE_SAID_NO
from sglang_agent.pod import ask, patience, termination, workload
from sglang_agent.pod.patience import Patience


def main(words: list[str]) -> int:
    """`verdict --object KIND/NAME --selector LABELS --rollout DIGEST --generation DIGEST --pods N --port PORT
    --seconds N`."""
    usage = argparse.ArgumentParser(prog="serve verdict", allow_abbrev=False)
    for name in ("object", "selector", "rollout", "generation", "port"):
        usage.add_argument(f"--{name}", required=True)
    usage.add_argument("--pods", required=True, type=int)
    usage.add_argument("--seconds", required=True, type=float)
    return Rollout(usage.parse_args(words), os.environ.get("SGLANG_APPLIED", "")).end()


class Rollout:
    """The pods of one rollout, asked again and again until they are done or time is up."""

    def __init__(self, given: argparse.Namespace, applied: str):
        self.given = given
        self.applied = applied  # UID/GENERATION of the object as it was applied; empty where nobody said
        self.kind, _, self.name = given.object.partition("/")

    def end(self) -> int:
        generation = self.given.generation
        wait = Patience(self.given.seconds, "no pod has been made for it")
        for _ in wait.looks():
            found = self._look()
            if found is None:
                continue
            changed = self._changed(found)
            if changed:
                termination.tell(changed)
                return 1
            boards = self._boards(found.current)
            for board in boards.values():
                verdict = board["verdict"]
                if verdict and verdict["generation"] == generation and verdict["verdict"] == "no":
                    return self._no(verdict)
            if found.rolled() and self._all(boards, generation, proved=True):
                print(canonical(boards), flush=True)
                return 0
            why = patience.in_the_way(found.current, found.makers())
            if wait.is_over(why, passing=bool(found.leaving)):
                termination.tell(f"{self._meanwhile(found)}{wait.last}")
                return 1
        termination.tell(f"no verdict on {generation} after {self.given.seconds:.0f} s: {wait.last}")
        return 1

    def _look(self) -> workload.Workload | None:
        return workload.look(self.kind, self.name, self.given.selector, self.given.rollout)

    def _changed(self, found: workload.Workload) -> str | None:
        """Words for an object that is no longer the one that was applied."""
        now = f"{found.uid}/{found.generation}"
        if not self.applied or now == self.applied:
            return None
        told = f"{self.given.object} was changed by somebody else since it was applied ({self.applied}, now {now})"
        return f"{told}: `pulumi up --refresh` puts it right"

    def _boards(self, pods: list[dict[str, Any]]) -> dict[str, BoardAnswer]:
        asked = {pod["metadata"]["name"]: ask.board(f"{self._address(pod)}/state") for pod in pods}
        return {name: board for name, board in asked.items() if board}

    def _all(self, boards: dict[str, BoardAnswer], generation: str, proved: bool) -> bool:
        """Whether every rank serves a generation; `proved`: and its head was told "yes" on it."""
        if sorted(board["rank"] for board in boards.values()) != list(range(self.given.pods)):
            return False
        for board in boards.values():
            if board["serving"] != generation:
                return False
            verdict = board["verdict"]
            if proved and not board["rank"]:
                if not verdict or (verdict["generation"], verdict["verdict"]) != (generation, "yes"):
                    return False
        return True

    def _no(self, refused: Verdict) -> int:
        """Wait for the revision that serves in its place, so that the error can say so."""
        back = refused.get("back")
        told = f"{back} did not come back in time" if back else "nothing serves in its place"
        for _ in Patience(self.given.seconds, "").looks():
            found = self._look()
            if found is None:
                continue
            if self._meanwhile(found):
                told = "what served before still does"
                break
            if not back:
                break
            if found.current and all(map(workload.ready, found.current)):
                if self._all(self._boards(found.current), back, proved=False):
                    told = f"{back} serves in its place"
                    break
        termination.tell(f"{told}; {termination.refusal(refused)}")
        return GATE_SAID_NO

    def _meanwhile(self, found: workload.Workload) -> str:
        return "what served before still does; " if any(map(workload.ready, found.others)) else ""

    def _address(self, pod: dict[str, Any]) -> str:
        """Address of a pod's board; of one that has no address yet, one where nobody answers."""
        address = pod["status"].get("podIP") or "127.0.0.1"
        return f"http://[{address}]:{self.given.port}" if ":" in address else f"http://{address}:{self.given.port}"
