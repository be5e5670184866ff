"""What `prepare` was told of a service, kept for `activate`: so that `activate` itself carries only what a change shows."""

from __future__ import annotations

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout

FILE = "prepared.json"


def keep(layout: Layout, name: str, generation: str, service: dict) -> None:
    """Write the service's document beside its generations; nothing that serves is touched."""
    files.make_directory(layout.service(name))
    files.write_json(layout.service(name) / FILE, {"generation": generation, "service": service}, 0o600)


def complete(document: dict) -> dict:
    """The document of `activate` with what was prepared for its generation; AgentError `not-prepared` where nothing was."""
    if "unit" in document:
        return document
    layout = Layout(str(document.get("root") or ""))
    name, generation = str(document.get("name")), document.get("generation")
    kept = files.read_json(layout.service(name) / FILE) or {}
    if kept.get("generation") != generation:
        raise AgentError(
            "not-prepared", f"generation {generation} of {name} is not prepared on this host: run `prepare` first"
        )
    return {**kept["service"], **document}
