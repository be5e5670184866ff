"""What a verdict is about: the build, weights and settings that were asked, and the machine that they ran on."""

from __future__ import annotations

import hashlib
import platform
from typing import Any

from sglang_agent import gpus
from sglang_agent.answer import canonical
from sglang_agent.documents import Machine, Pod, Proved, Service


def of(desired: Service | Pod) -> Proved:
    """What is asked now. No value of the environment is told, only which it was."""
    found: Proved = {
        "argumentsSha256": _sha256(desired["arguments"]),
        "build": desired["build"],
        "environmentSha256": _sha256(desired["environment"]),
        "machine": machine(),
        "release": desired["release"],
        "settingsDigest": desired["settingsDigest"],
    }
    if "manifestDigest" in desired["model"]:
        found["manifestDigest"] = desired["model"]["manifestDigest"]
    if "oracle" in desired["gate"]:
        found["oracleSha256"] = desired["gate"]["oracle"]["sha256"]
    return found


def machine() -> Machine:
    """The machine as it is now."""
    found: Machine = {"gpus": [card["name"] for card in gpus.cards() if "name" in card], "kernel": platform.release()}
    driver = gpus.driver()
    if driver:
        found["driver"] = driver
    return found


def _sha256(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()
