"""The text of a service's systemd unit: a pure function of the desired state and a few facts of the host."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional

from sglang_agent.launcher import GATE_SAID_NO

# Restarts after a crash: this many in this many start-up times, then it stays failed.
RESTARTS = 3
RESTART_SECONDS = 10
RESTART_MOST_SECONDS = 120
# What the launcher itself needs around the server's own budget and grace.
MARGIN_SECONDS = 60


class Surroundings(NamedTuple):
    """What of the host goes into a unit."""

    folder: str  # of the generation
    interpreter: str
    cache: str
    home_is_needed: bool  # a path of the service lies below /home, /root or /run/user
    groups: List[str]  # groups that own device files: video, render
    modprobe: Optional[str]  # nvidia-modprobe, which makes /dev/nvidia-uvm after a reboot
    systemd: int


def text(desired: dict, around: Surroundings) -> str:
    """The unit file. Sections and order are fixed, so that a diff of two of them is short."""
    sections = {"Unit": _unit(desired), "Service": [*_service(desired, around), *_hardening(around)]}
    sections["Install"] = ["WantedBy=multi-user.target"]
    return "\n".join(f"[{name}]\n" + "\n".join(lines) + "\n" for name, lines in sections.items())


def start_seconds(desired: dict) -> int:
    """How long a start may take: loading, then the gate. systemd's own default of 90 s is too short to load weights."""
    return desired["startupBudgetSeconds"] + desired["gate"]["timeoutSeconds"] + MARGIN_SECONDS


def _unit(desired: dict) -> List[str]:
    after = ["network-online.target", "nvidia-persistenced.service", *((desired.get("unit") or {}).get("after") or [])]
    window = (RESTARTS + 1) * (start_seconds(desired) + RESTART_MOST_SECONDS)
    return [
        f"Description=SGLang {desired['release']} for {_plain(desired['name'])} ({_plain(desired['owner'])})",
        f"After={' '.join(after)}",
        "Wants=network-online.target",
        f"StartLimitIntervalSec={window}",
        f"StartLimitBurst={RESTARTS}",
    ]


def _service(desired: dict, around: Surroundings) -> List[str]:
    lines = [
        "Type=notify",
        "NotifyAccess=main",
        f"ExecStart={quoted(around.interpreter)} -I {quoted(around.folder + '/agent.pyz')} launch {quoted(around.folder)}",
        f"User={desired['user']}",
        f"EnvironmentFile={_plain(around.folder)}/environment",
        f"WorkingDirectory={_plain(around.cache)}",
        f"RuntimeDirectory=sglang-{desired['name']}",
        "RuntimeDirectoryMode=0700",
        "RuntimeDirectoryPreserve=yes",
        f"TimeoutStartSec={start_seconds(desired)}",
        f"TimeoutStopSec={desired['stopGraceSeconds'] + MARGIN_SECONDS}",
        # The launcher drains the server and answers for it: that SGLang ends itself by SIGKILL never reaches systemd.
        "KillMode=mixed",
        "Restart=on-failure",
        f"RestartPreventExitStatus={GATE_SAID_NO}",
        f"RestartSec={RESTART_SECONDS}",
        "LimitMEMLOCK=infinity",
        "LimitNOFILE=1048576",
        "LimitCORE=0",
        "OOMPolicy=stop",
        "UMask=0077",
    ]
    if around.systemd >= 254:
        lines += ["RestartSteps=4", f"RestartMaxDelaySec={RESTART_MOST_SECONDS}"]
    if around.modprobe:
        lines.append(f"ExecStartPre=+-{quoted(around.modprobe)} -c 0 -u")
    if around.groups:
        lines.append(f"SupplementaryGroups={' '.join(around.groups)}")
    for name, path in sorted(credentials(desired).items()):
        lines.append(f"LoadCredential={name}:{_plain(path)}")
    placed = desired.get("unit") or {}
    if placed.get("cpuAffinity"):
        lines.append(f"CPUAffinity={placed['cpuAffinity']}")
    if placed.get("numa"):
        lines += [f"NUMAPolicy={placed['numa'].get('policy') or 'preferred'}", f"NUMAMask={placed['numa']['nodes']}"]
    return lines


def credentials(desired: dict) -> Dict[str, str]:
    """Secret files by credential name: root owns them, systemd hands them to this service alone."""
    found = {f"environment-{name}": path for name, path in (desired.get("secretEnvironment") or {}).items()}
    if desired.get("apiKeyFile"):
        found["api-key"] = desired["apiKeyFile"]
    return found


def _hardening(around: Surroundings) -> List[str]:
    """As far as a GPU server allows: it compiles and runs its own code (no MemoryDenyWriteExecute), opens the
    cards' device files (no PrivateDevices) and shares memory between its processes (no PrivateIPC)."""
    return [
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "AmbientCapabilities=",
        "ProtectSystem=strict",
        f"ReadWritePaths={quoted_path(around.cache)}",
        f"ProtectHome={'read-only' if around.home_is_needed else 'yes'}",
        "PrivateTmp=yes",
        "DevicePolicy=closed",
        "DeviceAllow=char-nvidia* rw",
        "DeviceAllow=char-drm rw",
        "DeviceAllow=char-infiniband* rw",
        "DeviceAllow=/dev/infiniband/rdma_cm rw",
        "ProtectClock=yes",
        "ProtectControlGroups=yes",
        "ProtectHostname=yes",
        "ProtectKernelLogs=yes",
        "ProtectKernelModules=yes",
        "ProtectKernelTunables=yes",
        "ProtectProc=invisible",
        "LockPersonality=yes",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
        "RestrictNamespaces=yes",
        "RestrictRealtime=yes",
        "RestrictSUIDSGID=yes",
        "SystemCallArchitectures=native",
        "SystemCallErrorNumber=EPERM",
        # pidfd_getfd: symmetric memory passes file handles between ranks; process_vm_*: some transports copy so.
        "SystemCallFilter=@system-service pidfd_getfd process_vm_readv process_vm_writev",
        "SystemCallFilter=~@clock @cpu-emulation @module @mount @obsolete @raw-io @reboot @swap",
    ]


def quoted(word: str) -> str:
    """A word of a command line, in which `$` would begin a variable."""
    return quoted_path(word.replace("$", "$$"))


def quoted_path(path: str) -> str:
    """An entry of a list of paths."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _plain(value: str) -> str:
    """A value that is taken as it stands, up to the end of the line, but for specifiers."""
    return value.replace("%", "%%")


def environment_file(environment: Dict[str, str]) -> str:
    """The EnvironmentFile: double quotes, in which systemd reads a backslash before these four as an escape."""
    lines = []
    for name in sorted(environment):
        value = environment[name]
        for special in ("\\", '"', "$", "`"):
            value = value.replace(special, "\\" + special)
        lines.append(f'{name}="{value}"\n')
    return "".join(lines)
