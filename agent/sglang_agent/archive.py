"""The agent's own archive: where it is, a copy of it for a generation, and its receipt."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

from sglang_agent import files


def running_from() -> Path | None:
    """The archive that this process runs from; None when it runs from a source tree."""
    archive = getattr(globals().get("__loader__"), "archive", None)
    return Path(archive).resolve() if archive else None


def content() -> bytes:
    """The bytes of the archive; made from the source tree where there is none."""
    archive = running_from()
    if archive:
        return archive.read_bytes()
    package = Path(__file__).resolve().parent
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        main = "from sglang_agent.cli import main\n\nraise SystemExit(main())\n"
        packed.writestr(_entry("__main__.py"), main)
        for path in files.walk_files(package):
            if path.suffix in (".py", ".json"):
                packed.writestr(_entry(f"{package.name}/{path.as_posix()}"), (package / path).read_bytes())
    return buffer.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.external_attr = 0o644 << 16
    return entry


def interpreter() -> str:
    """The Python that runs the agent, for units that have to start it again."""
    return sys.executable or "/usr/bin/python3"


def resource(name: str) -> str:
    """The text of a file of this package, from the archive or from the tree."""
    import pkgutil

    data = pkgutil.get_data("sglang_agent", name)
    assert data is not None
    return data.decode("utf-8")
