"""Long work as a named transient unit: it survives the session, and a second run attaches to it.

Where systemd does not run, the work is done in this process.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Callable

from sglang_agent import answer, archive, files, systemd
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout
from sglang_agent.tools import Log

# Verb -> the module whose function does the work.
WORK: dict[str, str] = {"activate": "activate", "build": "build", "fetch": "fetch"}
POLL_SECONDS = 0.1


def run(layout: Layout, verb: str, desired: Any) -> Any:
    """Do the work of a verb as a job and return its answer, or raise what it raised."""
    if not systemd.running():
        return _work(verb, desired)
    unit = unit_name(verb, desired["name"])
    folder = files.make_directory(layout.jobs / f"{verb}-{desired['name']}", 0o700)
    _finish_other(unit, folder, desired)
    if not systemd.alive(unit):
        files.remove(folder / "result.json")
        files.write_json(folder / "desired.json", desired, 0o600)
        systemd.forget(unit)
        try:
            _start(unit, layout, verb, folder)
        except AgentError:
            if not systemd.alive(unit):  # else another run has started this very job in the same moment
                raise
    while True:
        result = files.read_json(folder / "result.json")
        if result is not None:
            return _told(result)
        if not systemd.alive(unit):
            result = files.read_json(folder / "result.json")
            if result is None:
                raise AgentError("job", f"the job {unit} ended without an answer: see `journalctl -u {unit}`")
            return _told(result)
        time.sleep(POLL_SECONDS)


def unit_name(verb: str, name: str) -> str:
    return f"sglang-job-{verb}-{name}.service"


def stop(verb: str, name: str) -> None:
    """End a job that nobody waits for any more."""
    if systemd.running() and systemd.alive(unit_name(verb, name)):
        systemd.control("stop", unit_name(verb, name))


def _finish_other(unit: str, folder: Path, desired: Any) -> None:
    """A job for another desired state ends first; one for this very state is attached to."""
    if systemd.alive(unit) and files.read_json(folder / "desired.json") != desired:
        while systemd.alive(unit):
            time.sleep(POLL_SECONDS)


def _start(unit: str, layout: Layout, verb: str, folder: Path) -> None:
    # The archive is copied beside the job: a change of the agent must not pull it away under a running one.
    program = folder / "agent.pyz"
    files.write(program, archive.content(), 0o600)
    argv = [archive.interpreter(), "-I", str(program), "job", verb, str(folder)]
    systemd.run_transient(
        unit, argv, {"Type": "exec", "KillMode": "control-group", "OOMPolicy": "continue", "UMask": "0022"}
    )


def run_inside(arguments: list[str]) -> dict[str, Any]:
    """The job itself: reads the desired state beside it, writes the result atomically."""
    verb, folder = arguments[0], Path(arguments[1])
    desired = files.read_json(folder / "desired.json")
    try:
        result: Mapping[str, object] = {"answer": _work(verb, desired)}
    except AgentError as error:
        result = answer.failure(error)
    except Exception as error:
        result = answer.failure(answer.internal(verb, error))
    files.write_json(folder / "result.json", result, 0o600)
    return {}


def _work(verb: str, desired: Any) -> Any:
    log = Log(Layout(desired["root"]), verb, desired["name"])
    module = importlib.import_module(f"sglang_agent.{WORK[verb]}")
    make: Callable[[Any, Log], Any] = module.make
    try:
        return make(desired, log)
    except AgentError as error:
        error.log = error.log or str(log.path)
        raise


def _told(result: dict[str, Any]) -> Any:
    if "error" in result:
        told = result["error"]
        raise AgentError(told["code"], told["message"], told.get("log"), told.get("evidence"))
    return result["answer"]
