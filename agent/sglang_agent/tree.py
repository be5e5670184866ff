"""The digest of a source tree, to compare with the one in the lock."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sglang_agent import files


def python_digest(package: Path) -> str:
    """sha256 over the package's .py files in the order of their paths.

    For each file one line `<path>\\0<sha256 of its content>\\n`, the path being relative to the package's parent
    (`sglang/srt/server_args.py`) with forward slashes; the order is that of the paths' bytes.
    """
    total = hashlib.sha256()
    paths = [path.as_posix() for path in files.walk_files(package) if path.suffix == ".py"]
    for path in sorted(f"{package.name}/{path}" for path in paths):
        content = hashlib.sha256((package.parent / path).read_bytes()).hexdigest()
        total.update(f"{path}\0{content}\n".encode())
    return total.hexdigest()
