"""The rollout's job: wait until the gate has said yes or no to a generation, and end accordingly."""

from __future__ import annotations

import argparse
import time
from typing import List

from sglang_agent.answer import canonical
from sglang_agent.launcher import GATE_SAID_NO
from sglang_agent.pod import ask, termination


def main(words: List[str]) -> int:
    """`verdict --board URL --generation DIGEST --seconds N`."""
    usage = argparse.ArgumentParser(prog="serve verdict", allow_abbrev=False)
    usage.add_argument("--board", required=True)
    usage.add_argument("--generation", required=True)
    usage.add_argument("--seconds", required=True, type=float)
    given = usage.parse_args(words)
    deadline = time.monotonic() + given.seconds
    while time.monotonic() < deadline:
        found = ask.board(f"{given.board}/verdict")
        if found and found["generation"] == given.generation:
            print(canonical(found), flush=True)
            if found["verdict"] == "yes":
                return 0
            serving = (ask.board(f"{given.board}/serving") or {}).get("generation")
            back = f"{serving} serves in its place" if serving != given.generation else "nothing serves in its place"
            termination.tell(f"{back}; {termination.refusal(found)}")
            return GATE_SAID_NO
        time.sleep(1)
    termination.tell(f"no verdict on {given.generation} after {given.seconds:.0f} s: no pod has come as far as its gate")
    return 1
