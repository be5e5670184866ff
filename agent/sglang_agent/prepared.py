"""What `prepare` was told of a service, kept for `activate`: so that `activate` itself carries only what a change shows."""

from __future__ import annotations

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout

FILE = "prepared.json"


def keep(layout: Layout, name: str, digest: str, service: dict) -> None:
    """Write the service's document beside its generations; nothing that serves is touched."""
    files.make_directory(layout.service(name))
    files.write_json(layout.service(name) / FILE, {"digest": digest, "service": service}, 0o600)


def complete(document: dict) -> dict:
    """The document of `activate` with what was prepared under the digest that it names; AgentError `not-prepared` where nothing was."""
    rest = {name: value for name, value in document.items() if name != "prepared"}
    wanted = document.get("prepared")
    if wanted is None:
        return rest
    layout = Layout(str(document.get("root") or ""))
    kept = files.read_json(layout.service(str(document.get("name"))) / FILE) or {}
    if kept.get("digest") != wanted:
        raise AgentError("not-prepared", f"{document.get('name')} is not prepared on this host for {wanted}: run `prepare` first")
    return {**kept["service"], **rest}
