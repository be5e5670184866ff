"""Whether this host can take the build and the service, said in one message before anything is stopped."""

from __future__ import annotations

import os
import pwd
import re
import socket
from pathlib import Path

from sglang_agent import facts, files, foreign, gpus, prepared, pythons, receipts, toolkit
from sglang_agent.answer import AgentError
from sglang_agent.documents import Prepare, PrepareAnswer
from sglang_agent.layout import Layout, build_python, unit_name
from sglang_agent.tools import which

# A build's own environment may bring these along.
IN_BUILD = {"ninja"}


def prepare(desired: Prepare) -> PrepareAnswer:
    """Keeps the service's document and touches nothing that serves.

    Raises AgentError `not-ready` with every problem in it.
    """
    layout = Layout(desired["root"])
    needs = desired["needs"]
    name = desired["name"]
    service = desired.get("service")
    taken = (
        receipts.taken_by_another(layout, "service", desired),
        foreign.problem(layout, name, bool(service and service.get("adopt"))),
    )
    problems = [
        *filter(None, taken),
        *_interpreter(
            needs.get("python") or desired["build"].get("python"),
            build_python(layout.build(desired["build"]["digest"])),
        ),
        *_tools(needs.get("tools") or [], desired["build"].get("cuda"), layout.build(desired["build"]["digest"])),
        *_driver(needs.get("driverAtLeast")),
        *_cards(needs.get("gpus") or [], unit_name(name)),
        *_disk(layout.root, needs.get("diskBytes") or 0),
        *_memory(needs.get("memoryBytes") or 0, unit_name(name)),
        *_port(needs.get("host") or "127.0.0.1", needs.get("port"), unit_name(name)),
        *_user(desired.get("user")),
    ]
    if problems:
        many = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        raise AgentError(
            "not-ready",
            f"this host is not ready for {name} ({many}); nothing was stopped or changed:\n  " + "\n  ".join(problems),
        )
    if service:
        prepared.keep(layout, name, desired["generation"], service)
    return {"ready": True}


def occupied(indices: list[str] | None, host: str, port: int | None, unit: str) -> list[str]:
    """Processes that hold the GPUs (None: all) or the port of a service and are not its own."""
    there = [card["index"] for card in gpus.cards() if "index" in card]
    wanted = [index for index in there if indices is None or str(index) in indices]
    return [*_cards(wanted, unit), *_port(host, port, unit)]


def _interpreter(wanted: str | None, built: Path) -> list[str]:
    if built.exists() or wanted in (None, "3"):  # any will do: this one runs
        return []
    assert wanted is not None
    try:
        pythons.find(wanted)
    except AgentError as error:
        return [error.message]
    return []


def _tools(wanted: list[str], cuda: str | None, build: Path) -> list[str]:
    problems = []
    for tool in wanted:
        if tool == "nvcc":
            if toolkit.cuda(cuda) is None:
                have = toolkit.cuda()
                found = (
                    f"found {have['version']} in {have['path']}"
                    if have
                    else "no nvcc in /usr/local/cuda*, CUDA_HOME or PATH"
                )
                wish = f"CUDA toolkit {cuda}" if cuda else "a CUDA toolkit"
                problems.append(f"nvcc: the server compiles kernels while it runs and needs {wish}: {found}")
        elif which(tool) is None and not (tool in IN_BUILD and (build / "venv/bin" / tool).exists()):
            problems.append(f"{tool}: not found on PATH; install it (the server compiles kernels while it runs)")
    return problems


def _driver(least: str | None) -> list[str]:
    if not least:
        return []
    have = gpus.driver()
    if have is None:
        return [f"driver: nvidia-smi names no driver; {least} or later is needed"]
    return [] if _numbers(have) >= _numbers(least) else [f"driver: {have} is installed; {least} or later is needed"]


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def _cards(wanted: list[int], unit: str) -> list[str]:
    if not wanted:
        return []
    cards = {card.get("index"): card for card in gpus.cards()}
    problems = []
    for index in wanted:
        if index not in cards:
            problems.append(f"GPU {index}: not there; nvidia-smi lists {', '.join(map(str, sorted(cards))) or 'none'}")
            continue
        others = [pid for pid in cards[index].get("usedBy", []) if unit not in gpus.unit_of(pid)]
        if others:
            users = ", ".join(map(gpus.holder, others))
            problems.append(f"GPU {index}: held by {users}; stop it or give the service other GPUs")
    return problems


def _disk(root: Path, needed: int) -> list[str]:
    free = files.free_bytes(root)
    if free >= needed:
        return []
    return [f"disk: {files.human(needed)} needed on the file system of {root}, {files.human(free)} free"]


def _memory(needed: int, unit: str) -> list[str]:
    """What is available, and what the service that will be replaced gives back."""
    free = facts.memory().get("MemAvailable", 0) + _used_by(unit)
    return [] if free >= needed else [f"memory: {files.human(needed)} needed, {files.human(free)} available"]


def _used_by(unit: str) -> int:
    try:
        return int(Path("/sys/fs/cgroup/system.slice", unit, "memory.current").read_text("utf-8"))
    except (OSError, ValueError):
        return 0


def _port(host: str, port: int | None, unit: str) -> list[str]:
    if not port:
        return []
    if port > 65535:
        return [f"port {port}: a port is at most 65535"]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
            return []
        except OSError as error:
            reason = error.strerror
    holder = listener(port)
    if holder is not None and unit in gpus.unit_of(holder):
        return []
    by = f"; {gpus.holder(holder)} listens there" if holder is not None else ""
    return [f"port {port}: cannot bind {host}: {reason}{by}"]


def listener(port: int) -> int | None:
    """The process that listens on a TCP port of this host, as far as it may be seen."""
    sockets = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text("utf-8").split("\n")[1:]
        except OSError:
            continue
        for fields in (line.split() for line in lines):
            if len(fields) > 9 and fields[3] == "0A" and int(fields[1].rsplit(":", 1)[1], 16) == port:
                sockets.add(f"socket:[{fields[9]}]")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            for handle in os.scandir(f"/proc/{pid}/fd"):
                if os.readlink(handle.path) in sockets:
                    return int(pid)
        except OSError:
            continue
    return None


def _user(name: str | None) -> list[str]:
    if not name:
        return []
    try:
        pwd.getpwnam(name)
        return []
    except KeyError:
        pass
    if os.geteuid() == 0 and which("useradd"):
        return []
    return [f"user {name}: does not exist and cannot be created here (useradd as root is needed)"]
