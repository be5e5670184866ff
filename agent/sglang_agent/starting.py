"""Starting one installed generation and learning how it went."""

from __future__ import annotations

from sglang_agent import contract, kept, systemd
from sglang_agent.answer import AgentError
from sglang_agent.documents import Verdict
from sglang_agent.launcher import VERDICT
from sglang_agent.layout import Layout, unit_name


def start(layout: Layout, name: str, generation: str) -> Verdict:
    """Start the unit, or join a start that is under way, and return the verdict; it is written beside the generation.

    The launcher gates the server before systemd calls the unit started, so that this ends when the gate has ended.
    """
    unit = unit_name(name)
    reason = ""
    systemd.forgive(unit)
    try:
        systemd.control("start", unit)
    except AgentError as error:
        reason = error.message
    found = verdict_of(layout, name, generation)
    if reason or systemd.show(unit)["ActiveState"] != "active":
        if found is None or found["verdict"] == "yes":
            state = systemd.show(unit)
            reason = reason or f"the unit is {state['ActiveState']}/{state['SubState']} ({state['Result']})"
            found = _no(generation, reason)
        stop(name)
    elif found is None:
        found = _no(generation, "it left no verdict")
        stop(name)
    kept.write(layout.generation(name, generation) / VERDICT, found)
    return found


def _no(generation: str, reason: str) -> Verdict:
    return {
        "check": "start",
        "contract": contract.version(),
        "evidence": {},
        "generation": generation,
        "reason": reason,
        "verdict": "no",
    }


def stop(name: str) -> None:
    """Stop the unit, and any restart that systemd has in mind; forget that it failed."""
    unit = unit_name(name)
    if systemd.show(unit)["LoadState"] != "loaded":
        return
    systemd.control("stop", unit)
    systemd.forgive(unit)


def verdict_of(layout: Layout, name: str, generation: str) -> Verdict | None:
    """What the last start since boot found, if it was of this generation."""
    found: Verdict | None = kept.find("verdict", layout.runtime(name) / VERDICT)
    return found if found and found["generation"] == generation else None


def serving(layout: Layout, name: str, generation: str) -> bool:
    """Whether this generation is up and was found right."""
    found = verdict_of(layout, name, generation)
    return systemd.show(unit_name(name))["ActiveState"] == "active" and found is not None and found["verdict"] == "yes"
