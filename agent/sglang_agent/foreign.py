"""A unit of a service's name that is not this agent's: named, and taken over only where the stack file says `adopt`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from sglang_agent import files, gpus, systemd
from sglang_agent.layout import Layout, unit_name

ADOPTED = "adopted.service"
# What systemd was to do with it.
STATE = "adopted.json"


class Unit(NamedTuple):
    path: Path
    text: bytes


def found(layout: Layout, name: str) -> Unit | None:
    """The unit that systemd has by that name, unless it is of this root; None where there is none.

    One that starts from the service's own folder is of this root, also when somebody has edited it.
    """
    path = layout.unit_file(name)
    if not path.is_symlink() and not path.exists():
        elsewhere = systemd.properties(unit_name(name), "FragmentPath")["FragmentPath"] if systemd.running() else ""
        if not elsewhere:
            return None
        path = Path(elsewhere)
    try:
        text = path.read_bytes()
    except OSError:
        text = b""
    return None if _own(layout, name, text) else Unit(path, text)


def _own(layout: Layout, name: str, text: bytes) -> bool:
    folder = layout.service(name)
    return f"{folder}/current".encode() in text or any(unit.read_bytes() == text for unit in folder.glob("*/unit"))


def problem(layout: Layout, name: str, adopt: bool) -> str | None:
    """What is wrong with taking the name; None where nothing is, or the stack file says that it may be taken."""
    unit = None if adopt else found(layout, name)
    if unit is None:
        return None
    state = systemd.properties(unit_name(name), "ActiveState", "MainPID") if systemd.running() else {}
    pid = int(state.get("MainPID") or 0)
    runs = f", {gpus.holder(pid)}" if pid else ""
    return (
        f"unit {unit_name(name)}: {unit.path} is there already and was not made for this service "
        f"({state.get('ActiveState') or 'unknown'}{runs}; {_starts(unit.text)}); it would be stopped and overwritten. "
        "Give the service another name, remove that unit, or say `adopt: true` of the service: then the unit's text "
        f"is kept in {layout.service(name)}/{ADOPTED}, and the service takes its place"
    )


def _starts(text: bytes) -> str:
    """What a unit starts: the program and the words before its options, which may hold a key."""
    line = re.search(r"(?m)^ExecStart=[-@:+!|]*(.+)$", text.decode("utf-8", "replace"))
    if line is None:
        return "no ExecStart"
    try:
        words = shlex.split(line.group(1).rstrip("\\"))
    except ValueError:
        words = line.group(1).split()
    shown: list[str] = []
    for word in words[:4]:
        if shown and word.startswith("--"):
            break
        shown.append(word)
    return "ExecStart=" + " ".join(shown) + (" …" if len(shown) < len(words) else "")


def adopt(layout: Layout, name: str) -> bool:
    """Keep the text of a unit that will be overwritten, and what systemd did with it; says whether there was one."""
    unit = found(layout, name)
    if unit is None:
        return False
    folder = files.make_directory(layout.service(name))
    if unit.path == layout.unit_file(name):
        state = systemd.show(unit_name(name))
        active, enabled = state["ActiveState"] in ("active", "activating"), state["UnitFileState"] == "enabled"
        files.write(folder / ADOPTED, unit.text, 0o600)
        files.write_json(folder / STATE, {"active": active, "enabled": enabled})
    return True


def give_back(layout: Layout, name: str, start: bool) -> str | None:
    """Put the text that was kept back in its place, where nothing else is; says where. `start` as it was started."""
    kept, path = layout.service(name) / ADOPTED, layout.unit_file(name)
    if not kept.exists():
        return None
    state = files.read_json(layout.service(name) / STATE) or {}
    files.write(path, kept.read_bytes())
    systemd.control("daemon-reload")
    if start:
        for verb, wanted in (("enable", "enabled"), ("start", "active")):
            if state.get(wanted):
                systemd.control(verb, unit_name(name))
    return str(path)
