"""Files against what the hub says they are, and the manifest with a sha256 for each."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sglang_agent import files

MANIFEST = "manifest.json"
COMPLETE = ".complete"
CHUNK = 8 * 1024 * 1024
# hashlib lets other threads run while it works, so that hashing keeps up with a fast disk.
THREADS = min(8, os.cpu_count() or 1)


def hash_file(path: Path) -> dict[str, object]:
    """Size, sha256 and git blob id of a file, in one reading."""
    size = path.stat().st_size
    whole, blob = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % size)
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(CHUNK), b""):
            whole.update(block)
            blob.update(block)
    return {"gitBlob": blob.hexdigest(), "sha256": whole.hexdigest(), "size": size}


def verify(folder: Path, wanted: list[dict], known: dict[str, dict]) -> tuple[dict[str, dict], dict[str, str]]:
    """Each wanted file against its size, sha256 (LFS) or git blob id; `known` spares files hashed before.

    Returns what is right by path (with sha256, size and modification time) and what is wrong with the others.
    """
    right: dict[str, dict] = {}
    wrong: dict[str, str] = {}

    def one(entry: dict) -> None:
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


def differs(entry: dict, found: dict) -> str | None:
    if found["size"] != entry["size"]:
        return f"{found['size']} bytes instead of {entry['size']}"
    for key in ("sha256", "gitBlob"):
        if entry.get(key) and entry[key] != found[key]:
            return f"{key} {found[key]} instead of {entry[key]}"
    return None


def seal(folder: Path, right: dict[str, dict], facts: dict) -> None:
    """Manifest, read-only files, and last of all the completion mark."""
    listed = [
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


def holds(folder: Path, wanted: list[dict] | None) -> bool:
    """Whether a sealed snapshot has all these files, by its manifest and their sizes on disk."""
    if files.read_json(folder / COMPLETE) is None:
        return False
    sealed = files.read_json(folder / MANIFEST)
    if sealed is None:
        return False
    have = {entry["path"]: entry for entry in sealed["files"]}
    for path, entry in have.items():
        try:
            if (folder / path).stat().st_size != entry["size"]:
                return False
        except OSError:
            return False
    return all(entry["path"] in have and differs(entry, have[entry["path"]]) is None for entry in wanted or [])
