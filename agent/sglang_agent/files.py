"""Files that are there whole or not at all: write beside, fsync, rename."""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def make_directory(path: Path, mode: int = 0o755) -> Path:
    """A directory and its parents, with this mode whatever the umask says; an existing one keeps its mode."""
    missing = []
    at = path
    while not at.exists():
        missing.append(at)
        at = at.parent
    for folder in reversed(missing):
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        folder.chmod(mode if folder == path else 0o755)
    return path


def sync_directory(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write(path: Path, content: str | bytes, mode: int = 0o644) -> bool:
    """Install a file atomically; says whether anything changed."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        if stat.S_IMODE(path.stat().st_mode) != mode:
            path.chmod(mode)
            return True
        return False
    make_directory(path.parent)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            os.fchmod(stream.fileno(), mode)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException:
        _unlink(Path(beside))
        raise
    sync_directory(path.parent)
    return True


def json_bytes(value: Any) -> bytes:
    return (json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def write_json(path: Path, value: Any, mode: int = 0o644) -> bool:
    return write(path, json_bytes(value), mode)


def read_json(path: Path) -> Any | None:
    """The document in a file; None where there is no file or no whole document."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def link(path: Path, target: str) -> None:
    """Point a symbolic link at `target` atomically."""
    beside = path.with_name(f".{path.name}.new")
    _unlink(beside)
    os.symlink(target, beside)
    os.replace(beside, path)
    sync_directory(path.parent)


def linked(path: Path) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None


def _unlink(path: Path) -> None:
    try:
        path.unlink()
    except FileNotFoundError:
        pass


def remove(path: Path) -> bool:
    """Delete a file, link or tree, read-only folders included; says whether there was one."""
    if path.is_symlink() or path.is_file():
        path.unlink()
        return True
    if not path.exists():
        return False
    doomed = path.with_name(f".{path.name}.removing")
    if doomed.exists():
        _remove_tree(doomed)
    os.rename(path, doomed)
    _remove_tree(doomed)
    return True


def _remove_tree(path: Path) -> None:
    for folder, _, _ in os.walk(path):
        os.chmod(folder, 0o700)
    shutil.rmtree(path)


def remove_if_empty(path: Path) -> None:
    try:
        path.rmdir()
    except OSError:
        pass


def walk_files(top: Path) -> Iterator[Path]:
    """Every regular file below `top`, as relative paths in sorted order."""
    for folder, folders, names in os.walk(top):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if path.is_file():
                yield path.relative_to(top)


def free_bytes(path: Path) -> int:
    """Bytes free for this process on the file system that `path` lies or will lie on."""
    at = path
    while not at.exists():
        at = at.parent
    info = os.statvfs(at)
    return info.f_bavail * info.f_frsize


def human(count: float) -> str:
    """Bytes for people: `12.3 GiB`."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError
