"""What this host is: the document that a stack's recorded facts are compared with."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import cast

from sglang_agent import gpus, pythons, toolkit
from sglang_agent.documents import Disk, FactsAnswer, Nic, Os
from sglang_agent.tools import output_of

SCHEMA = 1
# Mounts of these are the kernel's or a container's, no place for builds and weights.
REAL_FILE_SYSTEMS = {
    "bcachefs",
    "btrfs",
    "ext2",
    "ext3",
    "ext4",
    "f2fs",
    "jfs",
    "nfs",
    "nfs4",
    "overlay",
    "tmpfs",
    "xfs",
    "zfs",
}


def host_facts() -> FactsAnswer:
    """HostFacts. What cannot be found out is null, `unknown` or left out; nothing is guessed."""
    facts = {
        "acs": acs(),
        "cgroup": "v2" if Path("/sys/fs/cgroup/cgroup.controllers").exists() else "v1",
        "compilers": toolkit.compilers(),
        "cudaDriver": gpus.driver_cuda(),
        "disks": disks(),
        "driver": gpus.driver(),
        "gpus": gpus.cards(),
        "hostname": platform.node(),
        "iommu": iommu(),
        "memoryBytes": memory()["MemTotal"],
        "nics": nics(),
        "numactl": numa(),
        "os": operating_system(),
        "p2p": gpus.peer_access() or None,
        "python": pythons.versions(),
        "schema": SCHEMA,
        "toolkit": toolkit.cuda(),
        "topology": gpus.topology(),
    }
    known = {name: value for name, value in facts.items() if value is not None or name == "toolkit"}
    return cast(FactsAnswer, known)


def operating_system() -> Os:
    release = _text("/etc/os-release") or ""
    fields = dict(re.findall(r'^([A-Z_]+)="?([^"\n]*)"?$', release, re.MULTILINE))
    return {
        "id": fields.get("ID", "unknown"),
        "kernel": platform.release(),
        "version": fields.get("VERSION_ID", "unknown"),
    }


def memory() -> dict[str, int]:
    """/proc/meminfo in bytes."""
    found = re.findall(r"^(\w+):\s+(\d+) kB$", _text("/proc/meminfo") or "", re.MULTILINE)
    return {name: int(value) * 1024 for name, value in found}


def numa() -> str | None:
    """`numactl -H`, or the same facts in the same words from /sys."""
    text = output_of(["numactl", "-H"])
    if text:
        return text.strip("\n")
    nodes = sorted(Path("/sys/devices/system/node").glob("node[0-9]*"), key=lambda path: int(path.name[4:]))
    if not nodes:
        return None
    lines = [f"available: {len(nodes)} nodes ({','.join(node.name[4:] for node in nodes)})"]
    for node in nodes:
        lines.append(f"node {node.name[4:]} cpus: {_text(node / 'cpulist') or ''}")
    for node in nodes:
        lines.append(f"node {node.name[4:]} distances: {_text(node / 'distance') or ''}")
    return "\n".join(lines)


def iommu() -> str:
    """`off`, `passthrough`, `on` or `unknown`: decides whether peer transfers between cards go through translation."""
    groups = Path("/sys/kernel/iommu_groups")
    if not groups.is_dir():
        return "unknown"
    if not any(groups.iterdir()):
        return "off"
    words = (_text("/proc/cmdline") or "").split()
    kinds = {_text(kind) for kind in groups.glob("*/type")}
    if "iommu=pt" in words or "iommu.passthrough=1" in words or kinds == {"identity"}:
        return "passthrough"
    return "on"


def acs() -> str:
    """Whether a bridge redirects peer requests upstream (Access Control Services, needs lspci and root)."""
    text = output_of(["lspci", "-vvv"])
    controls = re.findall(r"ACSCtl:.*", text or "")
    if not controls:
        return "unknown"
    return "on" if any("SrcValid+" in line or "ReqRedir+" in line for line in controls) else "off"


def disks() -> list[Disk]:
    found: dict[str, Disk] = {}
    for line in (_text("/proc/mounts") or "").split("\n"):
        fields = line.split(" ")
        if len(fields) < 3 or fields[2] not in REAL_FILE_SYSTEMS:
            continue
        mount = fields[1].encode("latin-1", "replace").decode("unicode_escape")
        if re.match(r"/(proc|sys|dev|run)(/|$)", mount) and mount != "/dev/shm":
            continue
        try:
            info = os.statvfs(mount)
        except OSError:
            continue
        if info.f_blocks and os.path.isdir(mount):
            found[mount] = {
                "freeBytes": info.f_bavail * info.f_frsize,
                "mount": mount,
                "sizeBytes": info.f_blocks * info.f_frsize,
            }
    return [found[mount] for mount in sorted(found)]


def nics() -> list[Nic]:
    """Network interfaces that are devices, and whether each can do RDMA."""
    found: list[Nic] = []
    for path in sorted(Path("/sys/class/net").glob("*")):
        if (path / "device").exists():
            found.append({"name": path.name, "rdma": (path / "device/infiniband").is_dir()})
    return found


def _text(path: object) -> str | None:
    try:
        return Path(str(path)).read_text("utf-8", "replace").strip()
    except OSError:
        return None
