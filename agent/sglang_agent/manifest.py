"""Files against what the hub says they are, and the manifest with a sha256 for each."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from sglang_agent import files
from sglang_agent.documents import LockedFile

if TYPE_CHECKING:
    from typing_extensions import NotRequired

MANIFEST = "manifest.json"
COMPLETE = ".complete"
CHUNK = 8 * 1024 * 1024
# hashlib lets other threads run while it works, so that hashing keeps up with a fast disk.
THREADS = min(8, os.cpu_count() or 1)


class Hashed(TypedDict):
    """A file as it is on disk."""

    gitBlob: str
    sha256: str
    size: int
    modified: NotRequired[int]


def hash_file(path: Path) -> Hashed:
    """Size, sha256 and git blob id of a file, in one reading."""
    size = path.stat().st_size
    whole, blob = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % size)
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(CHUNK), b""):
            whole.update(block)
            blob.update(block)
    return {"gitBlob": blob.hexdigest(), "sha256": whole.hexdigest(), "size": size}


def verify(
    folder: Path, wanted: list[LockedFile], known: dict[str, Hashed]
) -> tuple[dict[str, Hashed], dict[str, str]]:
    """Each wanted file against its size, sha256 (LFS) or git blob id; `known` spares files hashed before.

    Returns what is right by path (with sha256, size and modification time) and what is wrong with the others.
    """
    right: dict[str, Hashed] = {}
    wrong: dict[str, str] = {}

    def one(entry: LockedFile) -> None:
        path = folder / entry["path"]
        if not path.is_file() or path.is_symlink():
            wrong[entry["path"]] = "missing"
            return
        info = path.stat()
        before = known.get(entry["path"])
        if before and (before["size"], before["modified"]) == (info.st_size, info.st_mtime_ns):
            found = before
        else:
            found = {**hash_file(path), "modified": info.st_mtime_ns}
        problem = differs(entry, found)
        if problem:
            wrong[entry["path"]] = problem
        else:
            right[entry["path"]] = found

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(one, wanted))
    return right, wrong


def differs(entry: LockedFile, found: Hashed) -> str | None:
    if found["size"] != entry["size"]:
        return f"{found['size']} bytes instead of {entry['size']}"
    names: tuple[Literal["sha256", "gitBlob"], ...] = ("sha256", "gitBlob")
    for name in names:
        if entry.get(name) and entry[name] != found[name]:
            return f"{name} {found[name]} instead of {entry[name]}"
    return None


def seal(folder: Path, right: dict[str, Hashed], facts: dict[str, str]) -> None:
    """Manifest, read-only files, and last of all the completion mark."""
    listed: list[LockedFile] = [
        {"gitBlob": right[path]["gitBlob"], "path": path, "sha256": right[path]["sha256"], "size": right[path]["size"]}
        for path in sorted(right)
    ]
    files.write_json(folder / MANIFEST, {**facts, "files": listed}, 0o444)
    for path in right:
        (folder / path).chmod(0o444)
        for parent in (folder / path).parents:
            if parent == folder:
                break
            parent.chmod(0o755)
    total = sum(entry["size"] for entry in listed)
    files.write_json(folder / COMPLETE, {**facts, "bytes": total, "files": len(listed)}, 0o444)


def holds(folder: Path, wanted: list[LockedFile] | None) -> bool:
    """Whether a sealed snapshot has all these files, by its manifest and their sizes on disk."""
    if files.read_json(folder / COMPLETE) is None:
        return False
    sealed = files.read_json(folder / MANIFEST)
    if sealed is None:
        return False
    have: dict[str, Hashed] = {entry["path"]: entry for entry in sealed["files"]}
    for path, entry in have.items():
        try:
            if (folder / path).stat().st_size != entry["size"]:
                return False
        except OSError:
            return False
    return all(entry["path"] in have and differs(entry, have[entry["path"]]) is None for entry in wanted or [])
