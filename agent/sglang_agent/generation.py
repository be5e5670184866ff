"""A generation of a service: everything that a start needs, in one folder that is there whole or not at all."""

from __future__ import annotations

from pathlib import Path

from sglang_agent import archive, arguments, files, kept, systemd
from sglang_agent.documents import Service
from sglang_agent.layout import Layout

CURRENT = "current"
PREVIOUS = "previous"
SWITCH = "switch.json"


def contents(layout: Layout, desired: Service) -> dict[str, tuple[bytes, int]]:
    """Every file of a generation by name, with its mode. None holds a secret; the environment may be private."""
    return {
        "agent.pyz": (archive.content(), 0o644),
        "arguments.json": (files.json_bytes(arguments.as_list(desired["arguments"])), 0o644),
        "desired.json": (files.json_bytes(desired), 0o644),
        "environment": (environment_file(desired["environment"]).encode(), 0o600),
        "unit": (desired["unit"].encode(), 0o644),
    }


def environment_file(environment: dict[str, str]) -> str:
    """The EnvironmentFile: double quotes, in which systemd reads a backslash before these four as an escape."""
    lines = []
    for name in sorted(environment):
        value = environment[name]
        for special in ("\\", '"', "$", "`"):
            value = value.replace(special, "\\" + special)
        lines.append(f'{name}="{value}"\n')
    return "".join(lines)


def stage(layout: Layout, desired: Service) -> None:
    """Write the generation beside the running one; the document that says what it is comes last."""
    folder = files.make_directory(layout.generation(desired["name"], desired["generation"]))
    planned = contents(layout, desired)
    for name in sorted(planned, key=lambda name: name == "desired.json"):
        files.write(folder / name, *planned[name])


def up_to_date(layout: Layout, desired: Service) -> bool:
    """Whether every file of the generation, and the unit that systemd knows, is what this agent would write."""
    folder = layout.generation(desired["name"], desired["generation"])
    planned = contents(layout, desired)
    installed = _read(layout.unit_file(desired["name"])) == planned["unit"][0]
    return installed and all(_read(folder / name) == content for name, (content, _) in planned.items())


def refresh(layout: Layout, desired: Service) -> None:
    """Bring the files of the serving generation up to date, without a restart."""
    if not up_to_date(layout, desired):
        stage(layout, desired)
        install(layout, desired["name"], desired["generation"])


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def install(layout: Layout, name: str, generation: str) -> None:
    """Make a staged generation the one that systemd knows and `current` points at."""
    folder = layout.generation(name, generation)
    files.write(layout.unit_file(name), (folder / "unit").read_bytes())
    files.link(layout.service(name) / CURRENT, generation)
    systemd.control("daemon-reload")


def point(layout: Layout, name: str, which_link: str, generation: str | None) -> None:
    path = layout.service(name) / which_link
    if generation is None:
        files.remove(path)
    else:
        files.link(path, generation)


def current(layout: Layout, name: str) -> str | None:
    return files.linked(layout.service(name) / CURRENT)


def previous(layout: Layout, name: str) -> str | None:
    return files.linked(layout.service(name) / PREVIOUS)


def desired_of(layout: Layout, name: str, generation: str) -> Service | None:
    """None too for one that another agent has written and this one does not understand."""
    found: Service | None = kept.find("service", layout.generation(name, generation) / "desired.json")
    return found


def prune(layout: Layout, name: str) -> None:
    """Remove generations that neither serve nor served last."""
    kept = {current(layout, name), previous(layout, name)}
    for folder in list(layout.service(name).iterdir()):
        if folder.is_dir() and not folder.is_symlink() and folder.name not in kept:
            files.remove(folder)
