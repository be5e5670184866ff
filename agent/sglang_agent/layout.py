"""Where everything lies on a host. One place for every path, each a function of the desired state."""

from __future__ import annotations

import os
from pathlib import Path


def system_root() -> Path:
    """`/`, or the folder that the agent's own tests put in its place for /etc and /run."""
    return Path(os.environ.get("SGLANG_AGENT_SYSTEM_ROOT", "/"))


class Layout:
    """Paths below `<root>` (default /opt/sglang) and the few outside of it."""

    def __init__(self, root: str):
        self.root = Path(root)
        self.builds = self.root / "builds"
        self.cache = self.root / "cache"
        self.hub_clients = self.root / "hub-client"
        self.jobs = self.root / "jobs"
        self.locks = self.root / "locks"
        self.log = self.root / "log"
        self.receipts = self.root / "receipts"
        self.secrets = self.root / "secrets"
        self.services = self.root / "services"

    def agent(self, digest: str) -> Path:
        return self.root / "agent" / digest

    def build(self, digest: str) -> Path:
        return self.builds / digest

    def build_staging(self, digest: str) -> Path:
        """A build while it is made."""
        return self.builds / f".{digest}.staging"

    def build_cache(self, digest: str) -> Path:
        """JIT caches of one build; a service's writable folder."""
        return self.cache / digest

    def service(self, name: str) -> Path:
        return self.services / name

    def generation(self, name: str, generation: str) -> Path:
        return self.service(name) / generation

    def unit_file(self, name: str) -> Path:
        return system_root() / "etc/systemd/system" / unit_name(name)

    def runtime(self, name: str) -> Path:
        """The unit's RuntimeDirectory: gone after a reboot, and so is the verdict in it."""
        return system_root() / "run" / f"sglang-{name}"


def unit_name(name: str) -> str:
    return f"sglang-{name}.service"


def build_python(build: Path) -> Path:
    """The interpreter of a build's virtual environment."""
    return build / "venv/bin/python"


def snapshot(directory: str, repository: str, revision: str) -> Path:
    """`<models>/<owner>--<name>/<revision>`."""
    return Path(directory) / repository.replace("/", "--") / revision
