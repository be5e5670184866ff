"""The few things that the agent asks of systemd."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence

from sglang_agent.answer import AgentError
from sglang_agent.layout import system_root
from sglang_agent.tools import base_environment, output_of, which

PROPERTIES = (
    "ActiveState", "LoadState", "Result", "SubState", "UnitFileState",
)  # fmt: skip


def running() -> bool:
    """Whether systemd manages this machine."""
    return which("systemctl") is not None and os.path.isdir(system_root() / "run/systemd/system")


def control(*arguments: str) -> None:
    """systemctl, or AgentError `systemd` with what it said."""
    try:
        done = subprocess.run(
            ["systemctl", "--no-ask-password", *arguments],
            capture_output=True,
            env=base_environment(),
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except OSError as error:
        raise AgentError("systemd", f"cannot run systemctl: {error.strerror}") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()[-600:]
        raise AgentError("systemd", f"systemctl {' '.join(arguments)}: {said or f'exit status {done.returncode}'}")


def forgive(unit: str) -> None:
    """Forget failures and how often it was started, lest a start be refused. A unit that is not loaded has neither."""
    try:
        control("reset-failed", unit)
    except AgentError:
        pass


def forget(unit: str) -> None:
    """Let systemd unload a unit that has ended: one that it still holds on to takes the name from a new one."""
    if show(unit)["LoadState"] != "loaded":
        return
    for verb in ("stop", "reset-failed"):
        try:
            control(verb, unit)
        except AgentError:
            pass


def show(unit: str) -> dict[str, str]:
    """The state of a unit; a unit that is not there has LoadState `not-found`."""
    return properties(unit, *PROPERTIES)


def properties(unit: str, *names: str) -> dict[str, str]:
    """Properties of a unit; empty texts for those that it has not."""
    text = output_of(["systemctl", "show", unit, "--property=" + ",".join(names)]) or ""
    found = dict(line.split("=", 1) for line in text.split("\n") if "=" in line)
    return {name: found.get(name, "") for name in names}


def run_transient(unit: str, argv: Sequence[str], properties: dict[str, str]) -> None:
    """Start a named transient service that outlives this session."""
    settings: list[str] = [f"--property={name}={value}" for name, value in sorted(properties.items())]
    environment = [f"--setenv={name}={value}" for name, value in sorted(base_environment().items())]
    command = ["systemd-run", "--quiet", "--collect", "--no-ask-password", f"--unit={unit}", *settings, *environment]
    done = subprocess.run(
        [*command, "--", *argv], capture_output=True, stdin=subprocess.DEVNULL, check=False, env=base_environment()
    )
    if done.returncode != 0:
        raise AgentError("systemd", f"systemd-run {unit}: {done.stderr.decode('utf-8', 'replace').strip()[-600:]}")


def alive(unit: str) -> bool:
    return show(unit)["ActiveState"] in ("active", "activating", "reloading", "deactivating")


def wait_dead(unit: str, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while alive(unit):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True
