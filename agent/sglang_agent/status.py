"""What a service of this host does now."""

from __future__ import annotations

from pathlib import Path

from sglang_agent import generation, kept, proved, receipts, starting, systemd
from sglang_agent.documents import Status, StatusAnswer, Verdict
from sglang_agent.launcher import VERDICT
from sglang_agent.layout import Layout, unit_name


def status(desired: Status) -> StatusAnswer:
    """State of the unit, generation, and the verdict: of this boot where there is one, else the one on disk."""
    layout = Layout(desired["root"])
    name = desired["name"]
    serving = generation.current(layout, name)
    state = systemd.show(unit_name(name)) if systemd.running() else {}
    receipt = receipts.read(layout, "service", name)
    # A first generation that failed serves nothing, and has a verdict.
    tried = serving or (receipt["generation"] if receipt else None)
    since_boot = starting.verdict_of(layout, name, tried) if tried else None
    recorded: Verdict | None = kept.find("verdict", layout.generation(name, tried) / VERDICT) if tried else None
    known = generation.desired_of(layout, name, serving) if serving else None
    return {
        "active": state.get("ActiveState") == "active",
        "build": known["build"] if known else None,
        "enabled": state.get("UnitFileState") == "enabled",
        "generation": serving,
        "machine": proved.machine(),
        "owner": receipt["owner"] if receipt else None,
        "previous": generation.previous(layout, name),
        "settingsDigest": known["settingsDigest"] if known else None,
        "sinceBoot": bool(since_boot),
        "switching": Path(layout.service(name), generation.SWITCH).exists(),
        "unitState": f"{state.get('ActiveState') or 'unknown'}/{state.get('SubState') or 'unknown'}",
        "verdict": since_boot or recorded,
    }
