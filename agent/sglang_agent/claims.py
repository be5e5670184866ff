"""Whose the GPUs and ports of this host are: `/var/lib/pulumi-sglang/<service>.json`, one place for every root.

A claim holds what serves and what is to serve. A change that ended without an answer keeps both until it is made good.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sglang_agent import contract, files, generation, kept, locks, receipts, systemd
from sglang_agent.answer import AgentError
from sglang_agent.documents import Claim, Prepared, Service, Take
from sglang_agent.layout import Layout, system_root, unit_name


def folder() -> Path:
    return system_root() / "var/lib/pulumi-sglang"


def take(layout: Layout, name: str, owner: str, wanted: str, part: Prepared | Service) -> None:
    """Claim what a generation needs beside what serves; AgentError `claimed` where another service has it."""
    with locks.whole_host():
        new = _take(wanted, part)
        others = [found for found in _every() if found["name"] != name]
        problems = [*_another_root(layout, name), *(text for found in others for text in _clash(new, found))]
        if problems:
            raise AgentError(
                "claimed",
                f"{name} cannot have what it asks for; nothing was stopped or changed:\n  " + "\n  ".join(problems),
            )
        takes = [found for found in _serving(layout, name) if found["generation"] != wanted]
        _write(layout, name, owner, [*takes, new], settled=False)


def settle(layout: Layout, name: str, owner: str) -> None:
    """A change has ended, well or not: what serves now is claimed, and nothing else."""
    with locks.whole_host():
        takes = _serving(layout, name)
        if takes:
            under_way = (layout.service(name) / generation.SWITCH).exists()
            _write(layout, name, owner, takes, settled=not under_way)
        else:
            _drop(layout, name)


def drop(layout: Layout, name: str) -> None:
    """The service of this root is removed."""
    with locks.whole_host():
        _drop(layout, name)


def _drop(layout: Layout, name: str) -> None:
    found = _read(_path(name))
    if found and found["root"] == str(layout.root):
        files.remove(_path(name))
        files.remove_if_empty(folder())


def _path(name: str) -> Path:
    return folder() / f"{name}.json"


def _read(path: Path) -> Claim | None:
    found: Claim | None = kept.read("claim", path)
    return found


def _write(layout: Layout, name: str, owner: str, takes: list[Take], settled: bool) -> None:
    claim: Claim = {
        "contract": contract.version(),
        "name": name,
        "owner": owner,
        "root": str(layout.root),
        "settled": settled,
        "takes": takes,
    }
    files.make_directory(folder(), 0o700)
    kept.write(_path(name), claim, 0o600)


def gpus_of(environment: dict[str, str]) -> list[str] | None:
    """The GPUs that a server with this environment sees; None for all."""
    named = environment.get("CUDA_VISIBLE_DEVICES")
    return None if named is None else [one.strip() for one in named.split(",") if one.strip()]


def _take(wanted: str, part: Prepared | Service) -> Take:
    return {"generation": wanted, "gpus": gpus_of(part["environment"]), "port": part["endpoint"]["port"]}


def _serving(layout: Layout, name: str) -> list[Take]:
    """What serves, or served before a switch that is under way, by the documents of its generations."""
    switch = files.read_json(layout.service(name) / generation.SWITCH) or {}
    takes = []
    for one in dict.fromkeys([switch.get("from"), generation.current(layout, name)]):
        known = generation.desired_of(layout, name, one) if one else None
        if one and known:
            takes.append(_take(one, known))
    return takes


def _every() -> Iterator[Claim]:
    """The claims of this host that a receipt stands behind, and those of units that an agent of before has made."""
    claimed = [found for found in map(_read, sorted(folder().glob("*.json"))) if found]
    yield from filter(_received, claimed)
    names = {found["name"] for found in claimed}
    units = sorted((system_root() / "etc/systemd/system").glob("sglang-*.service"))
    for path in filter(Path.is_file, units):  # a masked unit is none, and a link may lead nowhere
        name = path.name[len("sglang-") : -len(".service")]
        root = re.search(rf"(/\S*)/services/{re.escape(name)}/current", path.read_text("utf-8", "replace"))
        layout = Layout(root.group(1)) if root else None
        receipt = receipts.read(layout, "service", name) if layout else None
        takes = _serving(layout, name) if layout and name not in names else []
        if layout and receipt and takes:
            yield {
                "contract": contract.version(),
                "name": name,
                "owner": receipt["owner"],
                "root": str(layout.root),
                "settled": receipt.get("settled") == receipt["generation"],
                "takes": takes,
            }


def _received(claim: Claim) -> bool:
    receipt = receipts.read(Layout(claim["root"]), "service", claim["name"])
    return receipt is not None and receipt["owner"] == claim["owner"]


def _another_root(layout: Layout, name: str) -> list[str]:
    return [
        f"{_whose(found)} has that name already, in {found['root']}: give this one another name"
        for found in _every()
        if found["name"] == name and found["root"] != str(layout.root)
    ]


def _clash(new: Take, other: Claim) -> Iterator[str]:
    if other["settled"] and not _lives(other["name"]):
        return
    advice = "" if other["settled"] else "; its last change has not ended well: run `pulumi up` or `destroy` of it"
    for theirs in other["takes"]:
        shared = _shared(new["gpus"], theirs["gpus"])
        if shared:
            yield f"{shared} {_whose(other)} has{advice}; give this service other GPUs"
        if new["port"] == theirs["port"]:
            yield f"port {new['port']}: {_whose(other)} has it{advice}; give this service another `api.port`"


def _shared(mine: list[str] | None, theirs: list[str] | None) -> str:
    if mine is None and theirs is None:
        return "all GPUs:"
    shared = [one for one in mine or theirs or [] if mine is None or theirs is None or one in theirs]
    return f"GPU {', '.join(shared)}:" if shared else ""


def _whose(claim: Claim) -> str:
    return f"service {claim['name']!r} of stack {claim['owner']!r} ({unit_name(claim['name'])})"


def _lives(name: str) -> bool:
    """Whether a service runs or starts with the machine."""
    if not systemd.running():
        return True
    state = systemd.show(unit_name(name))
    return state["ActiveState"] not in ("inactive", "failed", "") or state["UnitFileState"] == "enabled"
