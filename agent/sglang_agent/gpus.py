"""What `nvidia-smi` says: cards, driver, topology, and who uses the cards."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any, cast

from sglang_agent.documents import Card
from sglang_agent.tools import output_of

# Field of HostFacts, field of `nvidia-smi --query-gpu`, and how to read it.
FIELDS = (
    ("index", "index", int),
    ("name", "name", str),
    ("uuid", "uuid", str),
    ("busId", "pci.bus_id", str),
    ("memoryMiB", "memory.total", float),
    ("computeCapability", "compute_cap", str),
    ("powerLimitWatts", "power.limit", float),
    ("powerMinWatts", "power.min_limit", float),
    ("powerMaxWatts", "power.max_limit", float),
)

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def cards() -> list[Card]:
    """The GPUs in index order; empty where there is no nvidia-smi or no card. A field that is `[N/A]` is left out."""
    query = ",".join(field for _, field, _ in FIELDS)
    text = output_of(["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader,nounits"])
    found: list[Card] = []
    for row in rows(text):
        if len(row) != len(FIELDS):
            continue
        card: dict[str, Any] = {}
        for (name, _, kind), value in zip(FIELDS, row):
            if value.startswith("[") or not value:
                continue
            card[name] = int(float(value)) if kind is float else kind(value)
        found.append(cast(Card, card))
    holders = processes()
    for one in found:
        pids = sorted(pid for pid, uuid in holders.items() if uuid == one.get("uuid"))
        if pids:
            one["usedBy"] = pids
    return sorted(found, key=lambda one: one.get("index", 0))


def processes() -> dict[int, str]:
    """Process ids with a compute context, each with the UUID of its card."""
    text = output_of(["nvidia-smi", "--query-compute-apps=pid,gpu_uuid", "--format=csv,noheader,nounits"])
    return {int(row[0]): row[1] for row in rows(text) if len(row) == 2 and row[0].isdigit()}


def driver() -> str | None:
    text = output_of(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"])
    lines = (text or "").split()
    return lines[0] if lines else None


def driver_cuda() -> str | None:
    """The newest CUDA that the driver speaks, from the header of plain `nvidia-smi`."""
    found = re.search(r"CUDA Version:\s*([0-9.]+)", output_of(["nvidia-smi"]) or "")
    return found.group(1) if found else None


def topology() -> str:
    return plain(output_of(["nvidia-smi", "topo", "-m"]) or "")


def peer_access() -> dict[str, str]:
    """`topo -p2p r` and `w`, as far as this nvidia-smi has them."""
    texts = {mode: plain(output_of(["nvidia-smi", "topo", "-p2p", mode]) or "") for mode in ("r", "w")}
    return {mode: text for mode, text in texts.items() if text}


def plain(text: str) -> str:
    """Without the escape sequences that nvidia-smi underlines its header with, and without trailing blanks."""
    return "\n".join(line.rstrip() for line in _ESCAPES.sub("", text).strip("\n").split("\n"))


def rows(text: str | None) -> list[list[str]]:
    return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text or "")) if row]


def unit_of(pid: int) -> str:
    """The control group of a process, in which its systemd unit is named; empty when it has ended."""
    try:
        return Path(f"/proc/{pid}/cgroup").read_text("utf-8")
    except OSError:
        return ""


def holder(pid: int) -> str:
    """A process for people, such as `python (pid 512 of sglang-chat.service)`."""
    last = unit_of(pid).strip().rsplit("/", 1)[-1]
    return f"{command_of(pid)} (pid {pid}{f' of {last}' if last.endswith('.service') else ''})"


def command_of(pid: int) -> str:
    """The short name of a process: never its arguments, which may hold another service's key."""
    try:
        return Path(f"/proc/{pid}/comm").read_text("utf-8").strip()
    except OSError:
        return "?"
