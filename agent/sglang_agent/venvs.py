"""Virtual environments: made, filled from a lock with hashes, and moved to their final path."""

from __future__ import annotations

from pathlib import Path

from sglang_agent import files
from sglang_agent.documents import LockedPackage
from sglang_agent.tools import Log, output_of, run


def create(path: Path, interpreter: str, log: Log, environment: dict[str, str]) -> str:
    """A fresh environment; returns the path of its Python."""
    run([interpreter, "-m", "venv", str(path)], log, "making the virtual environment", "venv", environment)
    return str(path / "bin/python")


def install_locked(python: str, lock: list[LockedPackage], folder: Path, log: Log, environment: dict[str, str]) -> None:
    """Exactly the packages of the lock, each with one of its hashes, and nothing that they would pull in."""
    lines = []
    for entry in sorted(lock, key=lambda entry: entry["name"]):
        hashes = " ".join(f"--hash={digest}" for digest in sorted(entry["hashes"]))
        lines.append(f"{entry['name']}=={entry['version']} {hashes}\n")
    requirements = folder / "requirements.txt"
    files.write(requirements, "".join(lines))
    arguments = ["--no-deps", "--require-hashes", "--requirement", str(requirements)]
    install(python, arguments, log, environment, "installing the locked packages")


def install(python: str, arguments: list[str], log: Log, environment: dict[str, str], what: str) -> None:
    run([python, "-I", "-m", "pip", "install", "--no-color", *arguments], log, what, "install", environment)


def site_packages(python: str) -> Path:
    answer = output_of([python, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    assert answer is not None
    return Path(answer.strip())


def imports(python: str, module: str, log: Log, environment: dict[str, str] | None = None) -> None:
    """The import check: the module and all that it pulls in, with the build's own Python."""
    run([python, "-I", "-c", f"import {module}"], log, f"importing {module} from the build", "import", environment)


def move_scripts(staging: Path, final: Path) -> None:
    """Console scripts and activation files name the folder they were made in: make that the final one."""
    old, new = str(staging).encode(), str(final).encode()
    for path in (staging / "venv/bin").iterdir():
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 1024 * 1024:
            content = path.read_bytes()
            if old in content and b"\0" not in content:
                files.write(path, content.replace(old, new), path.stat().st_mode & 0o777)
