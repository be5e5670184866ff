"""The Python interpreters of a host."""

from __future__ import annotations

import glob
import os
import re

from sglang_agent.answer import AgentError
from sglang_agent.tools import base_environment, output_of, which

# Besides PATH: the places where builds from source, uv, pyenv and conda put interpreters.
PLACES = (
    "/opt/python*/bin",
    "/usr/local/python*/bin",
    "/opt/conda/envs/*/bin",
    "/opt/uv/python/*/bin",
    "~/.local/share/uv/python/*/bin",
    "~/.pyenv/versions/*/bin",
)


def installed() -> dict[str, str]:
    """Path by version (`3.11`), the first on PATH winning."""
    folders = base_environment()["PATH"].split(":")
    for place in PLACES:
        folders += sorted(glob.glob(os.path.expanduser(place)), reverse=True)
    found: dict[str, str] = {}
    for folder in dict.fromkeys(folders):
        for path in sorted(glob.glob(os.path.join(folder, "python3.*"))):
            match = re.fullmatch(r"python(3\.[0-9]+)", os.path.basename(path))
            if match and match.group(1) not in found and _runs(path):
                found[match.group(1)] = path
    return dict(sorted(found.items(), key=lambda entry: int(entry[0].split(".")[1])))


def _runs(path: str) -> bool:
    """Some version managers put a program of every version's name on PATH that only says it is not installed."""
    return output_of([path, "-c", ""], timeout=10) is not None


def find(wanted: str) -> str:
    """The interpreter of a version, or at a path, that runs and can make a virtual environment."""
    path = wanted if wanted.startswith("/") else locate(wanted)
    version = output_of([path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]) if path else None
    if path is None or version is None:
        others = ", ".join(installed()) or "none"
        if wanted.startswith("/"):
            raise AgentError(
                "no-interpreter", f"{wanted} is not a Python that runs here (found on this host: {others})"
            )
        raise AgentError(
            "no-interpreter",
            f"this host has no Python {wanted} (found: {others}): install python{wanted} with its venv module, put a "
            f"build of it in /opt/python{wanted}, run `uv python install {wanted}`, or give the "
            "interpreter's path as `python`",
        )
    if output_of([path, "-c", "import ensurepip, venv"]) is None:
        raise AgentError("no-venv", f"{path} cannot make a virtual environment: install python{version.strip()}-venv")
    return path


def locate(version: str) -> str | None:
    path = installed().get(version)
    if path is None and which("uv"):
        answer = output_of(["uv", "python", "find", "--no-python-downloads", version])
        path = answer.strip() if answer else None
    return path


def versions() -> list[str]:
    return list(installed())
