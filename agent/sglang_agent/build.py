"""One build of SGLang: source, patches, environment. Complete or not there at all."""

from __future__ import annotations

import os
from pathlib import Path

from sglang_agent import (
    builds_kept,
    contract,
    files,
    jobs,
    kept,
    locks,
    patches,
    pythons,
    receipts,
    sources,
    tree,
    venvs,
)
from sglang_agent.answer import AgentError
from sglang_agent.documents import Build, BuildAnswer, BuildReceipt
from sglang_agent.layout import Layout, build_python
from sglang_agent.tools import Log

# Space for an environment with torch, CUDA libraries and FlashInfer, and for what pip unpacks beside it. Unverified
# beyond one release; a stack file that knows better sends `diskBytes`.
FULL_BYTES = 40 * 1024**3
PARSER_ONLY_BYTES = 512 * 1024**2
KEEP = 3


def build(desired: Build) -> BuildAnswer:
    """Make the build, or say that it is there. Long work runs as a job that outlives the session."""
    layout = Layout(desired["root"])
    if complete(layout.build(desired["generation"])) and receipts.settled(layout, "build", desired):
        return {"changed": False, "path": str(layout.build(desired["generation"]))}
    answer: BuildAnswer = jobs.run(layout, "build", desired)
    return answer


def complete(path: Path) -> bool:
    receipt: BuildReceipt | None = kept.read("build-receipt", path / "receipt.json")
    return receipt is not None and receipt["complete"]


def receipt_of(layout: Layout, digest: str) -> BuildReceipt:
    """The receipt of a complete build; AgentError `no-build` for anything less."""
    receipt: BuildReceipt | None = kept.read("build-receipt", layout.build(digest) / "receipt.json")
    if receipt is None or not receipt["complete"]:
        raise AgentError("no-build", f"there is no complete build {digest} on this host: run `build` first")
    return receipt


def make(desired: Build, log: Log) -> BuildAnswer:
    """The work itself, inside the job."""
    layout = Layout(desired["root"])
    final = layout.build(desired["generation"])
    with locks.held(layout, f"build-{desired['generation']}"):
        receipts.claim(layout, "build", desired)
        changed = not complete(final)
        if changed:
            _make(layout, desired, final, log)
    receipts.settle(layout, "build", desired)
    builds_kept.prune(layout, desired, desired.get("keep") or KEEP)
    return {"changed": changed, "path": str(final)}


def _make(layout: Layout, desired: Build, final: Path, log: Log) -> None:
    staging = layout.build_staging(final.name)
    files.remove(staging)
    files.remove(final)
    sources.locked(desired)
    _check_space(layout, desired)
    interpreter = pythons.find(desired["python"])
    files.make_directory(staging / "tmp")
    environment = _environment(layout, desired, staging)
    try:
        python = venvs.create(staging / "venv", interpreter, log, environment)
        site = sources.bring(desired, staging, python, log, environment)
        bases = (
            {"site-packages": site, "repository": staging / "source"}
            if (staging / "source").exists()
            else {"site-packages": site}
        )
        patches.apply_all(desired.get("patches") or [], bases)
        package = sources.package_of(desired, staging, site)
        found = tree.python_digest(package)
        expected = desired.get("treeSha256")
        if expected and found != expected:
            raise AgentError(
                "tree",
                f"the patched sglang package has the tree hash {found}, the lock says {expected}: "
                "a patch, the source or the lock is not the one that was pinned; run pin again if the change is meant",
            )
        sources.finish(desired, staging, final, python, site, log, environment)
        files.remove(staging / "tmp")
        venvs.move_scripts(staging, final)
        receipt: BuildReceipt = {
            "complete": True,
            "contract": contract.version(),
            "dependencies": desired["dependencies"],
            "digest": desired["generation"],
            "package": str(final / package.relative_to(staging)),
            "python": interpreter,
            "release": desired["release"],
            "treeSha256": found,
        }
        kept.write(staging / "receipt.json", receipt)
        os.rename(staging, final)
        files.sync_directory(final.parent)
    except BaseException:
        files.remove(staging)
        raise


def _check_space(layout: Layout, desired: Build) -> None:
    least = FULL_BYTES if desired["dependencies"] == "full" else PARSER_ONLY_BYTES
    needed = desired.get("diskBytes") or least
    files.make_directory(layout.builds)
    free = files.free_bytes(layout.builds)
    if free < needed:
        raise AgentError(
            "no-space",
            f"the build needs {files.human(needed)} ({needed} bytes) on the file system of {layout.builds}, "
            f"{files.human(free)} ({free} bytes) are free",
        )


def _environment(layout: Layout, desired: Build, staging: Path) -> dict[str, str]:
    environment = {
        "PIP_CACHE_DIR": str(layout.cache / "pip"),
        "TMPDIR": str(staging / "tmp"),
        **(desired.get("environment") or {}),
    }
    index = desired.get("indexUrl")
    if index:
        environment["PIP_INDEX_URL"] = index
    return environment


def python_of(layout: Layout, digest: str) -> str:
    return str(build_python(layout.build(digest)))
